/* factor_steps.c - the steps of a factorization on two links and a device */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/factor/factor_steps.h"

#include <stdlib.h>

enum {
	FACTOR_FIRST_ROOM = 256,
	/* Bytes that the device's memory moves for an element of a row: a sector. */
	FACTOR_SECTOR_BYTES = 32
};

static const double factor_ns_per_second = 1e9;

static bool factor_steps_block_is_empty(const struct factor_block *block)
{
	return block->row.count <= 0 || block->column.count <= 0;
}

static double factor_steps_size(struct factor_span span)
{
	return (double)span.count;
}

/* -- time ------------------------------------------------------------------------------------- */

/* Multiplications and additions. Source: LAPACK Working Note 41, leading terms. */
static double factor_steps_count_flops(enum factor_form form, const struct factor_work *work)
{
	const double rows = factor_steps_size(work->z.row),
		     columns = factor_steps_size(work->z.column);
	const double inner = factor_steps_size(work->x_turned ? work->x.row : work->x.column);
	switch (work->operation) {
	case FACTOR_PANEL:
		return form == FACTOR_LU
		               ? rows * columns * columns - columns * columns * columns / 3
		               : columns * columns * columns / 3;
	case FACTOR_SOLVE_RIGHT: return columns * columns * rows;
	case FACTOR_SOLVE:
	case FACTOR_SOLVE_BACK: return rows * rows * columns;
	case FACTOR_UPDATE: return 2 * rows * columns * inner;
	case FACTOR_TRIANGLE: return rows * (rows + 1) * inner;
	default: return 0;
	}
}

/* A row lies scattered in memory: both rows of an exchange are read and written by sectors. */
static double factor_steps_count_swapped_bytes(const struct factor_steps *steps,
                                               const struct factor_work *work)
{
	const double size = (double)element_size_bytes(steps->problem->element);
	const double moved = size > FACTOR_SECTOR_BYTES ? size : FACTOR_SECTOR_BYTES;
	return 4 * factor_steps_size(work->pivots) * factor_steps_size(work->z.column) * moved;
}

static double factor_steps_find_work_ns(const struct factor_steps *steps,
                                        const struct factor_work *work)
{
	const struct factor_rates *rates = steps->rates;
	const double each = element_is_complex(steps->problem->element) ? 4 : 1;
	const double flops = each * factor_steps_count_flops(steps->problem->form, work);
	double time_ns = rates->operation_ns + flops / rates->work_flops_s * factor_ns_per_second;
	if (work->operation == FACTOR_PANEL)
		time_ns += rates->panel_ns + factor_steps_size(work->z.column) * rates->column_ns;
	if (work->operation == FACTOR_SOLVE_BACK)
		time_ns += factor_steps_size(work->x.row) * rates->row_ns;
	if (work->operation == FACTOR_SWAP)
		time_ns += factor_steps_count_swapped_bytes(steps, work) / rates->memory_bytes_s *
		           factor_ns_per_second;
	return time_ns;
}

/* Both links are busy at once in a Cholesky factorization only: LU stores when all is loaded. */
static double factor_steps_find_copy_ns(const struct factor_steps *steps, uint64_t bytes,
                                        double bytes_s)
{
	const double share = steps->problem->form == FACTOR_LU ? 1 : steps->rates->duplex;
	return steps->rates->operation_ns +
	       (double)bytes / (bytes_s * share) * factor_ns_per_second;
}

/* -- steps ------------------------------------------------------------------------------------ */

/* Counts the step; NULL if it is not kept. */
static struct factor_step *factor_steps_add(struct factor_steps *steps, enum factor_kind kind)
{
	struct factor_plan *plan = steps->plan;
	if (steps->failed)
		return NULL;
	if (steps->keeps && plan->count == steps->room) {
		const uint32_t room = steps->room == 0 ? FACTOR_FIRST_ROOM : 2 * steps->room;
		struct factor_step *grown = realloc(plan->steps, room * sizeof *grown);
		steps->failed = grown == NULL;
		if (steps->failed)
			return NULL;
		plan->steps = grown;
		steps->room = room;
	}
	plan->kind_count[kind]++;
	const uint32_t number = plan->count++;
	if (!steps->keeps)
		return NULL;
	plan->steps[number] = (struct factor_step){.kind = kind};
	return &plan->steps[number];
}

static uint64_t factor_steps_block_bytes(const struct factor_steps *steps,
                                         const struct factor_block *block)
{
	return (uint64_t)block->row.count * (uint64_t)block->column.count *
	       element_size_bytes(steps->problem->element);
}

static void factor_steps_load(struct factor_steps *steps, const struct factor_block *block)
{
	const uint64_t bytes = factor_steps_block_bytes(steps, block);
	const uint32_t number = steps->plan->kind_count[FACTOR_LOAD];
	struct factor_step *step = factor_steps_add(steps, FACTOR_LOAD);
	if (step != NULL)
		step->block = *block;
	steps->plan->load_bytes += bytes;
	steps->end_ns[FACTOR_LOAD] +=
		factor_steps_find_copy_ns(steps, bytes, steps->rates->up_bytes_s);
	steps->arrival_ns[number] = steps->end_ns[FACTOR_LOAD];
}

