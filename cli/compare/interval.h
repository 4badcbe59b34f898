/* interval.h - estimate and confidence interval for the centre of paired differences */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_INTERVAL_H
#define GPUSHIM_CLI_COMPARE_INTERVAL_H

#include <stddef.h>

/*
 * middle: the Hodges-Lehmann estimate, which is the median of the means of all pairs of
 * differences, each paired with itself too. low, high: the interval of Wilcoxon's signed-rank test.
 * confidence: its actual confidence, at least the one asked for; lower if there are too few
 * differences, and then the interval spans all of them.
 */
struct interval {
	double middle, low, high, confidence;
};

/*
 * Valid for any noise whose differences have a symmetric distribution where the two sides are
 * equal. Runs in random order have that, however skewed or correlated the times are. All 0 for no
 * differences.
 */
struct interval interval_find(const double *differences, size_t count, double confidence);

/* The smallest number of differences that allows an interval of this confidence: 6 for 0.95. */
size_t interval_least_count(double confidence);

#endif
