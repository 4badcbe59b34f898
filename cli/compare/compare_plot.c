/* compare_plot.c - plots the run times of each side: how many runs took how long, and quartiles */
/* SPDX-License-Identifier: Apache-2.0 */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare_parts.h"
#include "cli/compare/distribution.h"
#include "policy/text/human.h"

/* A name that is wider than PLOT_NAME_MOST has a line of its own. */
enum { PLOT_NAME = 13, PLOT_NAME_MOST = 24, PLOT_LEVELS = 8, PLOT_CELL_BYTES = 4 };

/*
 * The characters of a plot. level: of columns with no run, with a few, up to those with the most.
 * below, above: runs beyond the axis.
 */
struct plot_marks {
	const char *level[PLOT_LEVELS + 1];
	const char *least, *most, *below, *above, *whisker, *box, *median;
};

static const struct plot_marks plot_blocks = {
	{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, "├", "┤", "<", ">", "─", "▒", "█"};
static const struct plot_marks plot_ascii = {
	{" ", ".", ",", ":", ";", "o", "O", "8", "@"}, "|", "|", "<", ">", "-", "=", "#"};

/* A line of the plot: a character for each column. */
struct plot_line {
	char cell[DISTRIBUTION_COLUMNS][PLOT_CELL_BYTES];
};

/* What all sides share. names: columns for them. largest: the most runs in one column. */
struct compare_plot {
	const struct trial_runs *trial;
	const struct plot_marks *marks;
	int names;
	struct distribution_axis axis;
	size_t largest;
};

/* Whether text may have characters beyond ASCII: LC_ALL, LC_CTYPE or LANG says so. */
static bool compare_plot_is_utf8(void)
{
	const locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	if (locale == (locale_t)0)
		return false;
	const bool utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
	freelocale(locale);
	return utf8;
}

static void compare_plot_fill(struct plot_line *line, int from, int to, const char *mark)
{
	for (int column = from; column <= to; column++)
		snprintf(line->cell[column], PLOT_CELL_BYTES, "%s", mark);
}

/* Without the blanks at its end. */
static void compare_plot_print_line(const struct compare_plot *plot, const char *label,
                                    const struct plot_line *line)
{
	int length = plot->axis.columns;
	while (length > 0 && strcmp(line->cell[length - 1], " ") == 0)
		length--;
	printf("%-*s |", plot->names, label);
	for (int column = 0; column < length; column++)
		fputs(line->cell[column], stdout);
	putchar('\n');
}

/* Columns with runs have one level at least. */
static void compare_plot_print_counts(const struct compare_plot *plot,
                                      const size_t counts[DISTRIBUTION_COLUMNS])
{
	struct plot_line line;
	for (int column = 0; column < plot->axis.columns; column++) {
		const size_t level =
			(counts[column] * PLOT_LEVELS + plot->largest - 1) / plot->largest;
		compare_plot_fill(&line, column, column, plot->marks->level[level]);
	}
	compare_plot_print_line(plot, "", &line);
}

static void compare_plot_print_box(const struct compare_plot *plot, const char *label,
                                   const struct distribution *found)
{
	const struct plot_marks *marks = plot->marks;
	const struct distribution_axis *axis = &plot->axis;
	const int least = distribution_find_column(axis, found->least),
		  most = distribution_find_column(axis, found->most),
		  median = distribution_find_column(axis, found->median);
	struct plot_line line;
	compare_plot_fill(&line, 0, axis->columns - 1, " ");
	compare_plot_fill(&line, least, most, marks->whisker);
	compare_plot_fill(&line, least, least,
	                  found->least < axis->least ? marks->below : marks->least);
	compare_plot_fill(&line, most, most, found->most > axis->most ? marks->above : marks->most);
	compare_plot_fill(&line, distribution_find_column(axis, found->lower),
	                  distribution_find_column(axis, found->upper), marks->box);
	compare_plot_fill(&line, median, median, marks->median);
	compare_plot_print_line(plot, label, &line);
}

static void compare_plot_print_side(const struct compare_plot *plot, size_t side)
{
	const char *name = plot->trial->side[side].name;
	const bool fits = strlen(name) <= (size_t)plot->names;
	double *times = trial_runs_list_times(plot->trial, side);
	const struct distribution found = distribution_find(times, plot->trial->rounds);
	size_t counts[DISTRIBUTION_COLUMNS];
	distribution_count(&plot->axis, times, plot->trial->rounds, counts);
	if (!fits)
		printf("%s\n", name);
	compare_plot_print_counts(plot, counts);
	compare_plot_print_box(plot, fits ? name : "", &found);
	free(times);
}

static void compare_plot_find_axis(struct compare_plot *plot)
{
	const struct trial_runs *trial = plot->trial;
	const size_t sides = trial->sides;
	double *times[RUN_ORDER_SIDES];
	for (size_t side = 0; side < sides; side++) {
		times[side] = trial_runs_list_times(trial, side);
		const struct distribution found = distribution_find(times[side], trial->rounds);
		distribution_widen(&plot->axis, &found);
	}
	distribution_settle(&plot->axis);
	for (size_t side = 0; side < sides; side++) {
		size_t counts[DISTRIBUTION_COLUMNS];
		const size_t largest =
			distribution_count(&plot->axis, times[side], trial->rounds, counts);
		plot->largest = largest > plot->largest ? largest : plot->largest;
		free(times[side]);
	}
}

/* Longer names take columns from the plot: a line has as many with them as without. */
static void compare_plot_lay_out(struct compare_plot *plot)
{
	plot->names = PLOT_NAME;
	for (size_t side = 0; side < plot->trial->sides; side++) {
		const int length = (int)strlen(plot->trial->side[side].name);
		if (length > plot->names && length <= PLOT_NAME_MOST)
			plot->names = length;
	}
	plot->axis.columns = DISTRIBUTION_COLUMNS - (plot->names - PLOT_NAME);
}

void compare_plot_print(const struct trial_runs *trial)
{
	struct compare_plot plot = {.trial = trial,
	                            .marks = compare_plot_is_utf8() ? &plot_blocks : &plot_ascii};
	const struct plot_marks *marks = plot.marks;
	char least[HUMAN_BYTES], most[HUMAN_BYTES];
	compare_plot_lay_out(&plot);
	compare_plot_find_axis(&plot);
	printf("distribution of the times: %s %s least and most, %s quartiles, %s median\n",
	       marks->least, marks->most, marks->box, marks->median);
	for (size_t side = 0; side < trial->sides; side++)
		compare_plot_print_side(&plot, side);
	human_format_time((uint64_t)plot.axis.least, least);
	human_format_time((uint64_t)plot.axis.most, most);
	printf("%*s  %s%*s\n", plot.names, "", least, plot.axis.columns - (int)strlen(least), most);
}
