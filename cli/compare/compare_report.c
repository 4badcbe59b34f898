/* compare_report.c - prints the verdict, then times, runs, outputs and decisions */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/chart.h"
#include "cli/common/say.h"
#include "cli/common/statistics.h"
#include "cli/compare/compare_parts.h"
#include "cli/compare/steadiness.h"
#include "policy/text/human.h"

enum report_quantity { REPORT_WALL, REPORT_USER, REPORT_SYSTEM };
enum {
	REPORT_NAME_MOST = 30,
	PLOT_ROWS = 5,
	PLOT_COLUMNS = 56,
	PLOT_NAME = 10,
	PLOT_TIME = 11,
	PLOT_SPARSE = 3 /* columns for each of a few runs */
};

static int compare_report_width(const struct trial_runs *trial)
{
	size_t width = strlen("shim off");
	for (size_t side = 0; side < trial->sides; side++)
		if (strlen(trial->side[side].name) > width)
			width = strlen(trial->side[side].name);
	return (int)(width < REPORT_NAME_MOST ? width : REPORT_NAME_MOST);
}

/*
 * Prints why no call went to the GPU, unless the next side has the same cause. A shim that only
 * forwards calls cannot make a program faster.
 */
static void compare_report_print_cause(const struct compare *compare, size_t side)
{
	const struct trial_runs *trial = &compare->trial;
	char *cause = compare_decisions_explain(&trial->side[side].counters), *next = NULL;
	if (side + 1 < trial->sides)
		next = compare_decisions_explain(&trial->side[side + 1].counters);
	const bool faster = compare->result[side].verdict == COMPARE_FASTER;
	if (cause != NULL && (faster || next == NULL || strcmp(cause, next) != 0))
		printf("        %s%s\n", cause,
		       faster ? "; what was faster is the machine's doing, not the shim's" : "");
	free(cause);
	free(next);
}

static void compare_report_print_best(const struct trial_runs *trial)
{
	size_t quickest = 0, rival = 0;
	const int best = compare_result_find_best(trial, &quickest, &rival);
	if (best >= 0)
		printf("        best: %s\n", trial->side[best].name);
	else
		printf("        best: none can be named; '%s' cannot be told from '%s' by these "
		       "runs\n",
		       trial->side[quickest].name, trial->side[rival].name);
}

static void compare_report_print_results(const struct compare *compare)
{
	const struct trial_runs *trial = &compare->trial;
	const int width = compare_report_width(trial);
	char words[COMPARE_WORDS_BYTES];
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++) {
		const struct compare_result *result = &compare->result[side];
		const bool takes = result->verdict == COMPARE_SLOWER ||
		                   (result->verdict == COMPARE_UNKNOWN && result->ratio >= 1);
		compare_result_describe(result, words);
		if (trial->sides > 2)
			printf("%s%-*s  %s\n", side == TRIAL_RUNS_ON ? "result: " : "        ",
			       width, trial->side[side].name, words);
		else if (result->verdict == COMPARE_EQUAL)
			printf("result: %s\n", words);
		else
			printf("result: with the shim the program %s %s\n", takes ? "takes" : "is",
			       words);
		compare_report_print_cause(compare, side);
	}
	if (trial->sides > 2)
		compare_report_print_best(trial);
}

static struct statistics compare_report_find_times(const struct trial_runs *trial, size_t side,
                                                   enum report_quantity quantity)
{
	double *values = say_need(calloc(trial->rounds, sizeof *values));
	for (size_t round = 0; round < trial->rounds; round++) {
		const struct child_outcome *outcome = &trial->outcomes[round * trial->sides + side];
		values[round] = (double)(quantity == REPORT_WALL   ? outcome->wall_ns
		                         : quantity == REPORT_USER ? outcome->user_ns
		                                                   : outcome->system_ns);
	}
	const struct statistics result = statistics_compute(values, trial->rounds);
	free(values);
	return result;
}

