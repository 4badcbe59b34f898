/* cli_statistics.c - sorts and picks the middle */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_say.h"

static int cli_statistics_compare(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

static void cli_statistics_sort(double *values, size_t count)
{
	qsort(values, count, sizeof *values, cli_statistics_compare);
}

double *cli_statistics_list_sorted(const double *values, size_t count)
{
	double *sorted = cli_say_need(malloc(count * sizeof *sorted));
	memcpy(sorted, values, count * sizeof *sorted);
	cli_statistics_sort(sorted, count);
	return sorted;
}

static double cli_statistics_find_median(double *values, size_t count)
{
	cli_statistics_sort(values, count);
	return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

struct cli_statistics cli_statistics_compute(double *values, size_t count)
{
	struct cli_statistics result = {0};
	if (count == 0)
		return result;
	result.median = cli_statistics_find_median(values, count);
	result.least = values[0];
	result.most = values[count - 1];
	for (size_t i = 0; i < count; i++)
		values[i] = fabs(values[i] - result.median);
	result.deviation = cli_statistics_find_median(values, count);
	return result;
}
