/* recorded_times.c - the time of a call where it did not run: expected, then corrected */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/recorded/recorded_sum.h"

/* The expected times of calls of similar work are wrong by a similar factor. */
enum { TIMES_BUCKETS = 64, TIMES_BUCKET_BITS = 2 };

/* Sums of measured and expected times of calls that were measured. */
struct times_ratio {
	double timed_ns, expected_ns;
};

struct times_table {
	struct times_ratio bucket[RECORDED_SIDES][FAMILY_COUNT][ELEMENT_COUNT][TIMES_BUCKETS];
};

static uint64_t recorded_times_count(const struct recorded_cell *cell)
{
	return cell->calls[TARGET_CPU] + cell->calls[TARGET_GPU];
}

static int recorded_times_find_bucket(const struct recorded_cell *cell)
{
	const uint64_t calls = recorded_times_count(cell);
	const double work = calls > 0 ? cell->work_flops / (double)calls : 0;
	const int bucket = work >= 1 ? (int)(log2(work) / TIMES_BUCKET_BITS) : 0;
	return bucket < TIMES_BUCKETS ? bucket : TIMES_BUCKETS - 1;
}

/* The expected time of one call; -1 where it is unknown. */
static double recorded_times_expect(const struct recorded_cell *cell, int side)
{
	return cell->hints > 0 && cell->hints == recorded_times_count(cell)
	               ? cell->hint_ns[side] / (double)cell->hints
	               : -1;
}

static void recorded_times_note(const struct recorded_cell *cell, struct times_table *table)
{
	for (int side = 0; side < RECORDED_SIDES; side++) {
		struct times_ratio *ratio =
			&table->bucket[side][cell->problem.family][cell->problem.element]
				      [recorded_times_find_bucket(cell)];
		const double expected_ns = recorded_times_expect(cell, side);
		if (cell->timed[side] == 0 || expected_ns <= 0)
			continue;
		ratio->timed_ns += cell->timed_ns[side];
		ratio->expected_ns += expected_ns * (double)cell->timed[side];
	}
}

/* The factor of the nearest bucket of the routine with measured calls, damped by the distance. */
static double recorded_times_correct(const struct recorded_cell *cell, int side,
                                     const struct times_table *table)
{
	const struct times_ratio *ratios =
		table->bucket[side][cell->problem.family][cell->problem.element];
	const int bucket = recorded_times_find_bucket(cell);
	for (int distance = 0; distance < TIMES_BUCKETS; distance++) {
		struct times_ratio near = {0, 0};
		for (int at = bucket - distance; at <= bucket + distance;
		     at += distance > 0 ? 2 * distance : 1) {
			if (at < 0 || at >= TIMES_BUCKETS)
				continue;
			near.timed_ns += ratios[at].timed_ns;
			near.expected_ns += ratios[at].expected_ns;
		}
		if (near.timed_ns > 0)
			return pow(near.timed_ns / near.expected_ns, 1 / (1.0 + distance));
	}
	return 1;
}

/* The cell with measured times of such calls on that side; the CPU needs nothing of the GPU's. */
static const struct recorded_cell *recorded_times_find(const struct recorded_sum *sum,
                                                       const struct recorded_cell *cell, int side)
{
	return side == TARGET_CPU && cell->plain > 0 && cell->timed[side] == 0
	               ? &sum->cells[cell->plain - 1]
	               : cell;
}

static void recorded_times_set(const struct recorded_sum *sum, struct recorded_cell *cell,
                               const struct times_table *table)
{
	for (int side = 0; side < RECORDED_SIDES; side++) {
		const double expected_ns = recorded_times_expect(cell, side);
		const struct recorded_cell *timed = recorded_times_find(sum, cell, side);
		cell->ratio[side] = recorded_times_correct(cell, side, table);
		if (timed->timed[side] > 0)
			cell->time_ns[side] = timed->timed_ns[side] / (double)timed->timed[side];
		else
			cell->time_ns[side] =
				expected_ns >= 0 ? expected_ns * cell->ratio[side] : -1;
	}
}

void recorded_sum_end(struct recorded_sum *sum)
{
	struct times_table *table = say_need(calloc(1, sizeof *table));
	for (size_t i = 0; i < sum->cell_count; i++)
		recorded_times_note(&sum->cells[i], table);
	for (size_t i = 0; i < sum->cell_count; i++)
		recorded_times_set(sum, &sum->cells[i], table);
	free(table);
}

bool recorded_sum_knows(const struct recorded_cell *cell)
{
	return cell != NULL && cell->time_ns[TARGET_CPU] >= 0 && cell->time_ns[TARGET_GPU] >= 0;
}

double recorded_sum_find_time(const struct recorded_view *view, const struct log_record *record,
                              enum target side)
{
	const struct recorded_cell *cell = view->cell;
	if (view->timed && record->target == side)
		return (double)record->elapsed_ns;
	if (cell->timed[side] > 0 || cell->plain > 0 || view->model_ns[side] < 0)
		return cell->time_ns[side];
	return view->model_ns[side] * cell->ratio[side];
}

double recorded_sum_time(const struct recorded_sum *sum, const struct recorded_cell *cell,
                         enum target side)
{
	const uint64_t others = recorded_times_count(cell) - cell->timed[side];
	double time_ns =
		cell->timed_ns[side] + (others > 0 ? (double)others * cell->time_ns[side] : 0);
	if (side == TARGET_GPU && family_is_fft(cell->problem.family))
		time_ns += sum->machine->complete.fft_plan_ns *
		           (double)__builtin_popcountll(cell->processes);
	return time_ns;
}
