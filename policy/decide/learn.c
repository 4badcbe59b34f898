/* learn.c - corrections per routine and size: hashed cells, weighted means, no lock */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/learn.h"

#include <stddef.h>

#include "policy/decide/learn_mean.h"

/*
 * The doubt of a correction by its source: so many buckets away; another shape of the bucket; the
 * routine; other routines (learn_doubt_shape, _routine, _all).
 */
static const double learn_doubt_near[] = {1, 1.7, 2, 2.3};

/* The doubt after this many calls: the first ones may have been delayed. */
static const double learn_doubt_seen[] = {3, 3, 1.5, 1};
enum { LEARN_SEEN_ENOUGH = 3 };
static const double learn_doubt_shape = 2.3, learn_doubt_routine = 2.5, learn_doubt_all = 3;

/*
 * A call that is expected to be shorter than learn_tiny_ns and takes learn_overhead times as long
 * is all overhead: the means of routine and side do not learn from it.
 */
static const double learn_tiny_ns = 20000, learn_overhead = 4;

/*
 * A mean of another kind of call is weighted as if this many more calls had taken the expected
 * time.
 */
static const double learn_far = 2;
enum { LEARN_NEAR = sizeof learn_doubt_near / sizeof learn_doubt_near[0] };

/*
 * Reads the ratio of a mean, as if `beside` more calls had taken the expected time. false if the
 * mean is empty.
 */
static bool learn_use(const struct learn_mean *mean, double *ratio)
{
	const double seen = atomic_load_explicit(&mean->seen, memory_order_relaxed);
	if (seen == 0)
		return false;
	const double share = seen / (seen + learn_far);
	*ratio = learn_mean_load(&mean->low) * share + (1 - share);
	return *ratio > 0;
}

/* The key of the cell of a call, and the cell, or NULL before the first call. */
struct learn_spot {
	const struct learn *learn;
	enum family family;
	enum element element;
	uint32_t key;
	const struct learn_cell *cell;
};

static struct learn_spot learn_find_spot(const struct learn *learn, const struct call *call)
{
	const uint32_t key = learn_cells_name(call);
	return (struct learn_spot){learn, call->family, call->element, key,
	                           learn_cells_find(learn->cell, key)};
}

static bool learn_use_cell(const struct learn *learn, uint32_t key, int side, double *ratio)
{
	const struct learn_cell *cell = learn_cells_find(learn->cell, key);
	return cell != NULL && learn_use(&cell->mean[side], ratio);
}

/*
 * Finds the nearest other bucket of the routine that was measured on this side: its distance, or
 * LEARN_NEAR.
 */
static unsigned learn_find_near(const struct learn_spot *spot, int side, double *ratio)
{
	const unsigned bucket = (spot->key - 1) % LEARN_BUCKETS;
	for (unsigned distance = 1; distance < LEARN_NEAR; distance++)
		if ((bucket >= distance &&
		     learn_use_cell(spot->learn, spot->key - distance, side, ratio)) ||
		    (bucket + distance < LEARN_BUCKETS &&
		     learn_use_cell(spot->learn, spot->key + distance, side, ratio)))
			return distance;
	return LEARN_NEAR;
}

/* Tries the other shapes of the bucket. */
static bool learn_use_shapes(const struct learn_spot *spot, int side, double *ratio)
{
	const uint32_t own = (spot->key - 1) / LEARN_BUCKETS % LEARN_SHAPES;
	const uint32_t first = spot->key - own * LEARN_BUCKETS;
	for (uint32_t shape = 0; shape < LEARN_SHAPES; shape++)
		if (shape != own &&
		    learn_use_cell(spot->learn, first + shape * LEARN_BUCKETS, side, ratio))
			return true;
	return false;
}

/*
 * Finds the ratio of calls of another kind; *doubt, that of no knowledge, becomes less. false: no
 * call was measured.
 */
