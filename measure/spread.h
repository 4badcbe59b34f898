/* spread.h - median, least and greatest of measured values */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_SPREAD_H
#define GPUSHIM_MEASURE_SPREAD_H

#include <stddef.h>

/* Sorts the values in place. */
struct spread {
	double median, least, most;
};
struct spread spread_of(double *values, size_t count);

#endif
