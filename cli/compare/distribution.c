/* distribution.c - quartiles, the axis for several sides, columns */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/distribution.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/statistics.h"

/* How far beyond the quartiles the axis goes, in distances of the quartiles. */
static const double distribution_reach = 3;
static const double distribution_span = 0.02;

static double distribution_interpolate(const double *sorted, size_t count, double share)
{
	const double place = share * (double)(count - 1);
	const size_t below = (size_t)place;
	const size_t above = below + 1 < count ? below + 1 : below;
	return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

struct distribution distribution_find(const double *values, size_t count)
{
	struct distribution found = {0};
	if (count == 0)
		return found;
	double *sorted = statistics_list_sorted(values, count);
	found.least = sorted[0];
	found.lower = distribution_interpolate(sorted, count, 0.25);
	found.median = distribution_interpolate(sorted, count, 0.5);
	found.upper = distribution_interpolate(sorted, count, 0.75);
	found.most = sorted[count - 1];
	free(sorted);
	return found;
}

void distribution_widen(struct distribution_axis *axis, const struct distribution *found)
{
	const double reach = distribution_reach * (found->upper - found->lower);
	const double least = fmax(found->least, found->lower - reach);
	const double most = fmin(found->most, found->upper + reach);
	const bool first = axis->most <= 0;
	axis->least = first ? least : fmin(axis->least, least);
	axis->most = first ? most : fmax(axis->most, most);
}

void distribution_settle(struct distribution_axis *axis)
{
	const double missing = axis->least * distribution_span - (axis->most - axis->least);
	if (missing > 0) {
		axis->least -= missing / 2;
		axis->most += missing / 2;
	}
}

int distribution_find_column(const struct distribution_axis *axis, double value)
{
	const double part = (value - axis->least) / fmax(axis->most - axis->least, 1);
	return (int)(fmin(fmax(part, 0), 1) * (axis->columns - 1) + 0.5);
}

size_t distribution_count(const struct distribution_axis *axis, const double *values, size_t count,
                          size_t counts[DISTRIBUTION_COLUMNS])
{
	size_t largest = 0;
	memset(counts, 0, DISTRIBUTION_COLUMNS * sizeof *counts);
	for (size_t i = 0; i < count; i++) {
		size_t *at = &counts[distribution_find_column(axis, values[i])];
		if (++*at > largest)
			largest = *at;
	}
	return largest;
}
