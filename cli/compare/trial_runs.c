/* trial_runs.c - rounds to warm up, then timed rounds, each with one run of every side */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/trial_runs.h"

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
#include "policy/text/human.h"
#include "shim/base/clock.h"

enum { TRIAL_COPY_BYTES = 65536, BAR_RUNS_BYTES = 32, BAR_ESTIMATE_BYTES = 64 };

static const double bar_confidence = 0.95;

/* Only a regular file can be read again in each run; otherwise the program has no input. */
static int trial_runs_open_input(void)
{
	struct stat status;
	if (fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode))
		return STDIN_FILENO;
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Copies what a failed run wrote to stderr to the tool's stderr. */
static void trial_runs_show_file(int fd)
{
	char bytes[TRIAL_COPY_BYTES];
	off_t at = 0;
	for (ssize_t got; (got = pread(fd, bytes, sizeof bytes, at)) > 0; at += got)
		if (write(STDERR_FILENO, bytes, (size_t)got) < 0)
			return;
}

/* Keeps the larger of the two differences, the first of equal ones. */
static void trial_runs_keep_worst(struct difference *worst, const struct difference *found)
{
	if (found->kind > worst->kind ||
	    (found->kind == DIFFERENCE_NUMBERS && worst->kind == DIFFERENCE_NUMBERS &&
	     found->deviation > worst->deviation))
		*worst = *found;
}

/* Compares the parts of the outputs that are not stored, by their hashes. */
static void trial_runs_check_rest(const struct child_output *first,
                                  const struct child_output *output, struct difference *found)
{
	const uint64_t kept = CHILD_OUTPUT_KEPT_BYTES;
	if (found->kind == DIFFERENCE_FOUND ||
	    (first->total_bytes <= kept && output->total_bytes <= kept) ||
	    (first->total_bytes == output->total_bytes && first->rest == output->rest))
		return;
	*found = (struct difference){.kind = DIFFERENCE_FOUND};
	difference_describe_rest(found, first->total_bytes, output->total_bytes);
}

static int trial_runs_check_output(struct trial_runs *trial, struct trial_side *side,
                                   const struct child_output *output)
{
	struct difference found;
	const int error =
		difference_find(trial->first.file, output->file, trial->tolerance, &found);
	if (error != 0) {
		say("cannot read the program's output again: %s", say_error(error));
		return TOOL_NOT_RUN;
	}
	trial_runs_check_rest(&trial->first, output, &found);
	trial_runs_keep_worst(&side->difference, &found);
	return TOOL_FINE;
}

static void trial_runs_check_status(struct trial_runs *trial, struct trial_side *side, int status)
{
	const int expected = trial->side[TRIAL_RUNS_OFF].status;
	if (side->status < 0)
		side->status = status;
	if (expected >= 0 && status != expected) {
		side->status = status;
		side->status_differs = true;
	}
}

/*
 * Checks a run's status and output. The first output, from a run without the shim, is kept for the
 * comparison with all others.
 */
static int trial_runs_judge_run(struct trial_runs *trial, struct trial_side *side,
                                const struct child_outcome *outcome, struct child_output *output)
{
	if (outcome->start_error != 0) {
		say("cannot run '%s' (%s): %s", trial->words[0], side->name,
		    say_error(outcome->start_error));
		return TOOL_NOT_RUN;
	}
	if (child_interrupted() != 0)
		return 128 + child_interrupted();
	if (output->error != 0) {
		say("cannot keep the program's output: %s; TMPDIR can name a folder with more room",
		    say_error(output->error));
		return TOOL_NOT_RUN;
	}
	trial_runs_check_status(trial, side, child_status(outcome));
	if (trial->first.file >= 0)
		return trial_runs_check_output(trial, side, output);
	trial->first = *output;
	output->file = -1;
	return TOOL_FINE;
}

/*
 * loud: the program's stderr is the tool's; else it is shown only if the run fails with another
 * status than the runs before.
 */