static void compare_report_print_times(const struct trial_runs *trial, size_t side, int width)
{
	const struct statistics wall = compare_report_find_times(trial, side, REPORT_WALL);
	const struct statistics user = compare_report_find_times(trial, side, REPORT_USER);
	const struct statistics system = compare_report_find_times(trial, side, REPORT_SYSTEM);
	const double values[] = {wall.median,    wall.least,  wall.most,
	                         wall.deviation, user.median, system.median};
	printf("%-*.*s", width, width, trial->side[side].name);
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		char text[HUMAN_BYTES];
		human_format_time((uint64_t)values[i], text);
		printf("%11s", text);
	}
	printf("\n");
}

static void compare_report_print_table(const struct compare *compare)
{
	const struct trial_runs *trial = &compare->trial;
	const int width = compare_report_width(trial);
	printf("%zu %s%s of runs in balanced random order", trial->rounds,
	       trial->sides > 2 ? "round" : "pair", trial->rounds == 1 ? "" : "s");
	if (trial->warmup_runs > 0)
		printf(", after %zu to warm up\n", trial->warmup_runs);
	else
		printf(", none to warm up\n");
	printf("%-*s%11s%11s%11s%11s%11s%11s\n", width, "", "median", "least", "most", "deviation",
	       "user", "system");
	for (size_t side = 0; side < trial->sides; side++)
		compare_report_print_times(trial, side, width);
	for (size_t side = TRIAL_RUNS_ON; trial->sides == 2 && side < trial->sides; side++)
		printf("%-*s%11.4f%11.4f%11.4f   (middle of the pairs, and its %.3g %% interval)\n",
		       width, "on / off", compare->result[side].ratio, compare->result[side].low,
		       compare->result[side].high, compare->result[side].confidence * 100);
}

/*
 * The axis of the plot. A few late runs must not compress all others into one line, and noise of a
 * thousandth must not fill the plot: the axis ends eight median absolute deviations above the
 * median, and spans at least a fiftieth of the median.
 */
static void compare_report_set_axis(struct chart *chart, const double *times, size_t count)
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

/* The runs of a side as points: time upward, the order of the rounds to the right. */
static void compare_report_plot(const char *name, const double *times, size_t count)
{
	struct chart chart = {
		.rows = PLOT_ROWS, .columns = PLOT_COLUMNS, .label_width = PLOT_NAME + PLOT_TIME};
	struct emit emit = {.json = {.file = stdout}};
	char most[HUMAN_BYTES], least[HUMAN_BYTES];
	const size_t width =
		count * PLOT_SPARSE < PLOT_COLUMNS ? count * PLOT_SPARSE : PLOT_COLUMNS;
	const bool fits = strlen(name) <= PLOT_NAME;
	compare_report_set_axis(&chart, times, count);
	chart_clear(&chart);
	for (int beyond = 0; beyond < 2; beyond++)
		for (size_t i = 0; i < count; i++)
			if ((times[i] > chart.most) == beyond)
				chart_mark(&chart, (int)(i * width / count), times[i],
				           beyond ? '^' : 'o', beyond ? '^' : '8');
	human_format_time((uint64_t)chart.most, most);
	human_format_time((uint64_t)chart.least, least);
	snprintf(chart.label[0], HUMAN_BYTES, "%s", most);
	snprintf(chart.label[PLOT_ROWS - 1], HUMAN_BYTES, "%s", least);
	snprintf(chart.label[PLOT_ROWS / 2], HUMAN_BYTES, "%-*s%*s", PLOT_NAME, fits ? name : "",
	         PLOT_TIME, "");
	if (!fits)
		printf("%s\n", name);
	chart_print(&chart, &emit);
}