static int64_t factor_steps_count_pieces(int64_t size, int64_t width)
{
	return (size + width - 1) / width;
}

static struct factor_span factor_steps_take_piece(int64_t piece, int64_t width, int64_t size)
{
	const int64_t begin = piece * width;
	return (struct factor_span){begin, size - begin < width ? size - begin : width};
}

/* The rows of these columns of A that the form has: those of a triangle, and its diagonal block. */
static struct factor_span factor_steps_find_rows(const struct factor_problem *problem,
                                                 struct factor_span column)
{
	switch (problem->form) {
	case FACTOR_LOWER: return (struct factor_span){column.begin, problem->m - column.begin};
	case FACTOR_UPPER: return (struct factor_span){0, column.begin + column.count};
	default: return (struct factor_span){0, problem->m};
	}
}

struct factor_steps factor_steps_begin(const struct factor_problem *problem,
                                       const struct factor_rates *rates, int64_t width, bool keeps,
                                       struct factor_plan *plan)
{
	struct factor_steps steps = {
		.problem = problem, .rates = rates, .plan = plan, .width = width, .keeps = keeps};
	const int64_t of_a = factor_steps_count_pieces(problem->n, width);
	const int64_t of_b = factor_steps_count_pieces(problem->right, width);
	*plan = (struct factor_plan){.width = width};
	steps.arrival_ns = malloc((size_t)(of_a + of_b) * sizeof *steps.arrival_ns);
	steps.failed = steps.arrival_ns == NULL;
	for (int64_t piece = 0; !steps.failed && piece < of_a; piece++) {
		const struct factor_span column = factor_steps_take_piece(piece, width, problem->n);
		const struct factor_span row = factor_steps_find_rows(problem, column);
		factor_steps_load(&steps, &(struct factor_block){false, row, column});
	}
	for (int64_t piece = 0; !steps.failed && piece < of_b; piece++) {
		const struct factor_span column =
			factor_steps_take_piece(piece, width, problem->right);
		factor_steps_load(&steps, &(struct factor_block){true, {0, problem->m}, column});
	}
	return steps;
}

bool factor_steps_end(struct factor_steps *steps)
{
	struct factor_plan *plan = steps->plan;
	free(steps->arrival_ns);
	for (int kind = 0; kind < FACTOR_KINDS; kind++)
		if (steps->end_ns[kind] > plan->time_ns)
			plan->time_ns = steps->end_ns[kind];
	if (steps->failed)
		factor_plan_free(plan);
	return !steps->failed;
}

/* The number of loads after which the columns before `columns` are on the device. */
static uint32_t factor_steps_count_loads(const struct factor_steps *steps, int64_t columns)
{
	const int64_t n = steps->problem->n, width = steps->width;
	if (columns <= n)
		return (uint32_t)factor_steps_count_pieces(columns, width);
	return (uint32_t)(factor_steps_count_pieces(n, width) +
	                  factor_steps_count_pieces(columns - n, width));
}

int64_t factor_steps_find_loaded(const struct factor_steps *steps, int64_t least)
{
	const struct factor_problem *problem = steps->problem;
	int64_t loaded = least;
	while (!steps->failed && loaded < problem->n + problem->right) {
		const int64_t end = loaded < problem->n ? problem->n : problem->n + problem->right;
		const int64_t more = end - loaded < steps->width ? end : loaded + steps->width;
		if (steps->arrival_ns[factor_steps_count_loads(steps, more) - 1] >
		    steps->end_ns[FACTOR_WORK])
			break;
		loaded = more;
	}
	return loaded;
}

void factor_steps_work(struct factor_steps *steps, const struct factor_work *work, int64_t loaded)
{
	const uint32_t loads = factor_steps_count_loads(steps, loaded);
	struct factor_step *step =
		factor_steps_block_is_empty(&work->z) ? NULL : factor_steps_add(steps, FACTOR_WORK);
	if (steps->failed || factor_steps_block_is_empty(&work->z))
		return;
	if (step != NULL) {
		step->work = *work;
		step->after[FACTOR_LOAD] = loads;
	}
	if (steps->end_ns[FACTOR_WORK] < steps->arrival_ns[loads - 1])
		steps->end_ns[FACTOR_WORK] = steps->arrival_ns[loads - 1];
	steps->end_ns[FACTOR_WORK] += factor_steps_find_work_ns(steps, work);
}

void factor_steps_store(struct factor_steps *steps, const struct factor_block *block)
{
	if (factor_steps_block_is_empty(block))
		return;
	struct factor_step *step = factor_steps_add(steps, FACTOR_STORE);
	if (step != NULL) {
		step->block = *block;
		step->after[FACTOR_WORK] = steps->plan->kind_count[FACTOR_WORK];
	}
	const uint64_t bytes = factor_steps_block_bytes(steps, block);
	steps->plan->store_bytes += bytes;
	if (steps->end_ns[FACTOR_STORE] < steps->end_ns[FACTOR_WORK])
		steps->end_ns[FACTOR_STORE] = steps->end_ns[FACTOR_WORK];
	steps->end_ns[FACTOR_STORE] +=
		factor_steps_find_copy_ns(steps, bytes, steps->rates->down_bytes_s);
}