static bool learn_find_other(const struct learn_spot *spot, int side, double *ratio, double *doubt)
{
	const struct learn *learn = spot->learn;
	const double own = *doubt;
	const unsigned distance = learn_find_near(spot, side, ratio);
	bool found = true;
	if (distance < LEARN_NEAR)
		*doubt = learn_doubt_near[distance];
	else if (learn_use_shapes(spot, side, ratio))
		*doubt = learn_doubt_shape;
	else if (learn_use(&learn->routine[spot->family][spot->element][side], ratio))
		*doubt = learn_doubt_routine;
	else if (learn_use(&learn->all[side], ratio))
		*doubt = learn_doubt_all;
	else
		found = false;
	if (*doubt > own)
		*doubt = own;
	return found;
}

/*
 * The undisturbed level of the cell. All of a few calls may have met one burst: then calls of the
 * routine tell too.
 */
static double learn_find_low(const struct learn_spot *spot, int side, uint32_t seen)
{
	const struct learn_mean *routine = &spot->learn->routine[spot->family][spot->element][side];
	const double own = learn_mean_load(&spot->cell->mean[side].low);
	if (seen >= LEARN_FEW || atomic_load_explicit(&routine->seen, memory_order_relaxed) == 0)
		return own;
	const double other = learn_mean_load(&routine->low);
	return other > 0 && other < own ? other : own;
}

/*
 * A part takes no less than its share of a call alone: a mean above the ratio of parts since is out
 * of date.
 */
static double learn_bound_by_part(const struct learn_cell *cell, int side, double ratio)
{
	const double part = learn_mean_load(&cell->part[side].ratio);
	return atomic_load_explicit(&cell->newest[side], memory_order_relaxed) != 0 && part < ratio
	               ? part
	               : ratio;
}

/* Fills one side of the guess, whose time is that of the model. */
static void learn_correct_side(const struct learn_spot *spot, int side, struct learn_guess *guess)
{
	const double model_ns = guess->time_ns[side];
	const struct learn_mean *mean = spot->cell != NULL ? &spot->cell->mean[side] : NULL;
	double ratio = 1, low;
	if (mean != NULL)
		guess->seen[side] = atomic_load_explicit(&mean->seen, memory_order_relaxed);
	guess->measured[side] = guess->seen[side] > 0;
	if (guess->measured[side]) {
		ratio = learn_mean_load(&mean->ratio);
		low = learn_find_low(spot, side, guess->seen[side]);
		guess->doubt[side] =
			learn_doubt_seen[guess->seen[side] < LEARN_SEEN_ENOUGH ? guess->seen[side]
		                                                               : LEARN_SEEN_ENOUGH];
	} else {
		guess->measured[side] = learn_find_other(spot, side, &ratio, &guess->doubt[side]);
		low = ratio;
	}
	if (spot->cell != NULL)
		ratio = learn_bound_by_part(spot->cell, side, ratio);
	guess->time_ns[side] = learn_mean_limit(model_ns * ratio);
	guess->low_ns[side] = learn_mean_limit(model_ns * (low < ratio ? low : ratio));
}

void learn_correct(const struct learn *learn, const struct call *call, const struct cost *cost,
                   double doubt, struct learn_guess *guess)
{
	const double model_ns[LEARN_SIDES] = {cost->cpu.whole_ns, cost->gpu.whole_ns};
	*guess = (struct learn_guess){.time_ns = {model_ns[TARGET_CPU], model_ns[TARGET_GPU]},
	                              .low_ns = {model_ns[TARGET_CPU], model_ns[TARGET_GPU]},
	                              .doubt = {doubt, doubt},
	                              .last = TARGET_CPU};
	if (learn == NULL)
		return;
	const struct learn_spot spot = learn_find_spot(learn, call);
	for (int side = 0; side < LEARN_SIDES; side++)
		if (model_ns[side] > 0)
			learn_correct_side(&spot, side, guess);
	if (spot.cell == NULL)
		return;
	guess->spent_ns = learn_mean_load(&spot.cell->spent_ns);
	if (atomic_load_explicit(&spot.cell->last, memory_order_relaxed) == TARGET_GPU + 1)
		guess->last = TARGET_GPU;
}

