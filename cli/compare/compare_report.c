/* compare_report.c - prints the verdict, then times, runs, outputs and decisions */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/common/wrap.h"
#include "cli/compare/compare_parts.h"
#include "cli/compare/distribution.h"
#include "cli/compare/steadiness.h"
#include "policy/text/human.h"

enum report_quantity { REPORT_WALL, REPORT_USER, REPORT_SYSTEM };
enum { REPORT_NAME_MOST = 16, REPORT_ROUNDS_BYTES = 64 };

/* A median below this is called short. */
static const double report_short_ns = 5e6;

void compare_report_colour(enum emit_colour colour)
{
	struct emit emit;
	emit_begin(&emit, stdout, false);
	emit.width = 0; /* printed at once, between the words of printf */
	emit_colour(&emit, colour);
}

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
		wrap_print(stdout, 8, "        %s%s", cause,
		           faster ? "; what was faster is the machine's doing, not the shim's"
		                  : "");
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
		wrap_print(
			stdout, 8,
			"        best: none can be named; '%s' cannot be told from '%s' by these "
			"runs",
			trial->side[quickest].name, trial->side[rival].name);
}

static void compare_report_print_results(const struct compare *compare)
{
	const struct trial_runs *trial = &compare->trial;
	const bool only = trial->sides == 2;
	static const enum emit_colour colour[] = {[COMPARE_UNKNOWN] = EMIT_PLAIN,
	                                          [COMPARE_EQUAL] = EMIT_PLAIN,
	                                          [COMPARE_FASTER] = EMIT_GREEN,
	                                          [COMPARE_SLOWER] = EMIT_YELLOW};
	char words[COMPARE_WORDS_BYTES];
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++) {
		compare_result_describe(&compare->result[side], words);
		printf("%s", side == TRIAL_RUNS_ON ? "result: " : "        ");
		if (!only)
			printf("%s\n          ", trial->side[side].name);
		compare_report_colour(colour[compare->result[side].verdict]);
		printf("%s", words);
		compare_report_colour(EMIT_PLAIN);
		printf("\n");
		compare_report_print_cause(compare, side);
	}
	if (!only)
		compare_report_print_best(trial);
}

static struct distribution compare_report_find_times(const struct trial_runs *trial, size_t side,
                                                     enum report_quantity quantity)
{
	double *values = say_need(calloc(trial->rounds, sizeof *values));
	for (size_t round = 0; round < trial->rounds; round++) {
		const struct child_outcome *outcome = &trial->outcomes[round * trial->sides + side];
		values[round] = (double)(quantity == REPORT_WALL   ? outcome->wall_ns
		                         : quantity == REPORT_USER ? outcome->user_ns
		                                                   : outcome->system_ns);
	}
	const struct distribution result = distribution_find(values, trial->rounds);
	free(values);
	return result;
}

/* A name that is wider than its column has a line of its own. */
static void compare_report_print_times(const struct trial_runs *trial, size_t side, int width)
{
	const struct distribution wall = compare_report_find_times(trial, side, REPORT_WALL);
	const struct distribution user = compare_report_find_times(trial, side, REPORT_USER);
	const struct distribution system = compare_report_find_times(trial, side, REPORT_SYSTEM);
	const double values[] = {wall.least, wall.lower,  wall.median,  wall.upper,
	                         wall.most,  user.median, system.median};
	const char *name = trial->side[side].name;
	const bool fits = (int)strlen(name) <= width;
	if (!fits)
		printf("%s\n", name);
	printf("%-*s", width, fits ? name : "");
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		char text[HUMAN_BYTES];
		human_format_time((uint64_t)values[i], text);
		printf("%9s", text);
	}
	printf("\n");
}

