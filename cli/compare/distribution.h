/* distribution.h - quartiles of run times, and their plot in one line of characters */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_DISTRIBUTION_H
#define GPUSHIM_CLI_COMPARE_DISTRIBUTION_H

#include <stddef.h>

struct distribution {
	double least, lower, median, upper, most;
};

/*
 * lower and upper: the quartiles, interpolated between values (R's and NumPy's usual definition).
 * All 0 for no values.
 */
struct distribution distribution_find(const double *values, size_t count);

/*
 * The values of the first and the last column of a plot. Both are the same for all sides, so that
 * their plots can be compared by eye. columns: of the plot, DISTRIBUTION_COLUMNS at most.
 */
enum { DISTRIBUTION_COLUMNS = 64 };
struct distribution_axis {
	double least, most;
	int columns;
};

/*
 * Widens the axis, from 0 to 0 before the first call, so that it shows the values, but not
 * farther than three times the distance of the quartiles beyond them: few late runs must not
 * compress all others into one column.
 */
void distribution_widen(struct distribution_axis *axis, const struct distribution *found);

/* Noise of a thousandth must not fill the plot: the axis is at least a fiftieth of its begin. */
void distribution_settle(struct distribution_axis *axis);

/* A column for a value; those beyond the axis are in the outermost columns. */
int distribution_find_column(const struct distribution_axis *axis, double value);

/* Counts the values in each column. Returns the largest count. */
size_t distribution_count(const struct distribution_axis *axis, const double *values, size_t count,
                          size_t counts[DISTRIBUTION_COLUMNS]);

#endif
