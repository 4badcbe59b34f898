/* verify_norm.h - norms that do not overflow; comparison of two results by elements; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_NORM_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_NORM_H

#include "policy/call/call.h"

/*
 * A Euclidean norm in the making: separate sums of squares of small, ordinary and large numbers, so
 * that none overflows or underflows. Source: Blue, A Portable Fortran Program to Find the Euclidean
 * Norm of a Vector, ACM TOMS 4 (1978). spoilt: an element was not finite; it is not added. Begin
 * with a zeroed struct.
 */
enum verify_size { VERIFY_SMALL, VERIFY_ORDINARY, VERIFY_LARGE, VERIFY_SIZES };
struct verify_norm {
	double sum[VERIFY_SIZES];
	bool spoilt;
};

/*
 * Constants of LAPACK for doubles (la_constants): squares of numbers between the limits neither
 * overflow nor lose digits.
 */
static const double verify_small_limit = 0x1p-511, verify_large_limit = 0x1p486;
static const double verify_small_scale = 0x1p537, verify_large_scale = 0x1p-538;

static inline void verify_norm_add_value(struct verify_norm *norm, double value)
{
	const double size = __builtin_fabs(value);
	if (size <= verify_large_limit && size >= verify_small_limit)
		norm->sum[VERIFY_ORDINARY] += value * value;
	else if (size < verify_small_limit)
		norm->sum[VERIFY_SMALL] +=
			value * verify_small_scale * (value * verify_small_scale);
	else if (__builtin_isfinite(value))
		norm->sum[VERIFY_LARGE] +=
			value * verify_large_scale * (value * verify_large_scale);
	else
		norm->spoilt = true;
}

long double verify_norm_find(const struct verify_norm *norm);

/* Limits of an element: unit roundoff, least normal number, largest number. */
struct verify_range {
	double roundoff, least, largest;
};
struct verify_range verify_norm_find_range(enum element element);

/* Reads real number index from base, in the precision of the element. */
static inline double verify_norm_read(enum element element, const void *base, int64_t index)
{
	const bool single = element == ELEMENT_S || element == ELEMENT_C;
	return single ? (double)((const float *)base)[index] : ((const double *)base)[index];
}

/*
 * The comparison of two results. gpu_alone, cpu_alone: an element is not finite on that side only;
 * such elements are not subtracted.
 */
struct verify_gap {
	struct verify_norm gpu, cpu, apart;
	bool gpu_alone, cpu_alone;
};

/* Adds one element of each side; real: it has no imaginary part. */
void verify_norm_add_pair(struct verify_gap *gap, enum element element, bool real, const void *gpu,
                          const void *cpu);

/* deviation is infinite where only one side is not finite. */
struct verify_verdict {
	bool fits;
	double deviation, bound;
};

/* The verdict on a deviation; both numbers are limited to the range of a double. */
struct verify_verdict verify_norm_weigh(long double deviation, long double bound);

/* The verdict where only one side is not finite, without an explanation. */
struct verify_verdict verify_norm_reject(void);

/*
 * The deviation as a part of what rounding explains: more than 1 where the results do not agree. At
 * most VERIFY_RATIO_MOST, which also stands for an infinite one.
 */
#define VERIFY_RATIO_MOST 1e9
double verify_norm_find_ratio(const struct verify_verdict *verdict);

/* Whether the first verdict is farther from its bound than the second. */
bool verify_norm_is_worse(const struct verify_verdict *verdict, const struct verify_verdict *worst);

#endif
