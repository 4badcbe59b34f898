/* spread.h - the middle of measured values, and how far they lie apart */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_SPREAD_H
#define GPUSHIM_MEASURE_SPREAD_H

#include <stddef.h>

/* Median, least and greatest of count values, which are sorted in place. */
struct spread {
	double median, least, most;
};
struct spread spread_of(double *values, size_t count);

#endif
