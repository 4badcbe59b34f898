/* compare_plot.c - a strip of points that shows outliers, groups and drift */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/compare_plot.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/common/statistics.h"
#include "policy/text/human.h"

enum { PLOT_ROWS = 5, PLOT_COLUMNS = 56, PLOT_NAME = 10, PLOT_SPARSE = 3 };

/*
 * From the bottom to the top of a strip; what is beyond the top stands there with a mark of its
 * own.
 */
struct plot_scale {
	double least, most;
};

/*
 * A few late runs must not press all others into one line, and noise of a thousandth must not look
 * like a storm: the scale ends eight median deviations above the median, and is at least a fiftieth
 * of it.
 */
static struct plot_scale compare_plot_find_scale(const double *times, size_t count)
{
	double *sorted = say_need(malloc(count * sizeof *sorted));
	memcpy(sorted, times, count * sizeof *sorted);
	const struct statistics found = statistics_compute(sorted, count);
	struct plot_scale scale = {found.least,
	                           fmin(found.most, found.median + 8 * found.deviation)};
	if (scale.most - scale.least < found.median / 50) {
		scale.least = fmin(scale.least, found.median * 0.99);
		scale.most = fmax(scale.most, scale.least + found.median / 50);
	}
	free(sorted);
	return scale;
}

static void compare_plot_draw(char row[PLOT_ROWS][PLOT_COLUMNS + 1], const struct plot_scale *scale,
                              const double *times, size_t count)
{
	const size_t width =
		count * PLOT_SPARSE < PLOT_COLUMNS ? count * PLOT_SPARSE : PLOT_COLUMNS;
	for (size_t i = 0; i < count; i++) {
		const double height =
			(times[i] - scale->least) / (scale->most - scale->least) * PLOT_ROWS;
		const int above = height >= PLOT_ROWS ? PLOT_ROWS - 1 : (int)height;
		char *at = &row[PLOT_ROWS - 1 - above][i * width / count];
		if (times[i] > scale->most)
			*at = '^';
		else if (*at != '^')
			*at = *at == ' ' ? 'o' : '8';
	}
}

void compare_plot_print(const char *name, const double *times_ns, size_t count)
{
	const struct plot_scale scale = compare_plot_find_scale(times_ns, count);
	char row[PLOT_ROWS][PLOT_COLUMNS + 1], most[HUMAN_BYTES], least[HUMAN_BYTES];
	human_format_time((uint64_t)scale.most, most);
	human_format_time((uint64_t)scale.least, least);
	for (int i = 0; i < PLOT_ROWS; i++) {
		memset(row[i], ' ', PLOT_COLUMNS);
		row[i][PLOT_COLUMNS] = '\0';
	}
	compare_plot_draw(row, &scale, times_ns, count);
	const bool fits = strlen(name) <= PLOT_NAME;
	if (!fits)
		printf("%s\n", name);
	for (int i = 0; i < PLOT_ROWS; i++) {
		const char *label = i == 0 ? most : i == PLOT_ROWS - 1 ? least : "";
		for (int last = PLOT_COLUMNS - 1; last >= 0 && row[i][last] == ' '; last--)
			row[i][last] = '\0';
		printf("%-*s%11s |%s\n", PLOT_NAME, fits && i == PLOT_ROWS / 2 ? name : "", label,
		       row[i]);
	}
}
