/* statistics.c - median, extremes and deviation of sorted values */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"

static int statistics_compare(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

static void statistics_sort(double *values, size_t count)
{
	qsort(values, count, sizeof *values, statistics_compare);
}

double *statistics_list_sorted(const double *values, size_t count)
{
	double *sorted = say_need(malloc(count * sizeof *sorted));
	memcpy(sorted, values, count * sizeof *sorted);
	statistics_sort(sorted, count);
	return sorted;
}

static double statistics_find_median(double *values, size_t count)
{
	statistics_sort(values, count);
	return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

struct statistics statistics_compute(double *values, size_t count)
{
	struct statistics result = {0};
	if (count == 0)
		return result;
	result.median = statistics_find_median(values, count);
	result.least = values[0];
	result.most = values[count - 1];
	for (size_t i = 0; i < count; i++)
		values[i] = fabs(values[i] - result.median);
	result.deviation = statistics_find_median(values, count);
	return result;
}
