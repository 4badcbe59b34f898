/* schedule_child.c - one call in a process of its own: what it is told, and what it reports */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/schedule/schedule_run.h"
#include "tests/schedule/schedule_search.h"

static const struct {
	const char *key;
	size_t offset;
} child_key[] = {
	{"time_ns", offsetof(struct schedule_report, time_ns)},
	{"planned_ns", offsetof(struct schedule_report, planned_ns)},
	{"up_bytes", offsetof(struct schedule_report, up_bytes)},
	{"down_bytes", offsetof(struct schedule_report, down_bytes)},
	{"tried", offsetof(struct schedule_report, tried)},
};

enum { CHILD_KEYS = sizeof child_key / sizeof child_key[0], CHILD_TEXT = 1024 };

static void child_print(const struct schedule_report *report)
{
	char text[CHILD_TEXT], *words[SCHEDULE_CALL_WORDS];
	const int count = schedule_call_write(&report->call, text, sizeof text, words);
	for (int i = 0; i < count; i++)
		printf("%s ", words[i]);
	for (int i = 0; i < CHILD_KEYS; i++)
		printf("%s=%.0f ", child_key[i].key,
		       *(const double *)((const char *)report + child_key[i].offset));
	printf("\n");
}

static bool child_read_number(const char *word, struct schedule_report *report)
{
	const size_t length = strcspn(word, "=");
	for (int i = 0; i < CHILD_KEYS; i++)
		if (strlen(child_key[i].key) == length &&
		    strncmp(word, child_key[i].key, length) == 0) {
			*(double *)((char *)report + child_key[i].offset) =
				strtod(word + length + 1, NULL);
			return true;
		}
	return false;
}

bool schedule_child_read(const char *text, struct schedule_report *report)
{
	char copy[CHILD_TEXT], *rest = NULL;
	*report = (struct schedule_report){.time_ns = -1};
	if (snprintf(copy, sizeof copy, "%s", text) >= CHILD_TEXT)
		return false;
	for (char *word = strtok_r(copy, " \n", &rest); word != NULL;
	     word = strtok_r(NULL, " \n", &rest))
		if (strchr(word, '=') == NULL ||
		    (!child_read_number(word, report) && !schedule_call_read(&report->call, word)))
			return false;
	return report->time_ns >= 0;
}

static void child_describe_plan(struct schedule_report *report, const struct panel_plan *plan)
{
	struct schedule_call *call = &report->call;
	snprintf(call->order, sizeof call->order, "%s", panel_plan_name_order(plan->choice.order));
	call->group = plan->choice.group;
	call->width = plan->choice.width;
	call->last = plan->choice.last;
	call->slice = plan->choice.slice;
	report->planned_ns = plan->time_ns;
	report->up_bytes = (double)plan->load_bytes;
	report->down_bytes = (double)plan->store_bytes;
}

/* The plan is the engine's own, or the best of the search. */
static bool child_run(const struct schedule_run *run, bool search, struct schedule_report *report)
{
	struct panel_choice best;
	struct panel_plan plan;
	report->call = run->wanted;
	report->tried = 1;
	if (search)
		report->time_ns = schedule_search_run(run, &best, &report->tried);
	const bool planned = schedule_run_plan(run, search ? &best : NULL, &plan);
	if (planned) {
		child_describe_plan(report, &plan);
		panel_plan_free(&plan);
	}
	if (!search)
		report->time_ns = schedule_run_once(run, NULL);
	return report->time_ns >= 0;
}

int schedule_child_main(bool search, const char *cuda_path, const char *clock_path, int count,
                        char **words)
{
	struct schedule_call wanted = {.m = 0};
	struct schedule_report report = {.time_ns = -1};
	struct schedule_clock clock;
	struct schedule_run run;
	for (int i = 0; i < count; i++)
		if (!schedule_call_read(&wanted, words[i])) {
			fprintf(stderr, "schedule: '%s' is not understood\n", words[i]);
			return 2;
		}
	if (!schedule_clock_read(clock_path, &clock) ||
	    !schedule_run_start(&run, &wanted, cuda_path, &clock) ||
	    !child_run(&run, search, &report))
		return 1;
	child_print(&report);
	return 0;
}
