/* trial_launch.c - starts the program with its output captured */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/trial_launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/common/progress_bar.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "cli/compare/trial_check.h"
#include "cli/process/launcher.h"

enum { TRIAL_SHOWN_BYTES = 4096 };

/* Copies the end of what a failed run wrote to stderr to the tool's stderr. */
static void trial_launch_show_error(const struct child_output *error)
{
	char bytes[TRIAL_SHOWN_BYTES];
	const off_t end = lseek(error->file, 0, SEEK_END);
	const off_t begin = end > TRIAL_SHOWN_BYTES ? end - TRIAL_SHOWN_BYTES : 0;
	const ssize_t got = pread(error->file, bytes, sizeof bytes, begin);
	progress_bar_clear();
	if (begin > 0)
		say("the last %d bytes that the program wrote to stderr:", TRIAL_SHOWN_BYTES);
	if (got > 0 && write(STDERR_FILENO, bytes, (size_t)got) < 0)
		return; /* stderr is closed */
}

/* Runs the command of --prepare, without the shim. */
static int trial_launch_prepare(struct trial_runs *trial, const struct trial_side *side)
{
	char *words[] = {"/bin/sh", "-c", NULL, NULL};
	struct child_outcome outcome;
	if (trial->prepare == NULL)
		return TOOL_FINE;
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	const struct child launch = {words, &trial->side[TRIAL_RUNS_OFF].environment, nowhere,
	                             nowhere, -1};
	words[2] = say_text("%s", trial->prepare);
	child_run(&launch, &outcome);
	free(words[2]);
	if (nowhere >= 0)
		close(nowhere);
	if (child_interrupted() != 0)
		return 128 + child_interrupted();
	if (outcome.start_error == 0 && outcome.status == 0)
		return TOOL_FINE;
	char *end = outcome.start_error != 0 ? say_text("could not be started")
	                                     : child_describe_end(&outcome);
	trial_runs_stop(
		trial, "--prepare failed",
		"the command of --prepare %s, before a run of '%s'; a command that may fail "
		"can be followed by || true",
		end, side->name);
	free(end);
	return TOOL_NOT_RUN;
}

/* Runs the program with its output captured, error too unless loud. */
static int trial_launch_program(struct trial_runs *trial, size_t index, bool loud,
                                struct child_output *error, struct child_outcome *outcome)
{
	struct trial_side *side = &trial->side[index];
	struct child_output output;
	if (!child_output_start(&output))
		return TOOL_NOT_RUN;
	const bool ready = loud || child_output_start(error);
	const struct child launch = {side->words != NULL ? side->words : trial->words,
	                             &side->environment, trial->input, output.inlet, error->inlet};
	lseek(trial->input, 0, SEEK_SET);
	if (ready)
		child_run(&launch, outcome);
	terminal_keep_restore(&trial->terminal);
	child_output_finish(&output);
	if (ready && !loud)
		child_output_finish(error);
	int status = TOOL_NOT_RUN;
	if (ready) {
		side->lingering +=
			child_interrupted() == 0 && (output.held || (!loud && error->held));
		status = trial_check_run(trial, index, outcome, &output);
	}
	child_output_free(&output);
	return status;
}

int trial_launch_side(struct trial_runs *trial, size_t index, bool loud,
                      struct child_outcome *outcome)
{
	struct trial_side *side = &trial->side[index];
	struct child_output error = {.file = -1, .inlet = -1};
	if (child_interrupted() != 0)
		return 128 + child_interrupted();
	int status = trial_launch_prepare(trial, side);
	if (status != TOOL_FINE)
		return status;
	const struct status_list before = side->statuses;
	status = trial_launch_program(trial, index, loud, &error, outcome);
	const int ended = error.file >= 0 ? child_status(outcome) : 0;
	if (ended != 0 && child_interrupted() == 0 && before.runs[ended] == 0)
		trial_launch_show_error(&error);
	child_output_free(&error);
	if (status == TOOL_FINE && trial_check_wants_repeat(trial, index)) {
		struct child_outcome again;
		status = trial_launch_side(trial, TRIAL_RUNS_OFF, false, &again);
	}
	return status;
}

int64_t trial_runs_repeat(struct trial_runs *trial, const struct environment *environment)
{
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct environment own;
	struct child_outcome outcome;
	if (nowhere < 0)
		return -1;
	environment_copy(&own, environment->entries);
	char **words = launcher_forward(&trial->front, trial->words, &own);
	const struct child launch = {words, &own, trial->input, nowhere, nowhere};
	lseek(trial->input, 0, SEEK_SET);
	if (trial_launch_prepare(trial, &trial->side[TRIAL_RUNS_OFF]) == TOOL_FINE)
		child_run(&launch, &outcome);
	else
		outcome.start_error = ECANCELED;
	close(nowhere);
	launcher_free_words(words);
	environment_free(&own);
	return outcome.start_error == 0 && child_interrupted() == 0 ? outcome.wall_ns : -1;
}