static void compare_report_print_table(const struct compare *compare)
{
	const struct trial_runs *trial = &compare->trial;
	const struct compare_result *result = &compare->result[TRIAL_RUNS_ON];
	const int width = compare_report_width(trial);
	printf("%zu %s%s of runs in balanced random order", trial->rounds,
	       trial->sides > 2 ? "round" : "pair", trial->rounds == 1 ? "" : "s");
	if (trial->warmup_runs > 0)
		printf(", after %zu to warm up\n", trial->warmup_runs);
	else
		printf(", none to warm up\n");
	printf("%-*s%9s%9s%9s%9s%9s%9s%9s\n", width, "", "least", "25 %", "median", "75 %", "most",
	       "user", "system");
	for (size_t side = 0; side < trial->sides; side++)
		compare_report_print_times(trial, side, width);
	if (trial->sides == 2)
		printf("%-*s%9.4f  (middle of the pairs; %.3g %% interval %.4f to %.4f)\n", width,
		       "on / off", result->ratio, result->confidence * 100, result->low,
		       result->high);
}

static void compare_report_print_steadiness(const char *name, const double *times, size_t count)
{
	const struct steadiness found = steadiness_find(times, count);
	char first[HUMAN_BYTES], second[HUMAN_BYTES];
	human_format_time((uint64_t)found.group[0], first);
	human_format_time((uint64_t)found.group[1], second);
	if (found.drifts)
		wrap_print(
			stdout, 2,
			"  %s drifts: the last third of its runs took %.0f %% %s than the first; "
			"the order makes up for that, more --warmup-runs may end it",
			name, fabs(found.drift - 1) * 100, found.drift > 1 ? "longer" : "less");
	if (found.is_split)
		wrap_print(stdout, 2,
		           "  %s falls into two groups, %zu runs of about %s and %zu of about %s: "
		           "something changes between runs (clock, processor, memory node)",
		           name, found.length[0], first, found.length[1], second);
	if (found.late > 0)
		wrap_print(stdout, 2,
		           "  %s has %zu run%s far above the others: something else ran then; the "
		           "interval holds all the same",
		           name, found.late, found.late == 1 ? "" : "s");
}

/* A program that ends at once: its start and, with the shim, the library's are all there is. */
static void compare_report_print_short(const struct trial_runs *trial)
{
	const double median_ns =
		compare_report_find_times(trial, TRIAL_RUNS_OFF, REPORT_WALL).median;
	char time[HUMAN_BYTES];
	human_format_time((uint64_t)median_ns, time);
	if (median_ns < report_short_ns)
		wrap_print(
			stdout, 2,
			"  a run of %s is hardly more than the start of the program, and with the "
			"shim the loading of its library",
			time);
}

static void compare_report_print_lingering(const struct trial_runs *trial)
{
	size_t runs = 0, lingering = 0;
	for (size_t side = 0; side < trial->sides; side++) {
		runs += status_list_count(&trial->side[side].statuses);
		lingering += trial->side[side].lingering;
	}
	if (lingering > 0)
		wrap_print(stdout, 2,
		           "  after %zu of %zu runs a process that the program had started still "
		           "ran: its time does not count, its later output is not compared, and it "
		           "may slow down the runs that follow",
		           lingering, runs);
}

static void compare_report_print_runs(const struct trial_runs *trial)
{
	compare_plot_print(trial);
	for (size_t side = 0; side < trial->sides; side++) {
		double *times = trial_runs_list_times(trial, side);
		compare_report_print_steadiness(trial->side[side].name, times, trial->rounds);
		free(times);
	}
	compare_report_print_short(trial);
	compare_report_print_lingering(trial);
}

/* Not all rounds were run. */
static void compare_report_print_end(const struct trial_runs *trial)
{
	char rounds[REPORT_ROUNDS_BYTES];
	if (trial->stopped == NULL)
		return;
	snprintf(rounds, sizeof rounds, "%zu of %zu", trial->rounds, trial->runs);
	compare_report_colour(EMIT_YELLOW);
	printf("INCOMPLETE");
	compare_report_colour(EMIT_PLAIN);
	printf(": %s after %s %ss; what follows is of these\n", trial->cause,
	       trial->seconds > 0 ? "some" : rounds, trial->sides > 2 ? "round" : "pair");
}

void compare_report_print(const struct compare *compare)
{
	const struct trial_runs *trial = &compare->trial;
	compare_report_print_end(trial);
	compare_report_print_results(compare);
	compare_report_print_table(compare);
	compare_report_print_runs(trial);
	compare_launch_print(compare);
	compare_output_print(trial);
	compare_output_print_statuses(trial);
	compare_decisions_print(trial);
	fflush(stdout);
}
