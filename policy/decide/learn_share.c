/* learn_share.c - means of both parts of shared calls, and of the whole */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/learn_share.h"

#include <stddef.h>

struct learn_shared learn_share_find(const struct learn *learn, const struct call *call)
{
	struct learn_shared shared = {.whole = 1};
	const struct learn_cell *cell =
		learn != NULL ? learn_cells_find(learn->cell, learn_cells_name(call)) : NULL;
	if (cell == NULL)
		return shared;
	for (int side = 0; side < LEARN_SIDES; side++) {
		shared.ratio[side] = learn_mean_load(&cell->part[side].ratio);
		shared.low[side] = learn_mean_load(&cell->part[side].low);
	}
	if (atomic_load_explicit(&cell->whole.seen, memory_order_relaxed) > 0)
		shared.whole = learn_mean_load(&cell->whole.ratio);
	shared.spent_ns = learn_mean_load(&cell->shared_ns);
	shared.alone_ns = learn_mean_load(&cell->alone_ns);
	return shared;
}

/* expected: the ratio of calls on this side alone. */
static void learn_share_note_part(struct learn_cell *cell, int side, double ratio, double expected)
{
	const struct learn_sample sample = {ratio, expected > 0 ? expected : 1, false};
	if (!learn_mean_takes(ratio))
		return;
	learn_mean_mix(&cell->part[side], &sample);
	atomic_store_explicit(&cell->newest[side], 1, memory_order_relaxed);
}

/*
 * In times of the later part, as its mean says now: a lasting change of a side is in that. The
 * means of the first call are that call's.
 */
static void learn_share_note_whole(struct learn_cell *cell, const double part_ns[LEARN_SIDES],
                                   double elapsed_ns)
{
	double later_ns = 0;
	for (int side = 0; side < LEARN_SIDES; side++) {
		const double mean_ns = learn_mean_load(&cell->part[side].ratio) * part_ns[side];
		later_ns = mean_ns > later_ns ? mean_ns : later_ns;
	}
	const double ratio = elapsed_ns / later_ns;
	const uint32_t seen =
		atomic_load_explicit(&cell->part[TARGET_CPU].seen, memory_order_relaxed);
	if (seen > 1 && learn_mean_takes(ratio))
		learn_mean_mix(&cell->whole, &(struct learn_sample){ratio, 1, false});
}

void learn_share_note(struct learn *learn, const struct call *call, const struct decision *decision,
                      double cpu_share, const double part_ns[LEARN_SIDES], double elapsed_ns)
{
	const double model_ns[] = {decision->part_ns[TARGET_CPU] * cpu_share / decision->cpu_share,
	                           decision->part_ns[TARGET_GPU] * (1 - cpu_share) /
	                                   (1 - decision->cpu_share)};
	const double expected[] = {decision->predicted_cpu_ns / decision->model_cpu_ns,
	                           decision->predicted_gpu_ns / decision->model_gpu_ns};
	struct learn_cell *cell = learn_cells_take(learn->cell, learn_cells_name(call));
	if (cell == NULL || !learn_mean_takes(elapsed_ns) || !(part_ns[TARGET_CPU] > 0) ||
	    !(part_ns[TARGET_GPU] > 0))
		return;
	for (int side = 0; side < LEARN_SIDES; side++)
		learn_share_note_part(cell, side, part_ns[side] / model_ns[side], expected[side]);
	learn_share_note_whole(cell, model_ns, elapsed_ns);
	learn_mean_store(&cell->alone_ns, 0);
	learn_mean_add(&cell->shared_ns, elapsed_ns);
	/* The other side is looked at as if the call had been on one alone. */
	learn_mean_add(&cell->spent_ns, elapsed_ns);
	atomic_fetch_add_explicit(&learn->totals.offloads, 1, memory_order_relaxed);
	if (decision->predicted_cpu_ns > 0)
		learn_mean_add(&learn->totals.gain_ns, decision->predicted_cpu_ns - elapsed_ns);
}
