/* interval.h - the middle of paired differences, and between which bounds it lies */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_INTERVAL_H
#define GPUSHIM_CLI_COMPARE_INTERVAL_H

#include <stddef.h>

/*
 * middle: the Hodges-Lehmann estimate, the median of the means of all pairs of differences, each
 * with itself too. low, high: the interval of Wilcoxon's signed-rank test. confidence: what it has
 * in truth: at least what was asked for, or less where the differences are too few for that; then
 * it spans all of them.
 */
struct interval {
	double middle, low, high, confidence;
};

/*
 * Holds whatever the noise looks like, as long as the differences would be as likely with the other
 * sign if there were nothing to find: of runs in random order that is so however skewed, spiky or
 * correlated the times are. All 0 for no differences.
 */
struct interval interval_find(const double *differences, size_t count, double confidence);

/* The least number of differences with which an interval can have this confidence: 6 for 0.95. */
size_t interval_least_count(double confidence);

#endif
