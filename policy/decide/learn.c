/* learn.c - corrections per routine and size: hashed cells, weighted means, no lock */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/learn.h"

#include <stddef.h>
#include <string.h>

/*
 * Each call has at least this weight in a mean, so that old ones are forgotten. A ratio that
 * changes by more than learn_most_change may be an accident and is limited to it.
 */
static const double learn_weight = 0.25, learn_most_change = 8, learn_shorter = 0.5;
enum { LEARN_TRUSTED = 4, LEARN_SEEN_MAX = 1 << 20 };

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

/* Work of neighbouring buckets differs by this power of two. */
enum { LEARN_BUCKET_BITS = 2, LEARN_BUCKETS = 512, LEARN_PROBES = 16 };

/* Shapes: one of the first three, plus LEARN_THIN where the result is thin. */
enum { LEARN_EVEN, LEARN_DEEP, LEARN_FLAT, LEARN_THIN, LEARN_SHAPES = 2 * LEARN_THIN };

/* Aspect-ratio limits that classify a product as deep, flat or thin: m n / k^2, and m / n. */
static const double learn_deep = 0.25, learn_flat = 16, learn_thin = 8;

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

/* The bucket is the exponent of the work, divided. */
unsigned learn_find_bucket(const struct call *call)
{
	uint64_t bits;
	const double work = call->work_flops >= 1 ? call->work_flops : 1;
	memcpy(&bits, &work, sizeof bits);
	return (unsigned)(((bits >> 52 & 0x7ff) - 1023) / LEARN_BUCKET_BITS) % LEARN_BUCKETS;
}

/*
 * The shape: calls with equal work but a long or short inner dimension, a thin result, or many
 * small transforms use other parts of a device.
 */
static unsigned learn_find_shape(const struct call *call)
{
	const double m = (double)call->blas.m, n = (double)call->blas.n, k = (double)call->blas.k;
	if (family_is_fft(call->family))
		return call->fft.problem != NULL && call->fft.problem->howmany > 1;
	unsigned shape = LEARN_EVEN;
	if (m * n < learn_deep * k * k)
		shape = LEARN_DEEP;
	else if (m * n > learn_flat * k * k)
		shape = LEARN_FLAT;
	return shape + (m > learn_thin * n || n > learn_thin * m ? LEARN_THIN : 0);
}

/*
 * The key of the cell of a call; never 0. Keys of neighbouring buckets, and of the shapes of a
 * bucket, are at constant distances.
 */
static uint32_t learn_name_cell(const struct call *call)
{
	const uint32_t routine = (uint32_t)call->family * ELEMENT_COUNT + (uint32_t)call->element;
	return 1 + (routine * LEARN_SHAPES + learn_find_shape(call)) * LEARN_BUCKETS +
	       learn_find_bucket(call);
}

static size_t learn_start(uint32_t key, unsigned probe)
{
	return (key * UINT32_C(0x9e3779b1) >> 16 ^ probe) % LEARN_CELLS;
}

static const struct learn_cell *learn_find_cell(const struct learn *learn, uint32_t key)
{
	for (unsigned probe = 0; probe < LEARN_PROBES; probe++) {
		const struct learn_cell *cell = &learn->cell[learn_start(key, probe)];
		const uint32_t found = atomic_load_explicit(&cell->key, memory_order_relaxed);
		if (found == key)
			return cell;
		if (found == 0)
			break;
	}
	return NULL;
}

/* The same, created if it is missing; NULL if there is no room. */
static struct learn_cell *learn_take_cell(struct learn *learn, uint32_t key)
{
	for (unsigned probe = 0; probe < LEARN_PROBES; probe++) {
		struct learn_cell *cell = &learn->cell[learn_start(key, probe)];
		uint32_t found = 0;
		if (atomic_compare_exchange_strong_explicit(
			    &cell->key, &found, key, memory_order_relaxed, memory_order_relaxed) ||
		    found == key)
			return cell;
	}
	return NULL;
}

/*
 * Reads the ratio of a mean, as if `beside` more calls had taken the expected time. false if the
 * mean is empty.
 */
static bool learn_use(const struct learn_mean *mean, double beside, double *ratio)
{
	const double seen = atomic_load_explicit(&mean->seen, memory_order_relaxed);
	if (seen == 0)
		return false;
	const double share = seen / (seen + beside);
	*ratio = learn_load(&mean->ratio) * share + (1 - share);
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
	const uint32_t key = learn_name_cell(call);
	return (struct learn_spot){learn, call->family, call->element, key,
	                           learn_find_cell(learn, key)};
}

static bool learn_use_cell(const struct learn *learn, uint32_t key, int side, double *ratio)
{
	const struct learn_cell *cell = learn_find_cell(learn, key);
	return cell != NULL && learn_use(&cell->mean[side], learn_far, ratio);
}

