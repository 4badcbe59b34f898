/* compare.c - `gpushim compare`: runs a program without and with the shim and compares times */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/arguments.h"
#include "cli/common/install_paths.h"
#include "cli/common/known_machine.h"
#include "cli/common/say.h"
#include "cli/common/statistics.h"
#include "cli/common/tool.h"
#include "cli/compare/compare_parts.h"
#include "cli/compare/interval.h"
#include "cli/compare/trial_check.h"
#include "cli/process/front_words.h"
#include "cli/process/launcher.h"

enum { COMPARE_RUNS = 10, COMPARE_RUNS_MAX = 10000 };

static const double compare_confidence = 0.95;

static int compare_inspect(struct trial_runs *trial)
{
	static struct program_file program;
	const char *name = trial->words[0];
	front_words_inspect(&program, trial->words);
	if (program.error != 0) {
		say("cannot run '%s': %s", name, say_error(program.error));
		return TOOL_NOT_RUN;
	}
	if (program.kind == PROGRAM_FILE_FOREIGN) {
		say("%s, so there is nothing to compare", program.sentence);
		return TOOL_NOT_RUN;
	}
	if (program.sentence[0] != '\0')
		say("%s; both sides run without it", program.sentence);
	trial->reached = program.sentence[0] == '\0';
	return TOOL_FINE;
}

static void compare_set_libraries(struct compare *compare, const char *shim, const char *audit)
{
	struct trial_side *side = compare->trial.side;
	environment_preload(&side[TRIAL_RUNS_OFF].environment, NULL);
	environment_audit(&side[TRIAL_RUNS_OFF].environment, NULL);
	for (size_t i = TRIAL_RUNS_ON; i < compare->trial.sides; i++) {
		environment_preload(&side[i].environment, shim);
		if (compare->arguments->audit)
			environment_audit(&side[i].environment, audit);
	}
}

/* Each side with the shim has counters of its own. */
static bool compare_make_stores(struct trial_runs *trial)
{
	for (size_t i = TRIAL_RUNS_ON; i < trial->sides; i++) {
		struct trial_side *side = &trial->side[i];
		if (!trial_runs_make_store(trial, side))
			return false;
	}
	for (size_t i = 0; i < trial->sides; i++)
		trial->side[i].words =
			launcher_forward(&trial->front, trial->words, &trial->side[i].environment);
	return true;
}

static bool compare_prepare(struct compare *compare)
{
	char *shim = install_paths_need_shim();
	char *audit =
		shim != NULL && compare->arguments->audit ? install_paths_find_audit(shim) : NULL;
	const bool found = shim != NULL && (audit != NULL || !compare->arguments->audit);
	if (found)
		compare_set_libraries(compare, shim, audit);
	free(shim);
	free(audit);
	return found && compare_make_stores(&compare->trial) && compare_export_check(compare);
}

static void compare_predict(struct compare *compare)
{
	const char *named = compare->arguments->profile;
	struct trial_runs *trial = &compare->trial;
	double *times = trial_runs_list_times(trial, TRIAL_RUNS_OFF);
	const double off_ns = statistics_compute(times, trial->rounds).median;
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++) {
		const struct counters_read *counters = &trial->side[side].counters;
		if (compare_decisions_are_open(counters) &&
		    compare_decisions_count_gpu(counters) == 0)
			compare_dry_print(compare, side, named, off_ns);
	}
	free(times);
}

/* The exit status: a different output or status takes precedence over lost time. */
static int compare_judge(const struct compare *compare)
{
	const struct trial_runs *trial = &compare->trial;
	const double slower_percent = compare->arguments->fail_if_slower;
	int status = TOOL_FINE;
	for (size_t i = TRIAL_RUNS_ON; i < trial->sides; i++) {
		if (trial_check_judge(trial, i).kind == DIFFERENCE_FOUND ||
		    trial_check_status_differs(trial, i))
			return TOOL_DIFFERENT;
		if (slower_percent < 0)
			continue;
		if (compare->result[i].verdict == COMPARE_UNKNOWN)
			status = TOOL_NOT_RUN;
		else if (status == TOOL_FINE && compare->result[i].low > 1 + slower_percent / 100)
			status = TOOL_SLOWER;
	}
	if (status == TOOL_NOT_RUN)
		say("only %zu round%s fitted into --seconds %g: too few to tell whether the "
		    "program is slower",
		    trial->rounds, trial->rounds == 1 ? "" : "s", trial->seconds);
	return status;
}

