/* spread.h - median, least and greatest of measured values, and how much they vary */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_SPREAD_H
#define GPUSHIM_MEASURE_SPREAD_H

#include <stddef.h>

/*
 * Sorts the values in place. count: at least 1. varies: what lies between the quartiles as a share
 * of the median, which single interruptions do not change; of up to three values between least and
 * most; below 0 of one value, which does not tell.
 */
struct spread {
	double median, least, most, varies;
};
struct spread spread_of(double *values, size_t count);

#endif
