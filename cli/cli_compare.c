/* cli_compare.c - `gpushim compare`: does the shim pay for this program? */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/cli_arguments.h"
#include "cli/cli_place.h"
#include "cli/cli_program.h"
#include "cli/cli_report.h"
#include "cli/cli_say.h"
#include "cli/cli_trial.h"
#include "policy/number.h"

enum { COMPARE_RUNS = 5, COMPARE_RUNS_MAX = 10000 };

static const double compare_tolerance = 1e-9;

static bool cli_compare_set_runs(struct cli_trial *trial, const char *value)
{
	uint64_t runs = 0;
	if (value == NULL)
		return false;
	if (number_parse_count(value, strlen(value), &runs) != NUMBER_FINE || runs < 1 || runs > COMPARE_RUNS_MAX) {
		cli_say("--runs cannot be '%s'; allowed: a whole number, 1 to %d", value, COMPARE_RUNS_MAX);
		return false;
	}
	trial->runs = runs;
	return true;
}

static bool cli_compare_set_tolerance(struct cli_trial *trial, const char *value)
{
	if (value == NULL)
		return false;
	if (number_parse_real(value, strlen(value), &trial->tolerance) == NUMBER_FINE)
		return true;
	cli_say("--tolerance cannot be '%s'; allowed: a number, 0 or more", value);
	return false;
}

/* The option in hand. */
static bool cli_compare_set_option(struct cli_trial *trial, struct cli_arguments *arguments)
{
	if (cli_arguments_is(arguments, "runs"))
		return cli_compare_set_runs(trial, cli_arguments_take_value(arguments));
	if (cli_arguments_is(arguments, "tolerance"))
		return cli_compare_set_tolerance(trial, cli_arguments_take_value(arguments));
	if (cli_arguments_is(arguments, "audit")) {
		trial->audited = true;
		return cli_arguments_check_flag(arguments);
	}
	if (cli_arguments_is(arguments, "counters")) {
		cli_say("compare keeps the counters itself; --counters is an option of `gpushim run`");
		return false;
	}
	return cli_arguments_set_option(arguments, &trial->environment[CLI_SIDE_ON], "--audit, --runs, --tolerance");
}

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

static void cli_compare_set_libraries(struct cli_trial *trial, const char *shim, const char *audit)
{
	cli_environment_preload(&trial->environment[CLI_SIDE_OFF], NULL);
	cli_environment_audit(&trial->environment[CLI_SIDE_OFF], NULL);
	cli_environment_preload(&trial->environment[CLI_SIDE_ON], shim);
	if (trial->audited)
		cli_environment_audit(&trial->environment[CLI_SIDE_ON], audit);
}

static int cli_compare_run(struct cli_trial *trial)
{
	int status = cli_compare_inspect(trial->words[0]);
	char *shim = status == CLI_FINE ? cli_place_find_shim() : NULL;
	char *audit = shim != NULL && trial->audited ? cli_place_find_audit(shim) : NULL;
	const bool found = shim != NULL && (audit != NULL || !trial->audited);
	trial->folder = found ? cli_harvest_make_folder() : NULL;
	if (trial->folder != NULL) {
		cli_compare_set_libraries(trial, shim, audit);
		cli_environment_set_option(&trial->environment[CLI_SIDE_ON], "counters", trial->folder);
		status = cli_trial_run(trial);
		if (status == CLI_FINE)
			status = cli_report_print(trial);
	} else if (status == CLI_FINE) {
		status = CLI_NOT_RUN;
	}
	free(shim);
	free(audit);
	return status;
}

int cli_compare_serve(char **words)
{
	struct cli_arguments arguments = {.rest = words};
	struct cli_trial trial = {.runs = COMPARE_RUNS, .tolerance = compare_tolerance, .input = -1, .output = -1};
	int status = CLI_FINE;
	for (int side = 0; side < CLI_SIDES; side++)
		cli_environment_copy(&trial.environment[side], environ);
	while (status == CLI_FINE && cli_arguments_take(&arguments))
		if (!cli_compare_set_option(&trial, &arguments))
			status = CLI_USAGE;
	trial.words = arguments.rest;
	if (status == CLI_FINE && trial.words[0] == NULL)
		status = cli_say_refusal(
			"no program to compare; usage: gpushim compare [OPTION]... [--] PROGRAM [ARGUMENT]...");
	if (status == CLI_FINE)
		status = cli_compare_run(&trial);
	cli_trial_free(&trial);
	return status;
}