static int trial_runs_run_side(struct trial_runs *trial, size_t index, bool loud,
                               struct child_outcome *outcome)
{
	struct trial_side *side = &trial->side[index];
	struct child_output output, error = {.file = -1, .inlet = -1};
	const int before = side->status;
	if (!child_output_start(&output))
		return TOOL_NOT_RUN;
	const bool ready = loud || child_output_start(&error);
	const struct child launch = {trial->words, &side->environment, trial->input, output.inlet,
	                             error.inlet};
	lseek(trial->input, 0, SEEK_SET);
	if (ready)
		child_run(&launch, outcome);
	child_output_finish(&output);
	if (ready && !loud)
		child_output_finish(&error);
	const int status =
		ready ? trial_runs_judge_run(trial, side, outcome, &output) : TOOL_NOT_RUN;
	if (ready && !loud && child_status(outcome) != 0 && child_status(outcome) != before) {
		progress_bar_clear();
		trial_runs_show_file(error.file);
	}
	child_output_free(&output);
	child_output_free(&error);
	return status;
}

void trial_runs_find_order(const struct trial_runs *trial, size_t round,
                           size_t order[RUN_ORDER_SIDES])
{
	size_t off = 0;
	run_order_find(trial->seed, round, trial->sides, order);
	if (round > 0 || trial->warmup_runs > 0)
		return;
	while (order[off] != TRIAL_RUNS_OFF)
		off++;
	order[off] = order[0];
	order[0] = TRIAL_RUNS_OFF;
}

static int trial_runs_run_round(struct trial_runs *trial, size_t round,
                                struct child_outcome *outcomes)
{
	size_t order[RUN_ORDER_SIDES];
	int status = TOOL_FINE;
	trial_runs_find_order(trial, round, order);
	for (size_t i = 0; status == TOOL_FINE && i < trial->sides; i++)
		status = trial_runs_run_side(trial, order[i], false, &outcomes[order[i]]);
	return status;
}

static int trial_runs_warm_up(struct trial_runs *trial)
{
	struct child_outcome outcome;
	int status = TOOL_FINE;
	for (size_t run = 0; run < trial->warmup_runs; run++)
		for (size_t side = 0; status == TOOL_FINE && side < trial->sides; side++)
			status = trial_runs_run_side(trial, side, run == 0, &outcome);
	return status;
}

static void trial_runs_format_estimate(const struct trial_runs *trial, char out[BAR_ESTIMATE_BYTES])
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

static void trial_runs_format_left(const struct trial_runs *trial, double passed_ns,
                                   char out[HUMAN_BYTES])
{
	const double rounds = (double)trial->rounds;
	double left_ns = passed_ns / rounds * ((double)trial->runs - rounds);
	if (trial->seconds > 0)
		left_ns = fmax(fmin(left_ns, trial->seconds * 1e9 - passed_ns), 0);
	human_format_time((uint64_t)(ceil(left_ns / 1e9) * 1e9), out);
}

/* The share that is done, of the rounds or of the time, whichever is larger. */
static double trial_runs_find_share(const struct trial_runs *trial, double passed_ns)
{
	const double done = (double)trial->rounds / (double)trial->runs;
	return trial->seconds > 0 ? fmin(fmax(done, passed_ns / (trial->seconds * 1e9)), 1) : done;
}

/* Draws a line with a bar on stderr; nothing if stderr is no terminal. */
static void trial_runs_draw_bar(const struct trial_runs *trial, int64_t start_ns)
{
	char runs[BAR_RUNS_BYTES] = "", estimate[BAR_ESTIMATE_BYTES] = "", left[HUMAN_BYTES] = "";
	const double passed_ns = (double)(clock_monotonic_ns() - start_ns);
	if (!progress_bar_is_seen())
		return;
	if (trial->seconds <= 0)
		snprintf(runs, sizeof runs, " of %zu", trial->runs);
	if (trial->rounds > 0) {
		trial_runs_format_estimate(trial, estimate);
		trial_runs_format_left(trial, passed_ns, left);
	}
	progress_bar_draw(trial_runs_find_share(trial, passed_ns), "round %zu%s%s%s%s%s",
	                  trial->rounds + 1, runs, estimate, left[0] != '\0' ? "  " : "", left,
	                  left[0] != '\0' ? " left" : "");
}

/* Whether there is time for another round as long as the longest so far. */
static bool trial_runs_has_time(const struct trial_runs *trial, int64_t start_ns,
                                int64_t longest_ns)
{
	return trial->seconds <= 0 || trial->rounds == 0 ||
	       (double)(clock_monotonic_ns() - start_ns + longest_ns) <= trial->seconds * 1e9;
}

