/* cli_trial.c - rounds to warm up, then rounds that count, each with one run of every side */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_trial.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/cli_bar.h"
#include "cli/cli_say.h"
#include "cli/cli_trial_bar.h"
#include "shim/base/clock.h"

enum { TRIAL_COPY_BYTES = 65536 };

/* A regular file can be read again in each run; of anything else there is only one. */
static int cli_trial_open_input(void)
{
	struct stat status;
	if (fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode))
		return STDIN_FILENO;
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* What a failed run said on stderr. */
static void cli_trial_show_file(int fd)
{
	char bytes[TRIAL_COPY_BYTES];
	off_t at = 0;
	for (ssize_t got; (got = pread(fd, bytes, sizeof bytes, at)) > 0; at += got)
		if (write(STDERR_FILENO, bytes, (size_t)got) < 0)
			return;
}

/* The worst of what was seen stays; of equals the first. */
static void cli_trial_keep_worst(struct cli_difference *worst, const struct cli_difference *found)
{
	if (found->kind > worst->kind || (found->kind == CLI_DIFFERENCE_NUMBERS &&
	                                  worst->kind == CLI_DIFFERENCE_NUMBERS && found->deviation > worst->deviation))
		*worst = *found;
}

/* What was not kept is equal or not. */
static void cli_trial_check_rest(const struct cli_capture *first, const struct cli_capture *output,
                                 struct cli_difference *found)
{
	const uint64_t kept = CLI_CAPTURE_KEPT_BYTES;
	if (found->kind == CLI_DIFFERENCE_FOUND || (first->total_bytes <= kept && output->total_bytes <= kept) ||
	    (first->total_bytes == output->total_bytes && first->rest == output->rest))
		return;
	*found = (struct cli_difference){.kind = CLI_DIFFERENCE_FOUND};
	cli_difference_describe_rest(found, first->total_bytes, output->total_bytes);
}

static int cli_trial_check_output(struct cli_trial *trial, struct cli_side *side, const struct cli_capture *output)
{
	struct cli_difference found;
	const int error = cli_difference_find(trial->first.file, output->file, trial->tolerance, &found);
	if (error != 0) {
		cli_say("cannot read the program's output again: %s", cli_say_error(error));
		return CLI_NOT_RUN;
	}
	cli_trial_check_rest(&trial->first, output, &found);
	cli_trial_keep_worst(&side->difference, &found);
	return CLI_FINE;
}

static void cli_trial_check_status(struct cli_trial *trial, struct cli_side *side, int status)
{
	const int expected = trial->side[CLI_TRIAL_OFF].status;
	if (side->status < 0)
		side->status = status;
	if (expected >= 0 && status != expected) {
		side->status = status;
		side->status_differs = true;
	}
}

/* The first output of all is the one that the others are compared with; it must be one without the shim. */
static int cli_trial_judge_run(struct cli_trial *trial, struct cli_side *side, const struct cli_outcome *outcome,
                               struct cli_capture *output)
{
	if (outcome->start_error != 0) {
		cli_say("cannot run '%s' (%s): %s", trial->words[0], side->name, cli_say_error(outcome->start_error));
		return CLI_NOT_RUN;
	}
	if (cli_launch_interrupted() != 0)
		return 128 + cli_launch_interrupted();
	if (output->error != 0) {
		cli_say("cannot keep the program's output: %s; TMPDIR can name a folder with more room",
		        cli_say_error(output->error));
		return CLI_NOT_RUN;
	}
	cli_trial_check_status(trial, side, cli_launch_status(outcome));
	if (trial->first.file >= 0)
		return cli_trial_check_output(trial, side, output);
	trial->first = *output;
	output->file = -1;
	return CLI_FINE;
}

/* loud: its stderr is the tool's; else it is shown only when the run fails unlike all before it. */
static int cli_trial_run_side(struct cli_trial *trial, size_t index, bool loud, struct cli_outcome *outcome)
{
	struct cli_side *side = &trial->side[index];
	struct cli_capture output, error = {.file = -1, .inlet = -1};
	const int before = side->status;
	if (!cli_capture_start(&output))
		return CLI_NOT_RUN;
	const bool ready = loud || cli_capture_start(&error);
	const struct cli_launch launch = {trial->words, &side->environment, trial->input, output.inlet, error.inlet};
	lseek(trial->input, 0, SEEK_SET);
	if (ready)
		cli_launch_program(&launch, outcome);
	cli_capture_finish(&output);
	if (ready && !loud)
		cli_capture_finish(&error);
	const int status = ready ? cli_trial_judge_run(trial, side, outcome, &output) : CLI_NOT_RUN;
	if (ready && !loud && cli_launch_status(outcome) != 0 && cli_launch_status(outcome) != before) {
		cli_bar_clear();
		cli_trial_show_file(error.file);
	}
	cli_capture_free(&output);
	cli_capture_free(&error);
	return status;
}

