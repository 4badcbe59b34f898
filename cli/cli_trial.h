/* cli_trial.h - runs of one program without the shim and with it, timed, their outputs kept */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_TRIAL_H
#define GPUSHIM_CLI_CLI_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/cli_capture.h"
#include "cli/cli_difference.h"
#include "cli/cli_environment.h"
#include "cli/cli_harvest.h"
#include "cli/cli_launch.h"
#include "cli/cli_order.h"

/* The side without the shim comes first; the others have it, each with its own options. */
enum { CLI_TRIAL_OFF, CLI_TRIAL_ON };

/*
 * name: of the side in reports; owned, as folder, where its processes put their counters; both NULL for none.
 * difference: of the run that is farthest from the first one without the shim. status: of its runs, -1 before the
 * first; status_differs: from the first one without the shim.
 */
struct cli_side {
	char *name, *folder;
	struct cli_environment environment;
	struct cli_difference difference;
	int status;
	bool status_differs;
	struct cli_harvest harvest;
};

/*
 * rounds, of one run per side each: as many as were timed; at most runs of them, and none is begun that would not end
 * within seconds, where that is not 0. outcomes: of round r and side s at [r * sides + s].
 */
struct cli_trial {
	char **words;
	size_t warmup_runs, runs;
	double seconds, tolerance;
	uint64_t seed;
	struct cli_side side[CLI_ORDER_SIDES];
	size_t sides, rounds;
	int input;
	struct cli_capture first;
	struct cli_outcome *outcomes;
};

/* The caller fills words to sides, and of each side name, folder and environment. Returns a cli_status. */
int cli_trial_run(struct cli_trial *trial);

/*
 * The sides in the order in which they ran in a round. Without a warm-up the first one begins without the shim: its
 * output is what all others are compared with.
 */
void cli_trial_find_order(const struct cli_trial *trial, size_t round, size_t order[CLI_ORDER_SIDES]);

/* The times of a side in the order of the rounds, and log(its time / the other's) of each round; to be freed. */
double *cli_trial_list_times(const struct cli_trial *trial, size_t side);
double *cli_trial_list_differences(const struct cli_trial *trial, size_t side, size_t other);

/* One more run in the given environment, of which nothing is shown. What it took in nanoseconds, -1 where it failed. */
int64_t cli_trial_repeat(struct cli_trial *trial, const struct cli_environment *environment);

void cli_trial_free(struct cli_trial *trial);

#endif