/*
 * Finds the nearest bucket of the routine that was measured on this side: its distance, or
 * LEARN_NEAR.
 */
static unsigned learn_find_near(const struct learn_spot *spot, int side, double *ratio)
{
	const unsigned bucket = (spot->key - 1) % LEARN_BUCKETS;
	if (spot->cell != NULL && learn_use(&spot->cell->mean[side], 0, ratio))
		return 0;
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

static double learn_find_own_doubt(const struct learn_mean *mean)
{
	const uint32_t seen = atomic_load_explicit(&mean->seen, memory_order_relaxed);
	return learn_doubt_seen[seen < LEARN_SEEN_ENOUGH ? seen : LEARN_SEEN_ENOUGH];
}

static double learn_find_ratio(const struct learn_spot *spot, int side, double *doubt)
{
	const struct learn *learn = spot->learn;
	double ratio = 1;
	const double own = *doubt;
	const unsigned distance = learn_find_near(spot, side, &ratio);
	if (distance < LEARN_NEAR)
		*doubt = distance > 0 ? learn_doubt_near[distance]
		                      : learn_find_own_doubt(&spot->cell->mean[side]);
	else if (learn_use_shapes(spot, side, &ratio))
		*doubt = learn_doubt_shape;
	else if (learn_use(&learn->routine[spot->family][spot->element][side], learn_far, &ratio))
		*doubt = learn_doubt_routine;
	else if (learn_use(&learn->all[side], learn_far, &ratio))
		*doubt = learn_doubt_all;
	if (distance > 0 && *doubt > own)
		*doubt = own;
	return ratio;
}

void learn_correct(const struct learn *learn, const struct call *call, const struct cost *cost,
                   double doubt, struct learn_guess *guess)
{
	const double model_ns[LEARN_SIDES] = {cost->cpu.whole_ns, cost->gpu.whole_ns};
	*guess = (struct learn_guess){.time_ns = {model_ns[TARGET_CPU], model_ns[TARGET_GPU]},
	                              .doubt = {doubt, doubt},
	                              .last = TARGET_CPU};
	if (learn == NULL)
		return;
	const struct learn_spot spot = learn_find_spot(learn, call);
	for (int side = 0; side < LEARN_SIDES; side++)
		if (model_ns[side] > 0)
			guess->time_ns[side] =
				learn_limit(model_ns[side] *
			                    learn_find_ratio(&spot, side, &guess->doubt[side]));
	if (spot.cell == NULL)
		return;
	guess->spent_ns = learn_load(&spot.cell->spent_ns);
	if (atomic_load_explicit(&spot.cell->last, memory_order_relaxed) == TARGET_GPU + 1)
		guess->last = TARGET_GPU;
}

/*
 * expected: the ratio before the first call. A call may take much longer than others of its kind
 * (first use, a busy machine), but hardly much shorter: ratios far above the expected one are
 * limited, and a short one outvotes the first calls.
 */
static void learn_mix(struct learn_mean *mean, double ratio, double expected)
{
	const uint32_t seen = atomic_load_explicit(&mean->seen, memory_order_relaxed);
	const double before = seen > 0 ? learn_load(&mean->ratio) : expected;
	double weight = 1 / (double)(seen + 1);
	if (ratio > before * learn_most_change)
		ratio = before * learn_most_change;
	if (seen >= LEARN_TRUSTED && ratio < before / learn_most_change)
		ratio = before / learn_most_change;
	if (weight < learn_weight)
		weight = learn_weight;
	if (seen < LEARN_TRUSTED && ratio < before * learn_shorter)
		weight = 1;
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
	if (decision->reason == REASON_DRY_FASTER) {
		learn_add(&totals->dry_cpu_ns, elapsed_ns);
		learn_add(&totals->dry_gpu_ns, other_ns);
		return;
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
	const double ratio = elapsed_ns / model_ns,
		     expected = predicted_ns > 0 ? predicted_ns / model_ns : 1;
	if (!(ratio > 0) || ratio > __DBL_MAX__ || !(expected > 0) || expected > __DBL_MAX__)
		return;
	struct learn_cell *cell = learn_take_cell(learn, learn_name_cell(call));
	if (cell != NULL) {
		learn_mix(&cell->mean[side], ratio, expected);
		learn_visit(cell, decision, elapsed_ns);
	}
	if (model_ns >= learn_tiny_ns || ratio < learn_overhead) {
		learn_mix(&learn->routine[call->family][call->element][side], ratio, expected);
		learn_mix(&learn->all[side], ratio, expected);
	}
	learn_add_totals(&learn->totals, decision, elapsed_ns);
}

void learn_note_saving(struct learn *learn, double saving_ns)
{
	if (saving_ns > 0)
		learn_add(&learn->savings_ns, saving_ns);
}
