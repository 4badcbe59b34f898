/* tune_plot.c - time in calls against the threshold, for any terminal: 80 columns */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/tune/tune.h"
#include "policy/text/human.h"

enum { PLOT_COLUMNS = 60, PLOT_ROWS = 11, PLOT_LEFT = 12 };

/* A threshold and its time per column; the last one sends nothing. Rows are equal parts of a time, or (steep) factors.
 */
struct tune_plot {
	uint64_t least_bytes, most_bytes;
	double time_ns[PLOT_COLUMNS], least_ns, most_ns;
	bool steep;
};

/* From so many times the least on. */
static const double plot_steep = 4;

static uint64_t tune_plot_find_bytes(const struct tune_plot *plot, int column)
{
	const double part = (double)column / (PLOT_COLUMNS - 1);
	if (column == PLOT_COLUMNS - 1)
		return plot->most_bytes + 1;
	return (uint64_t)exp2(log2((double)plot->least_bytes) * (1 - part) +
	                      log2((double)plot->most_bytes + 1) * part);
}

static void tune_plot_fill(struct tune_plot *plot, const struct tune_result *result)
{
	const struct tune_weights *weights = &result->weights;
	plot->most_bytes = weights->items[0].size_bytes;
	plot->least_bytes = weights->items[weights->item_count - 1].size_bytes;
	for (int i = 0; i < PLOT_COLUMNS; i++) {
		const double time_ns = result->rest_ns +
		                       tune_threshold_time(weights, tune_plot_find_bytes(plot, i));
		plot->time_ns[i] = time_ns;
		plot->least_ns = i == 0 || time_ns < plot->least_ns ? time_ns : plot->least_ns;
		plot->most_ns = i == 0 || time_ns > plot->most_ns ? time_ns : plot->most_ns;
	}
}

static int tune_plot_find_row(const struct tune_plot *plot, double time_ns)
{
	const double part =
		plot->steep ? log(time_ns / plot->least_ns) / log(plot->most_ns / plot->least_ns)
			    : (time_ns - plot->least_ns) / (plot->most_ns - plot->least_ns);
	return (int)((1 - part) * (PLOT_ROWS - 1) + 0.5);
}

static double tune_plot_find_time(const struct tune_plot *plot, int row)
{
	const double part = 1 - (double)row / (PLOT_ROWS - 1);
	return plot->steep ? plot->least_ns * pow(plot->most_ns / plot->least_ns, part)
	                   : plot->least_ns + (plot->most_ns - plot->least_ns) * part;
}

static void tune_plot_print_row(const struct tune_plot *plot, int row)
{
	char line[PLOT_COLUMNS + 1], label[HUMAN_BYTES] = "";
	memset(line, ' ', sizeof line);
	for (int i = 0; i < PLOT_COLUMNS; i++)
		if (tune_plot_find_row(plot, plot->time_ns[i]) == row)
			line[i] = '*';
	int length = PLOT_COLUMNS;
	while (length > 0 && line[length - 1] == ' ')
		length--;
	line[length] = '\0';
	if (row % ((PLOT_ROWS - 1) / 2) == 0)
		human_format_time((uint64_t)(tune_plot_find_time(plot, row) + 0.5), label);
	printf("%*s |%s\n", PLOT_LEFT, label, line);
}

static void tune_plot_print_axis(const struct tune_plot *plot)
{
	char least[HUMAN_BYTES], most[HUMAN_BYTES];
	human_format_size(plot->least_bytes, least);
	human_format_size(plot->most_bytes, most);
	printf("%*s +", PLOT_LEFT, "");
	for (int i = 0; i < PLOT_COLUMNS; i++)
		putchar('-');
	printf("\n%*s  %-*s%s\n", PLOT_LEFT, "", PLOT_COLUMNS - (int)strlen(most), least, most);
}

void tune_plot(const struct tune_result *result)
{
	struct tune_plot plot = {.least_bytes = 0};
	if (result->weights.item_count == 0 || result->weights.items[0].size_bytes == 0)
		return;
	tune_plot_fill(&plot, result);
	if (!(plot.most_ns > plot.least_ns * 1.001) || plot.least_bytes == 0 || plot.most_ns > 9e18)
		return; /* the threshold makes no difference, or nothing that can be drawn */
	plot.steep = plot.least_ns > 0 && plot.most_ns > plot_steep * plot.least_ns;
	printf("\ntime in calls against workload_threshold, policy threshold\n");
	for (int row = 0; row < PLOT_ROWS; row++)
		tune_plot_print_row(&plot, row);
	tune_plot_print_axis(&plot);
}
