/* schedule.c - the engine's schedules on the simulated CUDA's virtual clocks, against the bound */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/common/spawn.h"
#include "tests/schedule/schedule_cases.h"
#include "tests/schedule/schedule_child.h"
#include "tests/schedule/schedule_clock.h"

enum { PATH_BYTES = 4200, ARGUMENTS = 48, CALL_TEXT = 1024 };

static char program[PATH_BYTES], checker[PATH_BYTES], cuda_path[PATH_BYTES],
	folder[] = "/tmp/gpushim-schedule-XXXXXX";
static char clock_path[PATH_BYTES], events_path[64];
static bool quick, exhaustive;
static const char *only; /* of a case's name: other cases do not run */

/*
 * The planner's choice may take this much longer than the best of a search, in parts of the bound.
 */
static const double search_margin = 0.03;

/* The result of one case. said: the output of the program that refused it. */
struct outcome {
	struct schedule_report report;
	double bound_ms, ratio, up_bytes, down_bytes;
	bool right;
	char said[1 << 12];
};

static bool run_child(const char *mode, const struct schedule_case *one, bool recorded,
                      struct outcome *outcome)
{
	static struct spawn_result result;
	static char clock_word[PATH_BYTES + 16], events_word[PATH_BYTES], dry[] = "SIMCUDA_DRY=1";
	char *environment[] = {clock_word, dry, recorded ? events_word : NULL, NULL};
	char *arguments[ARGUMENTS] = {program, (char *)mode, cuda_path, clock_path};
	snprintf(clock_word, sizeof clock_word, "SIMCUDA_CLOCK=%s", clock_path);
	snprintf(events_word, sizeof events_word, "SIMCUDA_TRACE=%s", events_path);
	for (int i = 0; i < CASE_WORDS && one->words[i] != NULL; i++)
		arguments[i + 4] = (char *)one->words[i];
	spawn_run(arguments, environment, true, &result);
	if (result.status == 0 && schedule_child_read(result.output, &outcome->report))
		return true;
	snprintf(outcome->said, sizeof outcome->said, "the run ended with status %#x: %.2000s\n",
	         (unsigned)result.status, result.output);
	return false;
}

/* A load or a store alone is compared with the link at its full rate; its events are not checked. */
static void compare_with_link(struct outcome *outcome)
{
	const struct schedule_report *report = &outcome->report;
	const bool up = report->call.routine[0] == 'l';
	struct schedule_clock clock;
	if (!schedule_clock_read(clock_path, &clock))
		return;
	outcome->bound_ms = (double)(report->call.m << 10) /
	                    (up ? clock.up_gbytes_s : clock.down_gbytes_s) / 1e6;
	outcome->ratio = report->time_ns / 1e6 / outcome->bound_ms;
	outcome->right = true;
}

/* Reads the figures from the checker's last line. */
static void check_events(struct outcome *outcome)
{
	static struct spawn_result result;
	char text[CALL_TEXT], *words[SCHEDULE_CALL_WORDS];
	char *arguments[ARGUMENTS] = {checker, events_path, clock_path};
	const int count = schedule_call_write(&outcome->report.call, text, sizeof text, words);
	for (int i = 0; i < count; i++)
		arguments[i + 3] = words[i];
	spawn_run(arguments, NULL, true, &result);
	unlink(events_path);
	double time_ms;
	const char *line = strstr(result.output, "time_ms=");
	const int got =
		line == NULL
			? 0
			: sscanf(line,
	                         "time_ms=%lf bound_ms=%lf ratio=%lf up_bytes=%lf down_bytes=%lf",
	                         &time_ms, &outcome->bound_ms, &outcome->ratio, &outcome->up_bytes,
	                         &outcome->down_bytes);
	outcome->right = result.status == 0 && got == 5;
	/* The events begin with the first copy of the link and end with the last. */
	if (outcome->report.call.copy_gbytes_s > 0)
		outcome->ratio = outcome->report.time_ns / 1e6 / outcome->bound_ms;
	if (!outcome->right)
		snprintf(outcome->said, sizeof outcome->said, "%.3000s", result.output);
}

/* A factorization takes no longer than in, solve, out. */
static void compare_with_whole(const struct schedule_case *one, struct outcome *outcome)
{
	static struct outcome whole;
	struct schedule_case other = *one;
	int words = 0;
	if (!outcome->right)
		return;
	memset(&whole, 0, sizeof whole);
	while (other.words[words] != NULL)
		words++;
	other.words[words] = "whole=1";
	outcome->right = run_child("--run", &other, false, &whole) &&
	                 outcome->report.time_ns <= whole.report.time_ns;
	if (!outcome->right)
		snprintf(outcome->said, sizeof outcome->said,
		         "in, solve, out take %.3f ms one after the other; %.2000s\n",
		         whole.report.time_ns / 1e6, whole.said);
}

/* The bytes that the planner predicts for its plan must be those that were copied. */
static void compare_plan(struct outcome *outcome)
{
	const struct schedule_report *report = &outcome->report;
	if (!outcome->right || report->planned_ns == 0 ||
	    (report->up_bytes == outcome->up_bytes && report->down_bytes == outcome->down_bytes))
		return;
	outcome->right = false;
	snprintf(outcome->said, sizeof outcome->said,
	         "the plan has %.0f bytes up and %.0f down, the events %.0f and %.0f\n",
	         report->up_bytes, report->down_bytes, outcome->up_bytes, outcome->down_bytes);
}

