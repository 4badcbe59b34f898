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
#include "cli/compare/status_list.h"
#include "cli/process/child.h"
#include "cli/process/child_output.h"
#include "cli/process/counters_store.h"
#include "cli/process/front_words.h"
#include "cli/process/terminal_keep.h"

/* Side 0 runs without the shim; the other sides run with it, each with options of its own. */
enum { TRIAL_RUNS_OFF, TRIAL_RUNS_ON };

/*
 * name: for reports, owned. words: argv, owned; NULL: as in struct trial_runs. store: of the side's
 * counts, in rounds since since_ns. difference: of all outputs from the first output without the
 * shim; statuses: of all runs; both with those of warm-up and checks. outputs: how many were
 * compared. lingering: runs that ended before processes which they had started. counters: of all
 * timed runs.
 */
struct trial_side {
	char *name, **words;
	struct counters_store store;
	struct environment environment;
	struct difference difference;
	struct status_list statuses;
	size_t outputs, lingering;
	struct counters_read counters;
};

/*
 * A round is one run of every side. words: argv. front: the launcher in it. prepare: a command of
 * the shell before each run, or NULL. warmup_runs: rounds that are not timed; runs: the most rounds
 * that are timed; seconds: no round begins that would not end within that time, 0 for no limit; but
 * there are least_runs rounds. reached: the shim can be loaded into the program. rounds: those that
 * were timed, from since_ns on. input: descriptor of the program's stdin. terminal: as it was
 * before the first run. first, first_ns: the output that all others are compared with, and when it
 * was complete. outcomes: round r of side s is at [r * sides + s]. stopped: why not all rounds were
 * run, one sentence, owned, or NULL; cause: the same in a few words.
 */
struct trial_runs {
	char **words;
	struct front_words front;
	const char *prepare;
	size_t warmup_runs, runs, least_runs;
	double seconds, tolerance;
	bool reached, ignores_failure;
	uint64_t seed;
	int64_t since_ns;
	struct trial_side side[RUN_ORDER_SIDES];
	size_t sides, rounds;
	int input;
	struct terminal_keep terminal;
	struct child_output first;
	int64_t first_ns;
	struct child_outcome *outcomes;
	char *stopped;
	const char *cause;
};

/*
 * Runs all rounds. The caller sets words to tolerance, reached, ignores_failure, seed, sides, and
 * name, store and environment of each side. Returns a status of tool.h, or 128 + the signal that
 * interrupted the tool. Whatever it is, the rounds that were timed can be evaluated.
 */
int trial_runs_run(struct trial_runs *trial);

/* Makes the store of a side with the shim. false after a message. */
bool trial_runs_make_store(const struct trial_runs *trial, struct trial_side *side);

/* Sets stopped and cause, the first time that it is called. */
void trial_runs_stop(struct trial_runs *trial, const char *cause, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

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
