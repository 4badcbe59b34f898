/* statistics.h - median and spread of a few measurements */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_STATISTICS_H
#define GPUSHIM_CLI_COMMON_STATISTICS_H

#include <stddef.h>

/* deviation: the median absolute deviation from the median. All 0 for no values. */
struct statistics {
	double median, least, most, deviation;
};

/* Sorts values. */
struct statistics statistics_compute(double *values, size_t count);

/* The values, of which there are some, in ascending order; to be freed. */
double *statistics_list_sorted(const double *values, size_t count);

#endif
