/* trial_failure.c - runs a program again that failed with the shim, and tells what that shows */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/trial_failure.h"

#include <stdlib.h>

#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "cli/compare/trial_launch.h"

enum { TRIAL_FAILURE_CHECKS = 3, TRIAL_FAILURE_ENOUGH = 2 };

static bool trial_failure_ran(int status)
{
	return status == TOOL_FINE || status == TOOL_FAILED;
}

/*
 * Runs the program without and with the shim in turn, until it has failed without it, or twice more
 * with it. *again: how often it failed with it. Returns the status of the last run.
 */
static int trial_failure_repeat(struct trial_runs *trial, size_t index, size_t *again)
{
	struct child_outcome outcome;
	int status = TOOL_FINE;
	for (int check = 0; check < TRIAL_FAILURE_CHECKS && *again < TRIAL_FAILURE_ENOUGH;
	     check++) {
		status = trial_launch_side(trial, TRIAL_RUNS_OFF, false, &outcome);
		if (status != TOOL_FINE)
			return status;
		status = trial_launch_side(trial, index, false, &outcome);
		if (!trial_failure_ran(status))
			return status;
		*again += status == TOOL_FAILED;
	}
	return TOOL_FINE;
}

/* The program fails without the shim too, where at_times only in some of its runs. */
static void trial_failure_tell_own(struct trial_runs *trial, const char *end)
{
	const struct status_list *off = &trial->side[TRIAL_RUNS_OFF].statuses;
	const size_t failed = status_list_count_failed(off), runs = status_list_count(off);
	const char *advice = "--ignore-failure compares runs that fail too";
	if (failed == 0)
		trial_runs_stop(trial, "a run failed", "the program %s; %s", end, advice);
	else if (failed < runs)
		trial_runs_stop(
			trial, "a run failed",
			"the program fails at times: it %s, and %zu of %zu runs without the "
			"shim failed; %s",
			end, failed, runs, advice);
	else
		trial_runs_stop(trial, "a run failed",
		                "the program fails without the shim: it %s, so there is nothing to "
		                "compare; %s",
		                end, advice);
}

/* The program fails with the shim only: in each of its last runs, or in some of them. */
static void trial_failure_tell_ours(struct trial_runs *trial, size_t index, const char *end,
                                    bool always)
{
	const struct status_list *on = &trial->side[index].statuses;
	const size_t failed = status_list_count_failed(on), runs = status_list_count(on);
	const size_t without = status_list_count(&trial->side[TRIAL_RUNS_OFF].statuses);
	const char *side = trial->sides > 2 ? trial->side[index].name : "the shim";
	if (always)
		trial_runs_stop(trial, "a run failed",
		                "THE PROGRAM FAILS WITH THE SHIM ONLY: it %s; %zu of %zu runs with "
		                "%s failed, none of %zu without it. This is an error of the shim: "
		                "do not use it for this program, and please report it with the "
		                "output of `gpushim doctor -- PROGRAM`",
		                end, failed, runs, side, without);
	else
		trial_runs_stop(
			trial, "a run failed",
			"THE PROGRAM FAILED WITH THE SHIM ONLY: it %s; %zu of %zu runs with "
			"%s failed, none of %zu without it. So few runs do not tell "
			"whether the shim is the cause; --ignore-failure makes all of them",
			end, failed, runs, side, without);
}

int trial_failure_examine(struct trial_runs *trial, size_t index,
                          const struct child_outcome *outcome)
{
	const struct status_list *off = &trial->side[TRIAL_RUNS_OFF].statuses;
	char *end = child_describe_end(outcome);
	size_t again = 0;
	int status = TOOL_FAILED;
	if (index != TRIAL_RUNS_OFF && trial->reached && status_list_count_failed(off) == 0)
		status = trial_failure_repeat(trial, index, &again);
	if (status == TOOL_FINE) {
		trial_failure_tell_ours(trial, index, end, again == TRIAL_FAILURE_ENOUGH);
		status = TOOL_DIFFERENT;
	} else if (status == TOOL_FAILED) {
		trial_failure_tell_own(trial, end);
	}
	free(end);
	return status;
}
