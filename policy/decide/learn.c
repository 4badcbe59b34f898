/* learn.c - corrections per routine and size: hashed cells, weighted means, no lock */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/learn.h"

#include <stddef.h>

/*
 * Each call has at least this weight in a mean, so that old ones are forgotten. A ratio that
 * changes by more than learn_most_change may be an accident and is limited to it, unless it is the
 * third one in a row.
 */
static const double learn_weight = 0.03, learn_weight_lasting = 0.25, learn_most_change = 8,
		    learn_shorter = 0.5;

/*
 * The undisturbed level follows longer times slowly, by a factor: at a call on the side in use, so
 * that a burst of fifty calls does not hide it; at a trial, which fails to find the level again; at
 * one that fails by far, or that looks for a level which was expected but never seen.
 */
static const double learn_rise = 1.01, learn_rise_look = 1.2, learn_rise_far = 3;
static const double learn_near_level = 2, learn_far_level = 10;
enum { LEARN_TRUSTED = 4, LEARN_STREAK = 3, LEARN_SEEN_MAX = 1 << 20 };

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

static double learn_load(const _Atomic double *value)
{
	return atomic_load_explicit(value, memory_order_relaxed);
}

static void learn_store(_Atomic double *value, double to)
{
	atomic_store_explicit(value, to, memory_order_relaxed);
}

/* Keeps expectations from an absurd profile finite, so that they can be compared and printed. */
static double learn_limit(double value)
{
	if (value > __DBL_MAX__)
		return __DBL_MAX__;
	return value < -__DBL_MAX__ ? -__DBL_MAX__ : value;
}

static void learn_add(_Atomic double *sum, double value)
{
	double before = learn_load(sum);
	while (!atomic_compare_exchange_weak_explicit(sum, &before, learn_limit(before + value),
	                                              memory_order_relaxed, memory_order_relaxed))
		;
}

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
	*ratio = learn_load(&mean->low) * share + (1 - share);
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
	const double own = learn_load(&spot->cell->mean[side].low);
	if (seen >= LEARN_FEW || atomic_load_explicit(&routine->seen, memory_order_relaxed) == 0)
		return own;
	const double other = learn_load(&routine->low);
	return other > 0 && other < own ? other : own;
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
		ratio = learn_load(&mean->ratio);
		low = learn_find_low(spot, side, guess->seen[side]);
		guess->doubt[side] =
			learn_doubt_seen[guess->seen[side] < LEARN_SEEN_ENOUGH ? guess->seen[side]
		                                                               : LEARN_SEEN_ENOUGH];
	} else {
		guess->measured[side] = learn_find_other(spot, side, &ratio, &guess->doubt[side]);
		low = ratio;
	}
	guess->time_ns[side] = learn_limit(model_ns * ratio);
	guess->low_ns[side] = learn_limit(model_ns * (low < ratio ? low : ratio));
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
	guess->spent_ns = learn_load(&spot.cell->spent_ns);
	if (atomic_load_explicit(&spot.cell->last, memory_order_relaxed) == TARGET_GPU + 1)
		guess->last = TARGET_GPU;
}

/* A measured ratio, what was expected of it, and whether the call was a trial. */
struct learn_sample {
	double ratio, expected;
	bool looks;
};

/* Before the first call the level is what was expected: a first call may have been held up. */
static double learn_find_level(const struct learn_mean *mean, const struct learn_sample *sample)
{
	return atomic_load_explicit(&mean->seen, memory_order_relaxed) > 0 ? learn_load(&mean->low)
	                                                                   : sample->expected;
}

static void learn_mix_low(struct learn_mean *mean, const struct learn_sample *sample)
{
	const double before = learn_find_level(mean, sample);
	const bool found = atomic_load_explicit(&mean->found, memory_order_relaxed) != 0,
		   far = !found || sample->ratio > learn_far_level * before;
	const double rise = !sample->looks ? learn_rise : far ? learn_rise_far : learn_rise_look;
	learn_store(&mean->low, sample->ratio < rise * before ? sample->ratio : rise * before);
	if (!found && sample->ratio < learn_near_level * before)
		atomic_store_explicit(&mean->found, 1, memory_order_relaxed);
}

