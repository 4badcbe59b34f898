/* panel_rest.c - finds the regions of a result that were not committed */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/panel_job.h"

/* The first store at or after step number; the plan's count where there is none. */
static uint32_t panel_rest_find(const struct panel_job_part *part, uint32_t number)
{
	while (number < part->plan.count && part->plan.steps[number].kind != PANEL_STORE)
		number++;
	return number;
}

static struct panel_span panel_rest_join(struct panel_span x, struct panel_span y)
{
	if (x.count == 0 || y.count == 0)
		return x.count == 0 ? y : x;
	const int64_t begin = x.begin < y.begin ? x.begin : y.begin;
	const int64_t x_end = x.begin + x.count, y_end = y.begin + y.count;
	return (struct panel_span){begin, (x_end > y_end ? x_end : y_end) - begin};
}

static bool panel_rest_is_equal(struct panel_span x, struct panel_span y)
{
	return x.begin == y.begin && x.count == y.count;
}

/* Whom to report open regions to. */
struct panel_rest {
	const struct panel_job_part *part;
	panel_visit *visit;
	void *self;
};

static void panel_rest_tell(const struct panel_rest *rest, struct panel_span row,
                            struct panel_span column)
{
	if (row.count > 0 && column.count > 0)
		rest->visit(rest->self, rest->part, row, column);
}

/* Splits a store's columns into committed ones and open ones. */
static void panel_rest_split(const struct panel_job_part *part, struct panel_span column,
                             uint64_t runs, struct panel_span *done, struct panel_span *open)
{
	const int64_t count = (int64_t)runs;
	*done = *open = column;
	done->count = count;
	open->count -= count;
	if (part->backward)
		done->begin += open->count;
	else
		open->begin += count;
}

/*
 * Families that do not overwrite an operand: any order will do. The open rest of the first store,
 * then the others.
 */
static void panel_rest_visit_any(const struct panel_rest *rest, uint32_t number,
                                 const struct flow_progress *progress)
{
	const struct panel_job_part *part = rest->part;
	const uint64_t size = element_size_bytes(part->problem.element);
	uint64_t runs = progress->runs;
	int64_t rows = (int64_t)(progress->bytes / size);
	for (; number < part->end; number = panel_rest_find(part, number + 1)) {
		const struct panel_block *block = &part->plan.steps[number].block;
		struct panel_span done, open;
		panel_rest_split(part, block->column, runs, &done, &open);
		if (rows > 0) {
			panel_rest_tell(rest,
			                (struct panel_span){block->row.begin + rows,
			                                    block->row.count - rows},
			                (struct panel_span){open.begin, 1});
			open.begin++;
			open.count--;
		}
		panel_rest_tell(rest, block->row, open);
		runs = 0;
		rows = 0;
	}
}

/*
 * Whether a store from begin on, before number, belongs to the same panel: its region is reported
 * then.
 */
static bool panel_rest_is_known(const struct panel_job_part *part, uint32_t begin, uint32_t number,
                                bool left)
{
	const struct panel_block *block = &part->plan.steps[number].block;
	for (uint32_t i = begin; i < number; i = panel_rest_find(part, i + 1)) {
		const struct panel_block *other = &part->plan.steps[i].block;
		if (left ? panel_rest_is_equal(other->column, block->column)
		         : panel_rest_is_equal(other->row, block->row))
			return true;
	}
	return false;
}

/* The rows (left) or columns that the panel's stores from number on cover. */
static struct panel_span panel_rest_cover(const struct panel_job_part *part,
                                          const struct panel_block *panel, uint32_t number,
                                          bool left)
{
	struct panel_span cover = {0, 0};
	for (; number < part->plan.count; number = panel_rest_find(part, number + 1)) {
		const struct panel_block *block = &part->plan.steps[number].block;
		if (left && panel_rest_is_equal(block->column, panel->column))
			cover = panel_rest_join(cover, block->row);
		else if (!left && panel_rest_is_equal(block->row, panel->row))
			cover = panel_rest_join(cover, block->column);
	}
	return cover;
}

/* With A on the right rows are independent: of a column in progress some are committed. */
static void panel_rest_tell_rows(const struct panel_rest *rest, struct panel_span row,
                                 int64_t committed, struct panel_span open, struct panel_span later)
{
	struct panel_span begun = row, behind = open;
	begun.count = committed;
	row.begin += committed;
	row.count -= committed;
	behind.count--;
	behind.begin += !rest->part->backward;
	panel_rest_tell(rest, begun, panel_rest_join(later, behind));
	panel_rest_tell(rest, row, panel_rest_join(later, open));
}

/*
 * Families that overwrite an operand: the open stores of a panel depend on each other and form one
 * region.
 */
static void panel_rest_visit_panels(const struct panel_rest *rest, uint32_t first,
                                    const struct flow_progress *progress)
{
	const struct panel_job_part *part = rest->part;
	const bool left = part->problem.blas.side == SIDE_LEFT;
	const int64_t rows = (int64_t)(progress->bytes / element_size_bytes(part->problem.element));
	for (uint32_t number = first; number < part->plan.count;
	     number = panel_rest_find(part, number + 1)) {
		const struct panel_block *block = &part->plan.steps[number].block;
		struct panel_span done, open;
		if (panel_rest_is_known(part, first, number, left))
			continue;
		const struct panel_span later =
			panel_rest_cover(part, block, panel_rest_find(part, number + 1), left);
		panel_rest_split(part, block->column, number == first ? progress->runs : 0, &done,
		                 &open);
		if (left) {
			panel_rest_tell(rest, later, done);
			panel_rest_tell(rest, panel_rest_join(later, block->row), open);
		} else {
			panel_rest_tell_rows(rest, block->row, number == first ? rows : 0, open,
			                     later);
		}
	}
}

void panel_job_visit_rest(const struct panel_job *job, const struct flow_progress *progress,
                          panel_visit *visit, void *self)
{
	struct flow_progress left = *progress;
	for (int i = 0; i < job->count; i++) {
		const struct panel_job_part *part = &job->part[i];
		const struct panel_rest rest = {part, visit, self};
		uint32_t number = panel_rest_find(part, 0);
		for (; left.stores > 0 && number < part->plan.count; left.stores--)
			number = panel_rest_find(part, number + 1);
		if (number == part->plan.count)
			continue;
		if (family_is_in_place(part->problem.family))
			panel_rest_visit_panels(&rest, number, &left);
		else
			panel_rest_visit_any(&rest, number, &left);
		left.runs = left.bytes = 0;
	}
}
