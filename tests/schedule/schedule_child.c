/* schedule_child.c - runs one call by the engine's plan, or by all orders to find the best */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/schedule/schedule_run.h"

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

static const int64_t search_widths[] = {256, 512, 1024, 2048, 4096},
		     search_slices[] = {512, 1024, 2048, 4096};

/*
 * A first group is one panel, or some eighths of C. The last panels shrink to search_last or not.
 */
enum { SEARCH_WIDTHS = 5, SEARCH_SLICES = 4, SEARCH_GROUPS = 9, SEARCH_LASTS = 2 };
static const int64_t search_last = 256;

struct search {
	const struct schedule_run *run;
	struct panel_choice best;
	double best_ns, tried;
	bool failed;
};

/* Skips a choice that the family does not have, or that does not fit into memory. */
static void search_try(struct search *search, const struct panel_choice *choice)
{
	struct panel_plan plan;
	if (search->failed || !schedule_run_plan(search->run, choice, &plan))
		return;
	panel_plan_free(&plan);
	const double time_ns = schedule_run_once(search->run, choice);
	search->failed = time_ns < 0;
	search->tried++;
	if (search->tried > 1 && time_ns >= search->best_ns)
		return;
	search->best = *choice;
	search->best_ns = time_ns;
}

static void search_order(struct search *search, enum panel_order order, int64_t size)
{
	struct panel_choice choice = {.order = order};
	for (int group = 0; group < SEARCH_GROUPS; group++)
		for (int width = 0; width < SEARCH_WIDTHS; width++)
			for (int slice = 0; slice < SEARCH_SLICES; slice++)
				for (int last = 0; last < SEARCH_LASTS; last++) {
					choice.width = search_widths[width];
					choice.group = group == 0
					                       ? choice.width
					                       : size * group / (SEARCH_GROUPS - 1);
					choice.slice = search_slices[slice];
					choice.last = last == 0 ? 0 : search_last;
					if (choice.last < choice.width)
						search_try(search, &choice);
				}
}

/*
 * Runs the call in all orders, with all widths and slices. Returns the least virtual time, its
 * choice in *best and the number of runs in *tried; less than 0 where a run failed.
 */
static double search_run(const struct schedule_run *run, struct panel_choice *best, double *tried)
{
	const struct blas_call *blas = &run->call.blas;
	struct search search = {.run = run, .best_ns = -1};
	search_order(&search, PANEL_ORDER_COLUMNS, blas->n);
	search_order(&search, PANEL_ORDER_ROWS, blas->m);
	search_order(&search, PANEL_ORDER_RINGS, blas->m > blas->n ? blas->m : blas->n);
	search_order(&search, PANEL_ORDER_BLOCKS, blas->m);
	*best = search.best;
	*tried = search.tried;
	return search.failed ? -1 : search.best_ns;
}

/* Runs the engine's own plan, or reports the best of the search. */
static bool child_run(const struct schedule_run *run, bool search, struct schedule_report *report)
{
	struct panel_choice best;
	struct panel_plan plan;
	report->call = run->wanted;
	report->tried = 1;
	if (search)
		report->time_ns = search_run(run, &best, &report->tried);
	const bool planned = schedule_run_plan(run, search ? &best : NULL, &plan);
	if (planned) {
		child_describe_plan(report, &plan);
		panel_plan_free(&plan);
	}
	if (!search)
		report->time_ns = schedule_run_once(run, NULL);
	if (!planned)
		snprintf(report->call.order, sizeof report->call.order, "%.15s",
		         schedule_run_tell_recipe(run));
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