void cli_trial_find_order(const struct cli_trial *trial, size_t round, size_t order[CLI_ORDER_SIDES])
{
	size_t off = 0;
	cli_order_find(trial->seed, round, trial->sides, order);
	if (round > 0 || trial->warmup_runs > 0)
		return;
	while (order[off] != CLI_TRIAL_OFF)
		off++;
	order[off] = order[0];
	order[0] = CLI_TRIAL_OFF;
}

static int cli_trial_run_round(struct cli_trial *trial, size_t round, struct cli_outcome *outcomes)
{
	size_t order[CLI_ORDER_SIDES];
	int status = CLI_FINE;
	cli_trial_find_order(trial, round, order);
	for (size_t i = 0; status == CLI_FINE && i < trial->sides; i++)
		status = cli_trial_run_side(trial, order[i], false, &outcomes[order[i]]);
	return status;
}

static int cli_trial_warm_up(struct cli_trial *trial)
{
	struct cli_outcome outcome;
	int status = CLI_FINE;
	for (size_t run = 0; run < trial->warmup_runs; run++)
		for (size_t side = 0; status == CLI_FINE && side < trial->sides; side++)
			status = cli_trial_run_side(trial, side, run == 0, &outcome);
	return status;
}

/* Whether another round as long as the longest so far ends in time. */
static bool cli_trial_has_time(const struct cli_trial *trial, int64_t start_ns, int64_t longest_ns)
{
	return trial->seconds <= 0 || trial->rounds == 0 ||
	       (double)(clock_monotonic_ns() - start_ns + longest_ns) <= trial->seconds * 1e9;
}

static int cli_trial_time_rounds(struct cli_trial *trial)
{
	const int64_t start_ns = clock_monotonic_ns();
	int64_t longest_ns = 0;
	int status = CLI_FINE;
	while (status == CLI_FINE && trial->rounds < trial->runs && cli_trial_has_time(trial, start_ns, longest_ns)) {
		const int64_t begin_ns = clock_monotonic_ns();
		const size_t runs = (trial->rounds + 1) * trial->sides;
		trial->outcomes = cli_say_need(reallocarray(trial->outcomes, runs, sizeof *trial->outcomes));
		cli_trial_bar_draw(trial, start_ns);
		status = cli_trial_run_round(trial, trial->rounds, &trial->outcomes[trial->rounds * trial->sides]);
		const int64_t round_ns = clock_monotonic_ns() - begin_ns;
		longest_ns = round_ns > longest_ns ? round_ns : longest_ns;
		if (status == CLI_FINE)
			trial->rounds++;
	}
	cli_bar_clear();
	return status;
}

int cli_trial_run(struct cli_trial *trial)
{
	trial->input = cli_trial_open_input();
	trial->first.file = -1;
	for (size_t side = 0; side < trial->sides; side++)
		trial->side[side].status = -1;
	int status = cli_trial_warm_up(trial);
	const int64_t since_ns = clock_realtime_ns();
	if (status == CLI_FINE)
		status = cli_trial_time_rounds(trial);
	for (size_t side = CLI_TRIAL_ON; status == CLI_FINE && side < trial->sides; side++)
		cli_harvest_read(&trial->side[side].harvest, trial->side[side].folder, since_ns);
	return status;
}

/* Of a clock that stood still a logarithm could not be taken. */
static double cli_trial_time(const struct cli_trial *trial, size_t round, size_t side)
{
	return fmax((double)trial->outcomes[round * trial->sides + side].wall_ns, 1);
}

double *cli_trial_list_times(const struct cli_trial *trial, size_t side)
{
	double *times = cli_say_need(calloc(trial->rounds + 1, sizeof *times));
	for (size_t round = 0; round < trial->rounds; round++)
		times[round] = cli_trial_time(trial, round, side);
	return times;
}

double *cli_trial_list_differences(const struct cli_trial *trial, size_t side, size_t other)
{
	double *differences = cli_say_need(calloc(trial->rounds + 1, sizeof *differences));
	for (size_t round = 0; round < trial->rounds; round++)
		differences[round] = log(cli_trial_time(trial, round, side) / cli_trial_time(trial, round, other));
	return differences;
}

int64_t cli_trial_repeat(struct cli_trial *trial, const struct cli_environment *environment)
{
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	const struct cli_launch launch = {trial->words, environment, trial->input, nowhere, nowhere};
	struct cli_outcome outcome;
	if (nowhere < 0)
		return -1;
	lseek(trial->input, 0, SEEK_SET);
	cli_launch_program(&launch, &outcome);
	close(nowhere);
	return outcome.start_error == 0 && cli_launch_interrupted() == 0 ? outcome.wall_ns : -1;
}

void cli_trial_free(struct cli_trial *trial)
{
	cli_capture_free(&trial->first);
	if (trial->input > STDERR_FILENO)
		close(trial->input);
	for (size_t i = 0; i < trial->sides; i++) {
		struct cli_side *side = &trial->side[i];
		cli_environment_free(&side->environment);
		cli_harvest_free(&side->harvest);
		if (side->folder != NULL)
			cli_harvest_remove_folder(side->folder);
		free(side->name);
	}
	free(trial->outcomes);
}
