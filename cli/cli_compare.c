/* cli_compare.c - `gpushim compare`: does the shim pay for this program? */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_compare.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/cli_compare_report.h"
#include "cli/cli_place.h"
#include "cli/cli_predict.h"
#include "cli/cli_program.h"
#include "cli/cli_say.h"
#include "cli/cli_statistics.h"

enum { COMPARE_RUNS = 10, COMPARE_WARMUP_RUNS = 1, COMPARE_SEED = 1 };

static const double compare_tolerance = 1e-9;
static const char compare_machine[] = "h200"; /* the reference machine of predictions */

static int cli_compare_inspect(const char *name)
{
	static struct cli_program program;
	cli_program_inspect(&program, name);
	if (program.error != 0) {
		cli_say("cannot run '%s': %s", name, cli_say_error(program.error));
		return CLI_NOT_RUN;
	}
	if (program.kind == CLI_PROGRAM_FOREIGN) {
		cli_say("%s, so there is nothing to compare", program.sentence);
		return CLI_NOT_RUN;
	}
	if (program.sentence[0] != '\0')
		cli_say("%s; both sides run without it", program.sentence);
	return CLI_FINE;
}

static void cli_compare_set_libraries(struct cli_compare *compare, const char *shim, const char *audit)
{
	struct cli_side *side = compare->trial.side;
	cli_environment_preload(&side[CLI_TRIAL_OFF].environment, NULL);
	cli_environment_audit(&side[CLI_TRIAL_OFF].environment, NULL);
	for (size_t i = CLI_TRIAL_ON; i < compare->trial.sides; i++) {
		cli_environment_preload(&side[i].environment, shim);
		if (compare->audited)
			cli_environment_audit(&side[i].environment, audit);
	}
}

/* Each side has a folder of counters of its own. */
static bool cli_compare_make_folders(struct cli_trial *trial)
{
	for (size_t i = CLI_TRIAL_ON; i < trial->sides; i++) {
		struct cli_side *side = &trial->side[i];
		side->folder = cli_harvest_make_folder();
		if (side->folder == NULL)
			return false;
		cli_environment_set_option(&side->environment, "counters", side->folder);
	}
	return true;
}

static bool cli_compare_prepare(struct cli_compare *compare)
{
	char *shim = cli_place_find_shim();
	char *audit = shim != NULL && compare->audited ? cli_place_find_audit(shim) : NULL;
	const bool found = shim != NULL && (audit != NULL || !compare->audited);
	if (found)
		cli_compare_set_libraries(compare, shim, audit);
	free(shim);
	free(audit);
	return found && cli_compare_make_folders(&compare->trial) && cli_compare_export_check(compare);
}

static void cli_compare_predict(struct cli_compare *compare)
{
	struct cli_trial *trial = &compare->trial;
	double *times = cli_trial_list_times(trial, CLI_TRIAL_OFF);
	const double off_ns = cli_statistics_compute(times, trial->rounds).median;
	for (size_t side = CLI_TRIAL_ON; side < trial->sides; side++) {
		const struct cli_harvest *harvest = &trial->side[side].harvest;
		if (cli_compare_decisions_are_open(harvest) && cli_compare_decisions_count_gpu(harvest) == 0)
			cli_predict_print(trial, side, compare->profile, off_ns);
	}
	free(times);
}

/* Outputs that differ are worse than lost time. */
static int cli_compare_judge(const struct cli_compare *compare)
{
	int status = CLI_FINE;
	for (size_t i = 0; i < compare->trial.sides; i++) {
		const struct cli_side *side = &compare->trial.side[i];
		if ((i != CLI_TRIAL_OFF && side->difference.kind == CLI_DIFFERENCE_FOUND) || side->status_differs)
			return CLI_DIFFERENT;
		if (i == CLI_TRIAL_OFF || compare->slower_percent < 0)
			continue;
		if (compare->result[i].verdict == CLI_COMPARE_UNKNOWN)
			status = CLI_NOT_RUN;
		else if (status == CLI_FINE && compare->result[i].low > 1 + compare->slower_percent / 100)
			status = CLI_SLOWER;
	}
	if (status == CLI_NOT_RUN)
		cli_say("only %zu round%s fitted into --seconds %g: too few to tell whether the program is slower",
		        compare->trial.rounds, compare->trial.rounds == 1 ? "" : "s", compare->trial.seconds);
	return status;
}

static int cli_compare_run(struct cli_compare *compare)
{
	struct cli_trial *trial = &compare->trial;
	int status = cli_compare_inspect(trial->words[0]);
	if (status == CLI_FINE && !cli_compare_prepare(compare))
		status = CLI_NOT_RUN;
	if (status == CLI_FINE)
		status = cli_trial_run(trial);
	if (status != CLI_FINE)
		return status;
	for (size_t side = CLI_TRIAL_ON; side < trial->sides; side++)
		compare->result[side] = cli_compare_result_find(trial, side);
	cli_compare_report_print(compare);
	cli_compare_predict(compare);
	if (!cli_compare_export_write(compare))
		return CLI_NOT_RUN;
	return cli_compare_judge(compare);
}

static void cli_compare_begin(struct cli_compare *compare)
{
	*compare = (struct cli_compare){.profile = compare_machine, .slower_percent = -1};
	compare->trial = (struct cli_trial){.warmup_runs = COMPARE_WARMUP_RUNS,
	                                    .tolerance = compare_tolerance,
	                                    .seed = COMPARE_SEED,
	                                    .sides = 2,
	                                    .input = -1,
	                                    .first = {.file = -1}};
	for (size_t side = 0; side < compare->trial.sides; side++)
		cli_environment_copy(&compare->trial.side[side].environment, environ);
	compare->trial.side[CLI_TRIAL_OFF].name = cli_say_text("shim off");
	compare->trial.side[CLI_TRIAL_ON].name = cli_say_text("shim on");
}

int cli_compare_serve(char **words)
{
	static struct cli_compare compare;
	struct cli_arguments arguments = {.rest = words};
	int status = CLI_FINE;
	cli_compare_begin(&compare);
	while (status == CLI_FINE && cli_arguments_take(&arguments))
		if (!cli_compare_options_set(&compare, &arguments))
			status = CLI_USAGE;
	compare.trial.words = arguments.rest;
	if (status == CLI_FINE && arguments.rest[0] == NULL)
		status = cli_say_refusal(
			"no program to compare; usage: gpushim compare [OPTION]... [--] PROGRAM [ARGUMENT]...");
	if (status == CLI_FINE &&
	    !(cli_compare_options_settle(&compare, COMPARE_RUNS) && cli_compare_try_make_sides(&compare)))
		status = CLI_USAGE;
	if (status == CLI_FINE)
		status = cli_compare_run(&compare);
	cli_trial_free(&compare.trial);
	return status;
}
