/* spread.c - median, least and greatest of measured values, and how much they vary */
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
	const size_t skipped = count < 4 ? 0 : (count - 1) / 4;
	const double width = values[count - 1 - skipped] - values[skipped];
	return (struct spread){.median = middle,
	                       .least = values[0],
	                       .most = values[count - 1],
	                       .varies = count == 1 || !(middle > 0) ? -1 : width / middle};
}