static void compare_report_print_steadiness(const char *name, const double *times, size_t count)
{
	const struct steadiness found = steadiness_find(times, count);
	char first[HUMAN_BYTES], second[HUMAN_BYTES];
	human_format_time((uint64_t)found.group[0], first);
	human_format_time((uint64_t)found.group[1], second);
	if (found.drifts)
		printf("  %s drifts: the last third of its runs took %.0f %% %s than the first; "
		       "the order makes up for that, more --warmup-runs may end it\n",
		       name, fabs(found.drift - 1) * 100, found.drift > 1 ? "longer" : "less");
	if (found.is_split)
		printf("  %s falls into two groups, %zu runs of about %s and %zu of about %s: "
		       "something changes between runs (clock, processor, memory node)\n",
		       name, found.length[0], first, found.length[1], second);
	if (found.late > 0)
		printf("  %s has %zu run%s far above the others: something else ran then; the "
		       "interval holds all the same\n",
		       name, found.late, found.late == 1 ? "" : "s");
}

static void compare_report_print_runs(const struct trial_runs *trial)
{
	printf("time of each run, in the order of the %s (o one, 8 several, ^ beyond the scale)\n",
	       trial->sides > 2 ? "rounds" : "pairs");
	for (size_t side = 0; side < trial->sides; side++) {
		double *times = trial_runs_list_times(trial, side);
		compare_report_plot(trial->side[side].name, times, trial->rounds);
		free(times);
	}
	for (size_t side = 0; side < trial->sides; side++) {
		double *times = trial_runs_list_times(trial, side);
		compare_report_print_steadiness(trial->side[side].name, times, trial->rounds);
		free(times);
	}
}

static void compare_report_print_difference(const struct trial_runs *trial,
                                            const struct trial_side *side)
{
	const struct difference *found = &side->difference;
	char kept[HUMAN_BYTES];
	human_format_size(CHILD_OUTPUT_KEPT_BYTES, kept);
	printf("output%s%s: ", trial->sides > 2 ? ", " : "", trial->sides > 2 ? side->name : "");
	if (found->kind == DIFFERENCE_NONE)
		printf("equal, byte by byte\n");
	else if (found->kind == DIFFERENCE_NUMBERS)
		printf("equal within the tolerance %g: numbers differ by at most %.2g of the "
		       "largest of their line\n",
		       trial->tolerance, found->deviation);
	else if (found->line == 0)
		printf("DIFFERS, behind the first %s, which are compared as text\n", kept);
	else
		printf("DIFFERS beyond the tolerance %g, at line %zu\n", trial->tolerance,
		       found->line);
	if (found->kind == DIFFERENCE_FOUND)
		printf("  without the shim: %s\n  with the shim:    %s\n", found->before,
		       found->after);
}

static void compare_report_print_output(const struct trial_runs *trial)
{
	const struct difference *unstable = &trial->side[TRIAL_RUNS_OFF].difference;
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++)
		compare_report_print_difference(trial, &trial->side[side]);
	if (unstable->kind == DIFFERENCE_FOUND)
		printf("  (it differs from run to run even without the shim, at line %zu: '%s', "
		       "'%s')\n",
		       unstable->line, unstable->before, unstable->after);
}

static void compare_report_print_status(const struct trial_runs *trial)
{
	bool differs = false;
	for (size_t side = 0; side < trial->sides; side++) {
		if (!trial->side[side].status_differs)
			continue;
		if (side == TRIAL_RUNS_OFF)
			printf("exit status: DIFFERS from run to run even without the shim\n");
		else
			printf("exit status: DIFFERS: %d without the shim, %d with %s\n",
			       trial->side[TRIAL_RUNS_OFF].status, trial->side[side].status,
			       trial->sides > 2 ? trial->side[side].name : "it");
		differs = true;
	}
	if (!differs)
		printf("exit status: %d in all runs\n", trial->side[TRIAL_RUNS_OFF].status);
}

void compare_report_print(const struct compare *compare)
{
	const struct trial_runs *trial = &compare->trial;
	compare_report_print_results(compare);
	compare_report_print_table(compare);
	compare_report_print_runs(trial);
	compare_report_print_output(trial);
	compare_report_print_status(trial);
	compare_decisions_print(trial);
	fflush(stdout);
}
