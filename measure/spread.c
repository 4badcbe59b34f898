/* spread.c - median, least and greatest of measured values */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/spread.h"

#include <stdlib.h>

static int spread_compare(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

struct spread spread_of(double *values, size_t count)
{
	qsort(values, count, sizeof *values, spread_compare);
	const double middle = (values[(count - 1) / 2] + values[count / 2]) / 2;
	return (struct spread){middle, values[0], values[count - 1]};
}
