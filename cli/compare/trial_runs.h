/* trial_runs.h - timed runs of a program without and with the shim, and their outputs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_TRIAL_RUNS_H
#define GPUSHIM_CLI_COMPARE_TRIAL_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/common/environment.h"
#include "cli/compare/difference.h"
#include "cli/compare/run_order.h"
#include "cli/process/child.h"
#include "cli/process/child_output.h"
#include "cli/process/counters_store.h"

/* Side 0 runs without the shim; the other sides run with it, each with options of its own. */
enum { TRIAL_RUNS_OFF, TRIAL_RUNS_ON };

/*
 * name: for reports, owned. store: of the side's counts, in rounds since since_ns.
 * difference: the largest difference of an output from the first output without the shim. status:
 * of the runs, -1 before the first; status_differs: from the status of the first run without the
 * shim. counters: of all timed runs.
 */
struct trial_side {
	char *name;
	struct counters_store store;
	struct environment environment;
	struct difference difference;
	int status;
	bool status_differs;
	struct counters_read counters;
};

/*
 * A round is one run of every side. words: argv. warmup_runs: rounds that are not timed; runs: the
 * most rounds that are timed; seconds: no round begins that would not end within that time, 0 for
 * no limit. rounds: those that were timed,
 * from since_ns on. input: descriptor of the program's stdin. first: the
 * output that all others are compared with. outcomes: round r of side s is at [r * sides + s].
 */
struct trial_runs {
	char **words;
	size_t warmup_runs, runs;
	double seconds, tolerance;
	uint64_t seed;
	int64_t since_ns;
	struct trial_side side[RUN_ORDER_SIDES];
	size_t sides, rounds;
	int input;
	struct child_output first;
	struct child_outcome *outcomes;
};

/*
 * Runs all rounds. The caller sets words, warmup_runs, runs, seconds, tolerance, seed, sides, and
 * name, store and environment of each side. Returns a status of tool.h, or 128 + the signal that
 * interrupted the tool.
 */
int trial_runs_run(struct trial_runs *trial);

/*
 * Writes the order in which the sides run in a round. Without a warm-up the first round begins with
 * the side without the shim, because its output is the one that all others are compared with.
 */
void trial_runs_find_order(const struct trial_runs *trial, size_t round,
                           size_t order[RUN_ORDER_SIDES]);

/*
 * Lists of rounds values, to be freed: the times of a side in ns, and log(time of side / time of
 * other).
 */
double *trial_runs_list_times(const struct trial_runs *trial, size_t side);
double *trial_runs_list_differences(const struct trial_runs *trial, size_t side, size_t other);

/*
 * Runs the program once more in the given environment, without output. Returns the time in ns, -1
 * if it could not be started or the tool was interrupted.
 */
int64_t trial_runs_repeat(struct trial_runs *trial, const struct environment *environment);

void trial_runs_free(struct trial_runs *trial);

#endif