static void trial_runs_read_side(const struct trial_runs *trial, struct trial_side *side)
{
	counters_store_read(&side->store, &side->counters, trial->since_ns);
}

/* A store that is filling is read and replaced, so that any number of rounds can be counted. */
static bool trial_runs_renew_stores(struct trial_runs *trial)
{
	for (size_t i = TRIAL_RUNS_ON; i < trial->sides; i++) {
		struct trial_side *side = &trial->side[i];
		if (!counters_store_is_filling(&side->store))
			continue;
		trial_runs_read_side(trial, side);
		counters_store_free(&side->store);
		if (!counters_store_make(&side->store))
			return false;
		environment_set_option(&side->environment, "counters", side->store.name);
	}
	return true;
}

static int trial_runs_time_rounds(struct trial_runs *trial)
{
	const int64_t start_ns = clock_monotonic_ns();
	int64_t longest_ns = 0;
	int status = TOOL_FINE;
	while (status == TOOL_FINE && trial->rounds < trial->runs &&
	       trial_runs_has_time(trial, start_ns, longest_ns)) {
		const int64_t begin_ns = clock_monotonic_ns();
		const size_t runs = (trial->rounds + 1) * trial->sides;
		trial->outcomes =
			say_need(reallocarray(trial->outcomes, runs, sizeof *trial->outcomes));
		trial_runs_draw_bar(trial, start_ns);
		status = trial_runs_run_round(trial, trial->rounds,
		                              &trial->outcomes[trial->rounds * trial->sides]);
		const int64_t round_ns = clock_monotonic_ns() - begin_ns;
		longest_ns = round_ns > longest_ns ? round_ns : longest_ns;
		if (status == TOOL_FINE)
			trial->rounds++;
		if (status == TOOL_FINE && !trial_runs_renew_stores(trial))
			status = TOOL_NOT_RUN;
	}
	progress_bar_clear();
	return status;
}

int trial_runs_run(struct trial_runs *trial)
{
	trial->input = trial_runs_open_input();
	trial->first.file = -1;
	for (size_t side = 0; side < trial->sides; side++)
		trial->side[side].status = -1;
	int status = trial_runs_warm_up(trial);
	trial->since_ns = clock_realtime_ns();
	if (status == TOOL_FINE)
		status = trial_runs_time_rounds(trial);
	for (size_t side = TRIAL_RUNS_ON; status == TOOL_FINE && side < trial->sides; side++)
		trial_runs_read_side(trial, &trial->side[side]);
	return status;
}

/* At least 1 ns, for the logarithm. */
static double trial_runs_time(const struct trial_runs *trial, size_t round, size_t side)
{
	return fmax((double)trial->outcomes[round * trial->sides + side].wall_ns, 1);
}

double *trial_runs_list_times(const struct trial_runs *trial, size_t side)
{
	double *times = say_need(calloc(trial->rounds + 1, sizeof *times));
	for (size_t round = 0; round < trial->rounds; round++)
		times[round] = trial_runs_time(trial, round, side);
	return times;
}

double *trial_runs_list_differences(const struct trial_runs *trial, size_t side, size_t other)
{
	double *differences = say_need(calloc(trial->rounds + 1, sizeof *differences));
	for (size_t round = 0; round < trial->rounds; round++)
		differences[round] = log(trial_runs_time(trial, round, side) /
		                         trial_runs_time(trial, round, other));
	return differences;
}

int64_t trial_runs_repeat(struct trial_runs *trial, const struct environment *environment)
{
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	const struct child launch = {trial->words, environment, trial->input, nowhere, nowhere};
	struct child_outcome outcome;
	if (nowhere < 0)
		return -1;
	lseek(trial->input, 0, SEEK_SET);
	child_run(&launch, &outcome);
	close(nowhere);
	return outcome.start_error == 0 && child_interrupted() == 0 ? outcome.wall_ns : -1;
}

void trial_runs_free(struct trial_runs *trial)
{
	child_output_free(&trial->first);
	if (trial->input > STDERR_FILENO)
		close(trial->input);
	for (size_t i = 0; i < trial->sides; i++) {
		struct trial_side *side = &trial->side[i];
		environment_free(&side->environment);
		counters_read_free(&side->counters);
		counters_store_free(&side->store);
		free(side->name);
	}
	free(trial->outcomes);
}
