/* compare_plot.c - a strip of points that shows outliers, groups and drift */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/compare_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/chart.h"
#include "cli/common/statistics.h"

/* PLOT_SPARSE: columns for each run where there are few runs. */
enum { PLOT_ROWS = 5, PLOT_COLUMNS = 56, PLOT_NAME = 10, PLOT_LABEL = 21, PLOT_SPARSE = 3 };

/*
 * The scale ends eight median deviations above the median, so that a few late runs do not press all
 * others into one line. It covers at least a fiftieth of the median, so that noise of a thousandth
 * does not fill the plot.
 */
static void compare_plot_set_scale(struct chart *chart, const double *times, size_t count)
{
	double *sorted = statistics_list_sorted(times, count);
	const struct statistics found = statistics_compute(sorted, count);
	chart->least = found.least;
	chart->most = fmin(found.most, found.median + 8 * found.deviation);
	if (chart->most - chart->least < found.median / 50) {
		chart->least = fmin(chart->least, found.median * 0.99);
		chart->most = fmax(chart->most, chart->least + found.median / 50);
	}
	free(sorted);
}

/* Runs beyond the scale come last: their mark replaces the others'. */
static void compare_plot_draw(struct chart *chart, const double *times, size_t count)
{
	const size_t width =
		count * PLOT_SPARSE < PLOT_COLUMNS ? count * PLOT_SPARSE : PLOT_COLUMNS;
	for (int beyond = 0; beyond < 2; beyond++)
		for (size_t i = 0; i < count; i++)
			if ((times[i] > chart->most) == beyond)
				chart_mark(chart, (int)(i * width / count), times[i],
				           beyond ? '^' : 'o', beyond ? '^' : '8');
}

void compare_plot_print(const char *name, const double *times_ns, size_t count)
{
	struct chart chart = {
		.rows = PLOT_ROWS, .columns = PLOT_COLUMNS, .label_width = PLOT_LABEL};
	struct emit emit;
	emit_begin(&emit, stdout, false);
	compare_plot_set_scale(&chart, times_ns, count);
	units_time(chart.most, chart.label[0]);
	units_time(chart.least, chart.label[PLOT_ROWS - 1]);
	if (strlen(name) <= PLOT_NAME)
		snprintf(chart.label[PLOT_ROWS / 2], HUMAN_BYTES, "%-*s", PLOT_LABEL, name);
	else
		emit_print(&emit, "%s\n", name);
	chart_clear(&chart);
	compare_plot_draw(&chart, times_ns, count);
	chart_print(&chart, &emit);
}
