/* trial_rounds.c - rounds to warm up, then timed rounds, each with one run of every side */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/progress_bar.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "cli/compare/interval.h"
#include "cli/compare/trial_confirm.h"
#include "cli/compare/trial_failure.h"
#include "cli/compare/trial_launch.h"
#include "policy/text/human.h"
#include "shim/base/clock.h"

enum { BAR_RUNS_BYTES = 32, BAR_ESTIMATE_BYTES = 64 };

static const double bar_confidence = 0.95;

/* Only a regular file can be read again in each run; otherwise the program has no input. */
static int trial_rounds_open_input(void)
{
	struct stat status;
	if (fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode))
		return STDIN_FILENO;
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* A run of a round; if it fails, it is found out why. */
static int trial_rounds_take_side(struct trial_runs *trial, size_t index, bool loud,
                                  struct child_outcome *outcome)
{
	const int status = trial_launch_side(trial, index, loud, outcome);
	return status == TOOL_FAILED ? trial_failure_examine(trial, index, outcome) : status;
}

static int trial_rounds_run_round(struct trial_runs *trial, size_t round,
                                  struct child_outcome *outcomes)
{
	size_t order[RUN_ORDER_SIDES];
	int status = TOOL_FINE;
	trial_runs_find_order(trial, round, order);
	for (size_t i = 0; status == TOOL_FINE && i < trial->sides; i++)
		status = trial_rounds_take_side(trial, order[i], false, &outcomes[order[i]]);
	return status;
}

static int trial_rounds_warm_up(struct trial_runs *trial)
{
	struct child_outcome outcome;
	int status = TOOL_FINE;
	for (size_t run = 0; status == TOOL_FINE && run < trial->warmup_runs; run++)
		for (size_t side = 0; status == TOOL_FINE && side < trial->sides; side++)
			status = trial_rounds_take_side(trial, side, run == 0, &outcome);
	return status;
}

static void trial_rounds_format_estimate(const struct trial_runs *trial,
                                         char out[BAR_ESTIMATE_BYTES])
{
	out[0] = '\0';
	if (trial->rounds == 0 || trial->sides != 2)
		return;
	double *differences = trial_runs_list_differences(trial, TRIAL_RUNS_ON, TRIAL_RUNS_OFF);
	const struct interval found = interval_find(differences, trial->rounds, bar_confidence);
	if (trial->rounds < interval_least_count(bar_confidence))
		snprintf(out, BAR_ESTIMATE_BYTES, "  on / off %.3f", exp(found.middle));
	else
		snprintf(out, BAR_ESTIMATE_BYTES, "  on / off %.3f (%.3f to %.3f)",
		         exp(found.middle), exp(found.low), exp(found.high));
	free(differences);
}

static void trial_rounds_format_left(const struct trial_runs *trial, double passed_ns,
                                     char out[HUMAN_BYTES])
{
	const double rounds = (double)trial->rounds;
	double left_ns = passed_ns / rounds * ((double)trial->runs - rounds);
	if (trial->seconds > 0)
		left_ns = fmax(fmin(left_ns, trial->seconds * 1e9 - passed_ns), 0);
	human_format_time((uint64_t)(ceil(left_ns / 1e9) * 1e9), out);
}

/* The share that is done, of the rounds or of the time, whichever is larger. */
static double trial_rounds_find_share(const struct trial_runs *trial, double passed_ns)
{
	const double done = (double)trial->rounds / (double)trial->runs;
	return trial->seconds > 0 ? fmin(fmax(done, passed_ns / (trial->seconds * 1e9)), 1) : done;
}

