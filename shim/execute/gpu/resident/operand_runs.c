/* operand_runs.c - lists runs of bytes to send; small gaps between them are sent too */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/operand_runs.h"

#include <stdlib.h>

/* A copy costs about as much as so many bytes of it. Tests with small operands need small gaps. */
#ifndef OPERAND_RUNS_GAP_BYTES
#define OPERAND_RUNS_GAP_BYTES 65536
#endif
/* Of more rows the ends are sent as two copies for all rows, whatever is between them. */
enum { OPERAND_RUNS_FIRST = 16, OPERAND_RUNS_ROWS = 32 };

/* The list grows when its length is a power of two. */
static bool operand_runs_add(struct resident_operand *operand, struct pages_span run)
{
	const uint64_t runs = operand->runs;
	if (runs == 0 || (runs >= OPERAND_RUNS_FIRST && (runs & (runs - 1)) == 0)) {
		const uint64_t places = runs == 0 ? OPERAND_RUNS_FIRST : 2 * runs;
		struct pages_span *larger = realloc(operand->run, (size_t)places * sizeof *larger);
		if (larger == NULL)
			return false;
		operand->run = larger;
	}
	operand->run[operand->runs++] = run;
	operand->send_bytes += run.end - run.start;
	return true;
}

/* The page that a row begins in, and the one that it ends in, which hold other bytes too. */
static bool operand_runs_are_ends(const struct host_view *view, struct pages_span row,
                                  struct pages_span first, struct pages_span last)
{
	return view->rows > OPERAND_RUNS_ROWS && first.end <= row.start + pages_size() &&
	       last.start >= row.end - pages_size();
}

/* Between two rows is memory that is not the operand's. */
static bool operand_runs_list_row(struct resident_operand *operand, const struct pages_set *kept,
                                  struct pages_span row)
{
	const uint64_t before = operand->runs;
	struct pages_span left = row;
	while (!pages_is_empty(left)) {
		const struct pages_span run = pages_meeting(pages_find_run(kept, left, true), row);
		if (pages_is_empty(run))
			return true;
		struct pages_span *last =
			operand->runs > before ? &operand->run[operand->runs - 1] : NULL;
		if (last != NULL && run.start - last->end < OPERAND_RUNS_GAP_BYTES &&
		    !operand_runs_are_ends(&operand->view, row, *last, run)) {
			operand->send_bytes += run.end - last->end;
			last->end = run.end;
		} else if (!operand_runs_add(operand, run)) {
			return false;
		}
		left.start = run.end;
	}
	return true;
}

static bool operand_runs_list_rows(struct resident_operand *operand, const struct pages_set *kept)
{
	for (uint64_t row = 0; row < operand->view.rows; row++)
		if (!operand_runs_list_row(operand, kept, host_view_row(&operand->view, row))) {
			operand_runs_free(operand);
			return false;
		}
	return true;
}

bool operand_runs_list(struct resident_operand *operand)
{
	struct window *window = operand->window;
	struct pages_set kept;
	if (!windows_shares(window, &operand->view))
		return operand_runs_list_rows(operand, &window->valid);
	if (windows_is_whole(window, &operand->view))
		return true;
	if (!pages_begin_union(&kept, &window->valid, &window->shared))
		return false;
	const bool listed = operand_runs_list_rows(operand, &kept);
	pages_end(&kept);
	return listed;
}

void operand_runs_free(struct resident_operand *operand)
{
	free(operand->run);
	operand->run = NULL;
	operand->runs = 0;
	operand->send_bytes = 0;
}