/* Counts calls in a row that took much longer, this one included. */
static uint16_t learn_count_streak(struct learn_mean *mean, const struct learn_sample *sample)
{
	uint16_t streak = 0;
	if (sample->ratio > learn_most_change * learn_find_level(mean, sample)) {
		streak = atomic_load_explicit(&mean->streak, memory_order_relaxed);
		streak = streak < LEARN_STREAK ? streak + 1 : streak;
	}
	atomic_store_explicit(&mean->streak, streak, memory_order_relaxed);
	return streak;
}

/*
 * A call may take much longer than others of its kind (first use, a busy machine), but hardly much
 * shorter: a ratio far above the mean is limited, and one far below it replaces it.
 */
static void learn_mix(struct learn_mean *mean, const struct learn_sample *sample)
{
	const uint32_t seen = atomic_load_explicit(&mean->seen, memory_order_relaxed);
	const double before = seen > 0 ? learn_load(&mean->ratio) : sample->expected;
	double weight = 1 / (double)(seen + 1), ratio = sample->ratio;
	const bool lasts = learn_count_streak(mean, sample) >= LEARN_STREAK;
	if (!lasts && ratio > before * learn_most_change)
		ratio = before * learn_most_change;
	if (seen >= LEARN_TRUSTED && ratio < before / learn_most_change)
		ratio = before / learn_most_change;
	if (weight < (lasts ? learn_weight_lasting : learn_weight))
		weight = lasts ? learn_weight_lasting : learn_weight;
	if (ratio < before * learn_shorter)
		weight = 1;
	learn_mix_low(mean, sample);
	learn_store(&mean->ratio, weight < 1 ? before + weight * (ratio - before) : ratio);
	if (seen < LEARN_SEEN_MAX)
		atomic_store_explicit(&mean->seen, seen + 1, memory_order_relaxed);
}

/*
 * The time since the last trial of the other side restarts at a trial, and when calls change sides.
 */
static void learn_visit(struct learn_cell *cell, const struct decision *decision, double elapsed_ns)
{
	const uint32_t now = (uint32_t)decision->target + 1;
	if (decision->looks || atomic_load_explicit(&cell->last, memory_order_relaxed) != now)
		learn_store(&cell->spent_ns, 0);
	if (decision->looks)
		return;
	atomic_store_explicit(&cell->last, now, memory_order_relaxed);
	learn_store(&cell->spent_ns, learn_limit(learn_load(&cell->spent_ns) + elapsed_ns));
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
		learn_add(&totals->gain_ns, other_ns - elapsed_ns);
	}
	if (elapsed_ns > other_ns)
		learn_add(&totals->regret_ns, elapsed_ns - other_ns);
	if (!decision->looks)
		return;
	atomic_fetch_add_explicit(&totals->looks, 1, memory_order_relaxed);
	if (elapsed_ns > other_ns)
		learn_add(&totals->look_loss_ns, elapsed_ns - other_ns);
}

void learn_note(struct learn *learn, const struct call *call, const struct decision *decision,
                double elapsed_ns)
{
	const int side = decision->target;
	const double model_ns =
		side == TARGET_GPU ? decision->model_gpu_ns : decision->model_cpu_ns;
	if (!(elapsed_ns > 0) || !(model_ns > 0) || elapsed_ns > __DBL_MAX__)
		return;
	const double predicted_ns =
		side == TARGET_GPU ? decision->predicted_gpu_ns : decision->predicted_cpu_ns;
	const struct learn_sample sample = {elapsed_ns / model_ns,
	                                    predicted_ns > 0 ? predicted_ns / model_ns : 1,
	                                    decision->looks};
	if (!(sample.ratio > 0) || sample.ratio > __DBL_MAX__ || !(sample.expected > 0) ||
	    sample.expected > __DBL_MAX__)
		return;
	struct learn_cell *cell = learn_cells_take(learn->cell, learn_cells_name(call));
	if (cell != NULL) {
		learn_mix(&cell->mean[side], &sample);
		learn_visit(cell, decision, elapsed_ns);
		learn_store(&cell->shared_ns, 0);
	}
	if (model_ns >= learn_tiny_ns || sample.ratio < learn_overhead) {
		learn_mix(&learn->routine[call->family][call->element][side], &sample);
		learn_mix(&learn->all[side], &sample);
	}
	learn_add_totals(&learn->totals, decision, elapsed_ns);
}

