/* cli_trial.c - one pair to warm up, then pairs in alternating order */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/cli_say.h"

enum { TRIAL_COPY_BYTES = 65536 };

static const char *const trial_side_name[CLI_SIDES] = {"without the shim", "with the shim"};

int cli_trial_make_file(void)
{
	const char *folder = getenv("TMPDIR");
	char *path = cli_say_text("%s/gpushim-output-XXXXXX", folder != NULL && folder[0] == '/' ? folder : "/tmp");
	const int fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	else
		cli_say("cannot keep the program's output in '%s': %s", path, cli_say_error(errno));
	free(path);
	return fd;
}

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

static int cli_trial_note_failure(const struct cli_trial *trial, enum cli_side side, const struct cli_outcome *outcome)
{
	if (outcome->start_error == 0)
		return CLI_FINE;
	cli_say("cannot run '%s' %s: %s", trial->words[0], trial_side_name[side], cli_say_error(outcome->start_error));
	return CLI_NOT_RUN;
}

/* The worst of what was seen stays; of equals the first. */
static void cli_trial_keep_worst(struct cli_difference *worst, const struct cli_difference *found)
{
	if (found->kind > worst->kind || (found->kind == CLI_DIFFERENCE_NUMBERS &&
	                                  worst->kind == CLI_DIFFERENCE_NUMBERS && found->deviation > worst->deviation))
		*worst = *found;
}

static int cli_trial_check_output(struct cli_trial *trial, enum cli_side side, int output)
{
	struct cli_difference found;
	const int error = cli_difference_find(trial->output, output, trial->tolerance, &found);
	if (error != 0)
		cli_say("cannot read the program's output again: %s", cli_say_error(error));
	else
		cli_trial_keep_worst(side == CLI_SIDE_ON ? &trial->difference : &trial->unstable, &found);
	return error == 0 ? CLI_FINE : CLI_NOT_RUN;
}

static void cli_trial_check_status(struct cli_trial *trial, enum cli_side side, int status)
{
	if (trial->status[side] < 0)
		trial->status[side] = status;
	if (trial->status[CLI_SIDE_OFF] >= 0 && status != trial->status[CLI_SIDE_OFF]) {
		trial->status[side] = status;
		trial->status_differs = true;
	}
}

static int cli_trial_judge_run(struct cli_trial *trial, enum cli_side side, const struct cli_outcome *outcome,
                               int output)
{
	int status = cli_trial_note_failure(trial, side, outcome);
	if (status != CLI_FINE)
		return status;
	if (cli_launch_interrupted() != 0)
		return 128 + cli_launch_interrupted();
	cli_trial_check_status(trial, side, cli_launch_status(outcome));
	if (trial->output < 0) {
		trial->output = fcntl(output, F_DUPFD_CLOEXEC, 3);
		return trial->output >= 0 ? CLI_FINE : CLI_NOT_RUN;
	}
	return cli_trial_check_output(trial, side, output);
}

/* loud: its stderr is the tool's; else it is shown only when the run fails unlike all before it. */
static int cli_trial_run_side(struct cli_trial *trial, enum cli_side side, bool loud, struct cli_outcome *outcome)
{
	const int output = cli_trial_make_file(), error = loud ? -1 : cli_trial_make_file();
	int status = CLI_NOT_RUN;
	if (output >= 0 && (loud || error >= 0)) {
		const int before = trial->status[side];
		const struct cli_launch launch = {trial->words, &trial->environment[side], trial->input, output, error};
		lseek(trial->input, 0, SEEK_SET);
		cli_launch_program(&launch, outcome);
		status = cli_trial_judge_run(trial, side, outcome, output);
		if (!loud && cli_launch_status(outcome) != 0 && cli_launch_status(outcome) != before)
			cli_trial_show_file(error);
	}
	if (output >= 0)
		close(output);
	if (error >= 0)
		close(error);
	return status;
}

static int cli_trial_run_pair(struct cli_trial *trial, bool on_first, bool loud, struct cli_pair *pair)
{
	const enum cli_side first = on_first ? CLI_SIDE_ON : CLI_SIDE_OFF;
	const int status = cli_trial_run_side(trial, first, loud, &pair->outcome[first]);
	if (status != CLI_FINE)
		return status;
	return cli_trial_run_side(trial, !first, loud, &pair->outcome[!first]);
}

int cli_trial_run(struct cli_trial *trial)
{
	struct cli_pair warmup;
	trial->input = cli_trial_open_input();
	trial->output = -1;
	trial->status[CLI_SIDE_OFF] = trial->status[CLI_SIDE_ON] = -1;
	trial->pairs = cli_say_need(calloc(trial->runs, sizeof *trial->pairs));
	int status = cli_trial_run_pair(trial, false, true, &warmup);
	for (; status == CLI_FINE && trial->pair_count < trial->runs; trial->pair_count++)
		status = cli_trial_run_pair(trial, trial->pair_count % 2 == 1, false, &trial->pairs[trial->pair_count]);
	if (status == CLI_FINE)
		cli_harvest_read(&trial->harvest, trial->folder,
		                 trial->pairs[0].outcome[CLI_SIDE_OFF].start_realtime_ns);
	return status;
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
	if (trial->output > STDERR_FILENO)
		close(trial->output);
	if (trial->input > STDERR_FILENO)
		close(trial->input);
	for (int side = 0; side < CLI_SIDES; side++)
		cli_environment_free(&trial->environment[side]);
	cli_harvest_free(&trial->harvest);
	if (trial->folder != NULL)
		cli_harvest_remove_folder(trial->folder);
	free(trial->pairs);
}
