/* learn_mean.c - weights of calls in a mean, and the level of those that nothing disturbed */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/learn_mean.h"

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

/* Before the first call the level is what was expected: a first call may have been held up. */
static double learn_mean_find_level(const struct learn_mean *mean,
                                    const struct learn_sample *sample)
{
	return atomic_load_explicit(&mean->seen, memory_order_relaxed) > 0
	               ? learn_mean_load(&mean->low)
	               : sample->expected;
}

static void learn_mean_mix_low(struct learn_mean *mean, const struct learn_sample *sample)
{
	const double before = learn_mean_find_level(mean, sample);
	const bool found = atomic_load_explicit(&mean->found, memory_order_relaxed) != 0,
		   far = !found || sample->ratio > learn_far_level * before;
	const double rise = !sample->looks ? learn_rise : far ? learn_rise_far : learn_rise_look;
	learn_mean_store(&mean->low, sample->ratio < rise * before ? sample->ratio : rise * before);
	if (!found && sample->ratio < learn_near_level * before)
		atomic_store_explicit(&mean->found, 1, memory_order_relaxed);
}

/* Counts calls in a row that took much longer, this one included. */
static uint16_t learn_mean_count_streak(struct learn_mean *mean, const struct learn_sample *sample)
{
	uint16_t streak = 0;
	if (sample->ratio > learn_most_change * learn_mean_find_level(mean, sample)) {
		streak = atomic_load_explicit(&mean->streak, memory_order_relaxed);
		streak = streak < LEARN_STREAK ? streak + 1 : streak;
	}
	atomic_store_explicit(&mean->streak, streak, memory_order_relaxed);
	return streak;
}

void learn_mean_mix(struct learn_mean *mean, const struct learn_sample *sample)
{
	const uint32_t seen = atomic_load_explicit(&mean->seen, memory_order_relaxed);
	const double before = seen > 0 ? learn_mean_load(&mean->ratio) : sample->expected;
	double weight = 1 / (double)(seen + 1), ratio = sample->ratio;
	const bool lasts = learn_mean_count_streak(mean, sample) >= LEARN_STREAK;
	if (!lasts && ratio > before * learn_most_change)
		ratio = before * learn_most_change;
	if (seen >= LEARN_TRUSTED && ratio < before / learn_most_change)
		ratio = before / learn_most_change;
	if (weight < (lasts ? learn_weight_lasting : learn_weight))
		weight = lasts ? learn_weight_lasting : learn_weight;
	if (ratio < before * learn_shorter)
		weight = 1;
	learn_mean_mix_low(mean, sample);
	learn_mean_store(&mean->ratio, weight < 1 ? before + weight * (ratio - before) : ratio);
	if (seen < LEARN_SEEN_MAX)
		atomic_store_explicit(&mean->seen, seen + 1, memory_order_relaxed);
}