unsigned learn_find_bucket(const struct call *call)
{
	return learn_cells_find_bucket(call);
}

/* -- calls that both sides share -- */

/* The weight of a call, and the largest factor that one may teach. */
static const double learn_shared_weight = 0.2, learn_shared_most = 4;

struct learn_shared learn_find_shared(const struct learn *learn, const struct call *call)
{
	struct learn_shared shared = {{1, 1}, 0};
	const struct learn_cell *cell =
		learn != NULL ? learn_cells_find(learn->cell, learn_cells_name(call)) : NULL;
	if (cell == NULL || atomic_load_explicit(&cell->shared, memory_order_relaxed) == 0)
		return shared;
	for (int side = 0; side < LEARN_SIDES; side++)
		shared.factor[side] = learn_load(&cell->part_ratio[side]);
	shared.spent_ns = learn_load(&cell->shared_ns);
	return shared;
}

static double learn_bound(double ratio)
{
	const double least = 1 / learn_shared_most;
	return ratio < least ? least : ratio > learn_shared_most ? learn_shared_most : ratio;
}

/* The first call's ratio is taken as it is. */
static void learn_mix_part(struct learn_cell *cell, int side, double ratio, uint32_t seen)
{
	const double weight =
		1.0 / (seen + 1) > learn_shared_weight ? 1.0 / (seen + 1) : learn_shared_weight;
	const double before = seen > 0 ? learn_load(&cell->part_ratio[side]) : 1;
	learn_store(&cell->part_ratio[side], before + weight * (learn_bound(ratio) - before));
}

void learn_note_shared(struct learn *learn, const struct call *call,
                       const struct decision *decision, double cpu_share,
                       const double part_ns[LEARN_SIDES], double elapsed_ns)
{
	const double share[] = {cpu_share / decision->cpu_share,
	                        (1 - cpu_share) / (1 - decision->cpu_share)};
	struct learn_cell *cell = learn_cells_take(learn->cell, learn_cells_name(call));
	if (cell == NULL || !(elapsed_ns > 0) || !(part_ns[TARGET_CPU] > 0) ||
	    !(part_ns[TARGET_GPU] > 0))
		return;
	const uint32_t seen = atomic_load_explicit(&cell->shared, memory_order_relaxed);
	for (int side = 0; side < LEARN_SIDES; side++)
		if (decision->part_ns[side] > 0)
			learn_mix_part(cell, side,
			               part_ns[side] / (decision->part_ns[side] * share[side]),
			               seen);
	if (seen < LEARN_SEEN_MAX)
		atomic_store_explicit(&cell->shared, seen + 1, memory_order_relaxed);
	learn_store(&cell->shared_ns, learn_limit(learn_load(&cell->shared_ns) + elapsed_ns));
	/* The other side is looked at as if the call had been on one alone. */
	learn_store(&cell->spent_ns, learn_limit(learn_load(&cell->spent_ns) + elapsed_ns));
	atomic_fetch_add_explicit(&learn->totals.offloads, 1, memory_order_relaxed);
	if (decision->predicted_cpu_ns > 0)
		learn_add(&learn->totals.gain_ns, decision->predicted_cpu_ns - elapsed_ns);
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
		learn_add(&learn->savings_ns, saving_ns);
}

void learn_note_solver_saving(struct learn *learn, double saving_ns)
{
	if (saving_ns > 0)
		learn_add(&learn->solver_savings_ns, saving_ns);
}