/* Tells what the rounds say, also where not all of them were run. false after a message. */
static bool compare_tell(struct compare *compare)
{
	struct trial_runs *trial = &compare->trial;
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++)
		compare->result[side] = compare_result_find(trial, side);
	if (trial->stopped == NULL && !compare->arguments->quiet)
		compare->alone_ns = compare_launch_measure(trial);
	compare_report_print(compare);
	if (trial->stopped == NULL)
		compare_predict(compare);
	return compare_export_write(compare);
}

static int compare_run(struct compare *compare)
{
	struct trial_runs *trial = &compare->trial;
	int status = compare_inspect(trial);
	bool told = true;
	if (status == TOOL_FINE && !compare_prepare(compare))
		status = TOOL_NOT_RUN;
	if (status == TOOL_FINE)
		status = trial_runs_run(trial);
	if (trial->rounds > 0)
		told = compare_tell(compare);
	if (trial->stopped != NULL)
		say("%s", trial->stopped);
	if (status == TOOL_FINE && child_interrupted() != 0)
		status = 128 + child_interrupted();
	if (status == TOOL_FINE && !told)
		status = TOOL_NOT_RUN;
	return status == TOOL_FINE ? compare_judge(compare) : status;
}

/* Sets up side 0 without the shim, and side 1 with the options of the command line. */
static void compare_begin(struct compare *compare, const struct compare_arguments *arguments)
{
	struct trial_side *side = compare->trial.side;
	compare->arguments = arguments;
	compare->trial = (struct trial_runs){.words = arguments->words.operands,
	                                     .front = front_words_find(arguments->words.operands),
	                                     .ignores_failure = arguments->ignore_failure,
	                                     .prepare = arguments->prepare,
	                                     .runs = arguments->runs,
	                                     .least_runs = arguments->min_runs,
	                                     .warmup_runs = arguments->warmup_runs,
	                                     .seconds = fmax(arguments->seconds, 0),
	                                     .tolerance = arguments->tolerance,
	                                     .seed = arguments->seed,
	                                     .sides = 2,
	                                     .input = -1,
	                                     .terminal = {.terminal = -1},
	                                     .first = {.file = -1}};
	if (arguments->runs == 0)
		compare->trial.runs = arguments->seconds > 0 ? COMPARE_RUNS_MAX : COMPARE_RUNS;
	if (arguments->runs == 0 && compare->trial.runs < arguments->min_runs)
		compare->trial.runs = arguments->min_runs;
	environment_copy(&side[TRIAL_RUNS_OFF].environment, environ);
	environment_copy(&side[TRIAL_RUNS_ON].environment, arguments->words.environment.entries);
	side[TRIAL_RUNS_OFF].name = say_text("shim off");
	side[TRIAL_RUNS_ON].name = say_text("shim on");
}

static bool compare_has_enough_runs(const struct compare *compare)
{
	const size_t least = interval_least_count(compare_confidence);
	if (compare->trial.runs < compare->arguments->min_runs) {
		say("--min-runs %llu is more than --runs %zu",
		    (unsigned long long)compare->arguments->min_runs, compare->trial.runs);
		return false;
	}
	if (compare->arguments->fail_if_slower < 0 || compare->trial.runs >= least)
		return true;
	say("--fail-if-slower needs --runs %zu or more: fewer allow no 95 %% interval", least);
	return false;
}

/*
 * The profile of a machine that comes with the shim is for the prediction alone. A file describes
 * this machine: the shim uses it too.
 */
static bool compare_set_profile(struct compare *compare)
{
	const char *named = compare->arguments->profile;
	if (named == NULL)
		return true;
	char *path = known_machine_find(named);
	if (path == NULL)
		return false;
	const bool is_file = strcmp(path, named) == 0;
	free(path);
	return !is_file || arguments_set_shim(&compare->trial.side[TRIAL_RUNS_ON].environment, "",
	                                      "profile", named);
}

int compare_serve(struct compare_arguments *arguments)
{
	static struct compare compare;
	int status = TOOL_USAGE;
	if (compare_launch_refuses())
		return TOOL_NOT_RUN;
	compare_begin(&compare, arguments);
	if (compare_set_profile(&compare) && compare_has_enough_runs(&compare) &&
	    compare_try_make_sides(&compare) && compare_try_name_sides(&compare))
		status = compare_run(&compare);
	trial_runs_free(&compare.trial);
	for (size_t side = 0; side < RUN_ORDER_SIDES; side++)
		free(compare.prediction[side]);
	return status;
}
