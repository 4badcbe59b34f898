/* trial_runs.h - runs of one program without the shim and with it, timed, their outputs kept */
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
#include "cli/process/counters_read.h"

/* The side without the shim comes first; the others have it, each with its own options. */
enum { TRIAL_RUNS_OFF, TRIAL_RUNS_ON };

/*
 * name: of the side in reports; owned, as folder, where its processes put their counters; both NULL
 * for none.
 * difference: of the run that is farthest from the first one without the shim. status: of its runs,
 * -1 before the first; status_differs: from the first one without the shim.
 */
struct tool_side {
	char *name, *folder;
	struct environment environment;
	struct difference difference;
	int status;
	bool status_differs;
	struct counters_read harvest;
};

/*
 * rounds, of one run per side each: as many as were timed; at most runs of them, and none is begun
 * that would not end within seconds, where that is not 0. outcomes: of round r and side s at [r *
 * sides + s].
 */
struct trial_runs {
	char **words;
	size_t warmup_runs, runs;
	double seconds, tolerance;
	uint64_t seed;
	struct tool_side side[RUN_ORDER_SIDES];
	size_t sides, rounds;
	int input;
	struct child_output first;
	struct tool_outcome *outcomes;
};

/*
 * The caller fills words to sides, and of each side name, folder and environment. Returns a
 * tool_status.
 */
int trial_runs_run(struct trial_runs *trial);

/*
 * The sides in the order in which they ran in a round. Without a warm-up the first one begins
 * without the shim: its output is what all others are compared with.
 */
void trial_runs_find_order(const struct trial_runs *trial, size_t round,
                           size_t order[RUN_ORDER_SIDES]);

/*
 * The times of a side in the order of the rounds, and log(its time / the other's) of each round; to
 * be freed.
 */
double *trial_runs_list_times(const struct trial_runs *trial, size_t side);
double *trial_runs_list_differences(const struct trial_runs *trial, size_t side, size_t other);

/*
 * One more run in the given environment, of which nothing is shown. What it took in nanoseconds, -1
 * where it failed.
 */
int64_t trial_runs_repeat(struct trial_runs *trial, const struct environment *environment);

void trial_runs_free(struct trial_runs *trial);

#endif
