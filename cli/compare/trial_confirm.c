/* trial_confirm.c - tells chance from a difference, by further runs without the shim */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/trial_confirm.h"

#include <time.h>

#include "cli/common/tool.h"
#include "cli/compare/trial_check.h"
#include "cli/compare/trial_launch.h"
#include "shim/base/clock.h"

enum { TRIAL_CONFIRM_STATUSES = 6, TRIAL_CONFIRM_OUTPUTS = 2 };

/*
 * So long after the first output the last run begins: programs print the time in seconds, which may
 * be the same in all runs without the shim.
 */
static const int64_t trial_confirm_apart_ns = 1100000000;

/* Whether a side ended at times, not always, otherwise than without the shim. */
static bool trial_confirm_doubts_status(const struct trial_runs *trial)
{
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++)
		if (trial_check_status_differs(trial, side) &&
		    status_list_count_kinds(&trial->side[side].statuses) > 1)
			return true;
	return false;
}

static bool trial_confirm_doubts_output(const struct trial_runs *trial)
{
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++)
		if (trial_check_judge(trial, side).kind == DIFFERENCE_FOUND)
			return true;
	return false;
}

static void trial_confirm_wait(const struct trial_runs *trial)
{
	const int64_t left_ns = trial->first_ns + trial_confirm_apart_ns - clock_monotonic_ns();
	if (left_ns > 0)
		nanosleep(&(struct timespec){left_ns / 1000000000, left_ns % 1000000000}, NULL);
}

static int trial_confirm_run(struct trial_runs *trial)
{
	struct child_outcome outcome;
	const int status = trial_launch_side(trial, TRIAL_RUNS_OFF, false, &outcome);
	return status == TOOL_FAILED ? TOOL_FINE : status;
}

int trial_confirm_all(struct trial_runs *trial)
{
	int status = TOOL_FINE;
	for (int run = 0; run < TRIAL_CONFIRM_STATUSES && status == TOOL_FINE &&
	                  trial_confirm_doubts_status(trial);
	     run++)
		status = trial_confirm_run(trial);
	for (int run = 1; run <= TRIAL_CONFIRM_OUTPUTS && status == TOOL_FINE &&
	                  trial_confirm_doubts_output(trial);
	     run++) {
		if (run == TRIAL_CONFIRM_OUTPUTS)
			trial_confirm_wait(trial);
		status = trial_confirm_run(trial);
	}
	return status;
}
