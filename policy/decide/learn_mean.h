/* learn_mean.h - means of measured times that single accidents do not move; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LEARN_MEAN_H
#define GPUSHIM_POLICY_DECIDE_LEARN_MEAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Measured / expected time of calls of a kind: the mean; the level of calls that nothing disturbed,
 * which the mean returns to after a burst; the number of calls; how many of the last ones in a row
 * took much longer than that level; and whether any call was about as short (before, the level is
 * what was expected).
 */
struct learn_mean {
	_Atomic double ratio, low;
	_Atomic uint32_t seen;
	_Atomic uint16_t streak, found;
};

/* A measured ratio, what was expected of it, and whether the call was a trial. */
struct learn_sample {
	double ratio, expected;
	bool looks;
};

static inline double learn_mean_load(const _Atomic double *value)
{
	return atomic_load_explicit(value, memory_order_relaxed);
}

static inline void learn_mean_store(_Atomic double *value, double to)
{
	atomic_store_explicit(value, to, memory_order_relaxed);
}

/* Keeps expectations from an absurd profile finite, so that they can be compared and printed. */
static inline double learn_mean_limit(double value)
{
	if (value > __DBL_MAX__)
		return __DBL_MAX__;
	return value < -__DBL_MAX__ ? -__DBL_MAX__ : value;
}

static inline void learn_mean_add(_Atomic double *sum, double value)
{
	double before = learn_mean_load(sum);
	while (!atomic_compare_exchange_weak_explicit(sum, &before,
	                                              learn_mean_limit(before + value),
	                                              memory_order_relaxed, memory_order_relaxed))
		;
}

/* Whether the number can be a ratio of two times. */
static inline bool learn_mean_takes(double ratio)
{
	return ratio > 0 && ratio <= __DBL_MAX__;
}

/*
 * Adds a sample. A call may take much longer than others of its kind (first use, a busy machine),
 * but hardly much shorter: a ratio far above the mean is limited, and one far below it replaces it.
 */
void learn_mean_mix(struct learn_mean *mean, const struct learn_sample *sample);

#endif
