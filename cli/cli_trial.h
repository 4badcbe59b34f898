/* cli_trial.h - runs of one program without and with the shim, timed, their outputs kept */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_TRIAL_H
#define GPUSHIM_CLI_CLI_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli_difference.h"
#include "cli/cli_environment.h"
#include "cli/cli_harvest.h"
#include "cli/cli_launch.h"

enum cli_side { CLI_SIDE_OFF, CLI_SIDE_ON, CLI_SIDES };

/* One timed pair. */
struct cli_pair {
	struct cli_outcome outcome[CLI_SIDES];
};

/*
 * environment: of each side. audited: the side with the shim has the audit library too. output: what the first run
 * without the shim printed. difference: of the run with the shim that is farthest from that; unstable: of the run
 * without the shim that is. status: each side's, -1 before its first.
 */
struct cli_trial {
	char **words;
	size_t runs;
	double tolerance;
	struct cli_environment environment[CLI_SIDES];
	bool audited;
	char *folder;
	int input, output;
	struct cli_pair *pairs;
	size_t pair_count;
	struct cli_difference difference, unstable;
	bool status_differs;
	int status[CLI_SIDES];
	struct cli_harvest harvest;
};

/* The order of the fields that the caller fills: words, runs, tolerance, environment, folder. Returns a cli_status. */
int cli_trial_run(struct cli_trial *trial);

/* One more run in the given environment, of which nothing is shown. What it took in nanoseconds, -1 where it failed. */
int64_t cli_trial_repeat(struct cli_trial *trial, const struct cli_environment *environment);

void cli_trial_free(struct cli_trial *trial);

/* A file without a name in $TMPDIR, else /tmp; -1 after a sentence. */
int cli_trial_make_file(void);

#endif