/* Draws a line with a bar on stderr; nothing if stderr is no terminal. */
static void trial_rounds_draw_bar(const struct trial_runs *trial, int64_t start_ns)
{
	char runs[BAR_RUNS_BYTES] = "", estimate[BAR_ESTIMATE_BYTES] = "", left[HUMAN_BYTES] = "";
	const double passed_ns = (double)(clock_monotonic_ns() - start_ns);
	if (!progress_bar_is_seen())
		return;
	if (trial->seconds <= 0)
		snprintf(runs, sizeof runs, " of %zu", trial->runs);
	if (trial->rounds > 0) {
		trial_rounds_format_estimate(trial, estimate);
		trial_rounds_format_left(trial, passed_ns, left);
	}
	progress_bar_draw(trial_rounds_find_share(trial, passed_ns), "round %zu%s%s%s%s%s",
	                  trial->rounds + 1, runs, estimate, left[0] != '\0' ? "  " : "", left,
	                  left[0] != '\0' ? " left" : "");
}

/* Whether there is time for another round as long as the longest so far. */
static bool trial_rounds_has_time(const struct trial_runs *trial, int64_t start_ns,
                                  int64_t longest_ns)
{
	return trial->seconds <= 0 || trial->rounds < trial->least_runs ||
	       (double)(clock_monotonic_ns() - start_ns + longest_ns) <= trial->seconds * 1e9;
}

static void trial_rounds_read_side(const struct trial_runs *trial, struct trial_side *side)
{
	counters_store_read(&side->store, &side->counters, trial->since_ns);
}

/* A store that is filling is read and replaced, so that any number of rounds can be counted. */
static bool trial_rounds_renew_stores(struct trial_runs *trial)
{
	for (size_t i = TRIAL_RUNS_ON; i < trial->sides; i++) {
		struct trial_side *side = &trial->side[i];
		if (!counters_store_is_filling(&side->store))
			continue;
		trial_rounds_read_side(trial, side);
		counters_store_free(&side->store);
		if (!trial_runs_make_store(trial, side))
			return false;
	}
	return true;
}

static int trial_rounds_time_rounds(struct trial_runs *trial)
{
	const int64_t start_ns = clock_monotonic_ns();
	int64_t longest_ns = 0;
	int status = TOOL_FINE;
	while (status == TOOL_FINE && trial->rounds < trial->runs &&
	       trial_rounds_has_time(trial, start_ns, longest_ns)) {
		const int64_t begin_ns = clock_monotonic_ns();
		const size_t runs = (trial->rounds + 1) * trial->sides;
		trial->outcomes = say_resize(trial->outcomes, runs, sizeof *trial->outcomes);
		trial_rounds_draw_bar(trial, start_ns);
		status = trial_rounds_run_round(trial, trial->rounds,
		                                &trial->outcomes[trial->rounds * trial->sides]);
		const int64_t round_ns = clock_monotonic_ns() - begin_ns;
		longest_ns = round_ns > longest_ns ? round_ns : longest_ns;
		if (status == TOOL_FINE)
			trial->rounds++;
		if (status == TOOL_FINE && !trial_rounds_renew_stores(trial))
			status = TOOL_NOT_RUN;
	}
	progress_bar_clear();
	return status;
}

static void trial_rounds_tell_interruption(struct trial_runs *trial, int signal)
{
	const char *name = say_signal(signal), *round = trial->sides > 2 ? "round" : "pair";
	if (trial->rounds == 0)
		trial_runs_stop(
			trial, "interrupted",
			"interrupted by signal %d (%s) before the first %s was complete, so "
			"there is nothing to tell",
			signal, name, round);
	else
		trial_runs_stop(
			trial, "interrupted",
			"interrupted by signal %d (%s) after %zu %s%s: the report above is of "
			"these",
			signal, name, trial->rounds, round, trial->rounds == 1 ? "" : "s");
}

int trial_runs_run(struct trial_runs *trial)
{
	trial->input = trial_rounds_open_input();
	trial->first.file = -1;
	terminal_keep_begin(&trial->terminal);
	child_insist();
	int status = trial_rounds_warm_up(trial);
	trial->since_ns = clock_realtime_ns();
	if (status == TOOL_FINE)
		status = trial_rounds_time_rounds(trial);
	if (status == TOOL_FINE)
		status = trial_confirm_all(trial);
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++)
		trial_rounds_read_side(trial, &trial->side[side]);
	if (status > 128)
		trial_rounds_tell_interruption(trial, status - 128);
	return status;
}