/*
 * The time since the last trial of the other side restarts at a trial, and when calls change sides.
 */
static void learn_visit(struct learn_cell *cell, const struct decision *decision, double elapsed_ns)
{
	const uint32_t now = (uint32_t)decision->target + 1;
	if (decision->looks || atomic_load_explicit(&cell->last, memory_order_relaxed) != now)
		learn_mean_store(&cell->spent_ns, 0);
	if (decision->looks)
		return;
	atomic_store_explicit(&cell->last, now, memory_order_relaxed);
	learn_mean_add(&cell->spent_ns, elapsed_ns);
}

static void learn_add_totals(struct learn_totals *totals, const struct decision *decision,
                             double elapsed_ns)
{
	const bool gpu = decision->target == TARGET_GPU;
	const double other_ns = gpu ? decision->predicted_cpu_ns : decision->predicted_gpu_ns;
	if (other_ns < 0)
		return;
	if (gpu) {
		atomic_fetch_add_explicit(&totals->offloads, 1, memory_order_relaxed);
		learn_mean_add(&totals->gain_ns, other_ns - elapsed_ns);
	}
	if (elapsed_ns > other_ns)
		learn_mean_add(&totals->regret_ns, elapsed_ns - other_ns);
	if (!decision->looks)
		return;
	atomic_fetch_add_explicit(&totals->looks, 1, memory_order_relaxed);
	if (elapsed_ns > other_ns)
		learn_mean_add(&totals->look_loss_ns, elapsed_ns - other_ns);
}

void learn_note(struct learn *learn, const struct call *call, const struct decision *decision,
                double elapsed_ns)
{
	const int side = decision->target;
	const double model_ns =
		side == TARGET_GPU ? decision->model_gpu_ns : decision->model_cpu_ns;
	if (!learn_mean_takes(elapsed_ns) || !(model_ns > 0))
		return;
	const double predicted_ns =
		side == TARGET_GPU ? decision->predicted_gpu_ns : decision->predicted_cpu_ns;
	const struct learn_sample sample = {elapsed_ns / model_ns,
	                                    predicted_ns > 0 ? predicted_ns / model_ns : 1,
	                                    decision->looks};
	if (!learn_mean_takes(sample.ratio) || !learn_mean_takes(sample.expected))
		return;
	struct learn_cell *cell = learn_cells_take(learn->cell, learn_cells_name(call));
	if (cell != NULL) {
		learn_mean_mix(&cell->mean[side], &sample);
		atomic_store_explicit(&cell->newest[side], 0, memory_order_relaxed);
		learn_visit(cell, decision, elapsed_ns);
		learn_mean_store(&cell->shared_ns, 0);
		learn_mean_add(&cell->alone_ns, elapsed_ns);
	}
	if (model_ns >= learn_tiny_ns || sample.ratio < learn_overhead) {
		learn_mean_mix(&learn->routine[call->family][call->element][side], &sample);
		learn_mean_mix(&learn->all[side], &sample);
	}
	learn_add_totals(&learn->totals, decision, elapsed_ns);
}

unsigned learn_find_bucket(const struct call *call)
{
	return learn_cells_find_bucket(call);
}

void learn_note_first(struct learn *learn, const struct call *call, const struct decision *decision,
                      double elapsed_ns)
{
	const double predicted_ns = decision->target == TARGET_GPU ? decision->predicted_gpu_ns
	                                                           : decision->predicted_cpu_ns;
	if (elapsed_ns < predicted_ns)
		learn_note(learn, call, decision, elapsed_ns);
}

void learn_note_saving(struct learn *learn, double saving_ns)
{
	if (saving_ns > 0)
		learn_mean_add(&learn->savings_ns, saving_ns);
}

void learn_note_solver_saving(struct learn *learn, double saving_ns)
{
	if (saving_ns > 0)
		learn_mean_add(&learn->solver_savings_ns, saving_ns);
}