static bool print_outcome(const char *name, const struct outcome *outcome, double bar)
{
	const struct schedule_call *call = &outcome->report.call;
	const bool pass = outcome->right && (bar == 0 || outcome->ratio <= bar);
	if (outcome->bound_ms > 0) {
		printf("%-38s %-8s %6lld %6lld %6lld %10.3f %7.3f ", name, call->order,
		       (long long)call->group, (long long)call->width, (long long)call->slice,
		       outcome->report.time_ns / 1e6, outcome->ratio);
		if (bar > 0)
			printf("%7.3f  %s\n", bar, pass ? "PASS" : "FAIL");
		else
			printf("%7s  %s\n", "", pass ? "right" : "FAIL");
	} else {
		printf("%-38s FAIL\n", name);
	}
	if (!outcome->right)
		printf("%s", outcome->said);
	fflush(stdout);
	return pass;
}

static bool run_case(const struct schedule_case *one)
{
	static struct outcome outcome, best;
	double bar = one->bar;
	memset(&outcome, 0, sizeof outcome);
	const bool copy = strcmp(one->words[0], "routine=load") == 0 ||
	                  strcmp(one->words[0], "routine=store") == 0;
	const bool ran = run_child("--run", one, !copy, &outcome);
	if (ran && copy) {
		compare_with_link(&outcome);
	} else if (ran) {
		check_events(&outcome);
		compare_plan(&outcome);
		if ((one->kinds & CASE_WHOLE) != 0)
			compare_with_whole(one, &outcome);
	}
	if (exhaustive && (one->kinds & CASE_SEARCHED) != 0 && outcome.right) {
		memset(&best, 0, sizeof best);
		if (!run_child("--search", one, false, &best))
			return print_outcome(one->name, &best, 0);
		const struct schedule_call *call = &best.report.call;
		const double ratio = best.report.time_ns / 1e6 / outcome.bound_ms;
		printf("  best of %-30.0f %-8s %6lld %6lld %6lld %10.3f %7.3f\n", best.report.tried,
		       call->order, (long long)call->group, (long long)call->width,
		       (long long)call->slice, best.report.time_ns / 1e6, ratio);
		bar = ratio + search_margin;
	}
	return print_outcome(one->name, &outcome, bar);
}

static bool read_arguments(int argc, char **argv, bool *check)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--check") == 0)
			*check = true;
		else if (strcmp(argv[i], "--quick") == 0)
			quick = true;
		else if (strcmp(argv[i], "--exhaustive") == 0)
			exhaustive = true;
		else if (strcmp(argv[i], "--clock") == 0 && i + 1 < argc)
			snprintf(clock_path, sizeof clock_path, "%s", argv[++i]);
		else if (argv[i][0] != '-' && only == NULL)
			only = argv[i];
		else
			return false;
	}
	return true;
}

static void find_programs(void)
{
	snprintf(program, sizeof program, "%s", spawn_beside("schedule", false));
	snprintf(checker, sizeof checker, "%s", spawn_beside("schedule_check", false));
	snprintf(cuda_path, sizeof cuda_path, "%s", spawn_beside("simcuda/13", true));
	if (clock_path[0] == '\0')
		snprintf(clock_path, sizeof clock_path, "%s",
		         spawn_beside("simcuda/h200.clock", true));
	snprintf(events_path, sizeof events_path, "%s/events", folder);
}

int main(int argc, char **argv)
{
	bool check = false;
	int failed = 0, run = 0;
	if (argc > 4 && (strcmp(argv[1], "--run") == 0 || strcmp(argv[1], "--search") == 0))
		return schedule_child_main(strcmp(argv[1], "--search") == 0, argv[2], argv[3],
		                           argc - 4, argv + 4);
	if (!read_arguments(argc, argv, &check)) {
		fprintf(stderr, "usage: schedule [--quick] [--exhaustive] [--check] [--clock FILE] "
		                "[PART OF A NAME]\n");
		return 2;
	}
	if (mkdtemp(folder) == NULL) {
		perror("schedule: mkdtemp");
		return 1;
	}
	find_programs();
	printf("virtual clocks, no speed of anything: time against the slowest of both links "
	       "and the arithmetic\n");
	printf("%-38s %-8s %6s %6s %6s %10s %7s %7s\n", "call", "order", "group", "width", "slice",
	       "ms", "ratio", "bar");
	struct schedule_case one;
	for (size_t i = 0; schedule_cases_read(i, &one); i++) {
		if ((quick && (one.kinds & CASE_QUICK) == 0) ||
		    (only != NULL && strstr(one.name, only) == NULL))
			continue;
		run++;
		failed += !run_case(&one);
	}
	unlink(events_path); /* left by a run that failed */
	rmdir(folder);
	printf("schedule: %d cases, %d failed\n", run, failed);
	return check && (failed > 0 || run == 0) ? 1 : 0;
}
