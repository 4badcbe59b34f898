/* statistics.h - median and spread of a few measurements */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_STATISTICS_H
#define GPUSHIM_CLI_COMMON_STATISTICS_H

#include <stddef.h>

/* deviation: the median absolute deviation from the median. All 0 for no values. */
struct statistics {
	double median, least, most, deviation;
};

/* Sorts values, and then overwrites them. */
struct statistics statistics_compute(double *values, size_t count);

/* A sorted copy of the values, in ascending order; to be freed. count is not 0. */
double *statistics_list_sorted(const double *values, size_t count);

#endif
