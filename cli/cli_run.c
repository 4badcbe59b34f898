/* cli_run.c - `gpushim run`: a program with the shim, and its summary */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/cli_arguments.h"
#include "cli/cli_environment.h"
#include "cli/cli_harvest.h"
#include "cli/cli_launch.h"
#include "cli/cli_place.h"
#include "cli/cli_program.h"
#include "cli/cli_say.h"
#include "shim/record/sink.h"
#include "shim/record/summary.h"

enum { RUN_SUMMARY_BYTES = 1 << 18 };

/*
 * folder: for the counters, NULL where there is none; private is the same where the tool made it, NULL where the user
 * named one. shim, audit: the libraries' paths, the latter's only where audited.
 */
struct run {
	struct cli_environment environment;
	struct cli_outcome outcome;
	const char *folder;
	char *private;
	bool audited;
	char *shim, *audit;
};

static void cli_run_print_summary(const struct cli_harvest *harvest)
{
	char *text = cli_say_need(malloc(RUN_SUMMARY_BYTES));
	sink_write(STDERR_FILENO, text, summary_format(harvest->files, harvest->count, text, RUN_SUMMARY_BYTES));
	free(text);
}

static void cli_run_report(const struct run *run, const struct cli_program *program)
{
	struct cli_harvest harvest = {0};
	if (run->outcome.start_error != 0)
		return;
	if (run->folder != NULL)
		cli_harvest_read(&harvest, run->folder, run->outcome.start_realtime_ns);
	if (WIFSIGNALED(run->outcome.status))
		cli_say("the program was killed by signal %d (%s)", WTERMSIG(run->outcome.status),
		        sigabbrev_np(WTERMSIG(run->outcome.status)) != NULL
		                ? sigabbrev_np(WTERMSIG(run->outcome.status))
		                : "?");
	if (harvest.count > 0)
		cli_run_print_summary(&harvest);
	else if (run->folder != NULL && harvest.refused == 0 && program->kind == CLI_PROGRAM_FINE)
		cli_say("no intercepted routine was called");
	cli_harvest_free(&harvest);
}

/* The program matters more than its summary. */
static void cli_run_do_without_folder(struct run *run)
{
	const char *named = cli_environment_get(&run->environment, "EPOCHLY_GPU_SUMMARY");
	if (named == NULL || named[0] == '\0' || strcmp(named, "off") == 0)
		cli_environment_set_option(&run->environment, "summary", "stderr");
	cli_say("each process that ends by itself prints its own summary");
}

static void cli_run_check_folder(struct run *run, const char *named)
{
	if (access(named, W_OK | X_OK) == 0) {
		run->folder = named;
		return;
	}
	cli_say("cannot keep counters in '%s': %s", named, cli_say_error(errno));
	cli_run_do_without_folder(run);
}

/* A folder that the user named stays, with what is in it. */
static void cli_run_choose_folder(struct run *run)
{
	const char *named = cli_environment_get(&run->environment, "EPOCHLY_GPU_COUNTERS");
	if (named != NULL && named[0] != '\0') {
		cli_run_check_folder(run, named);
		return;
	}
	run->folder = run->private = cli_harvest_make_folder();
	if (run->private != NULL)
		cli_environment_set_option(&run->environment, "counters", run->private);
	else
		cli_run_do_without_folder(run);
}

static bool cli_run_find_libraries(struct run *run)
{
	run->shim = cli_place_find_shim();
	if (run->shim != NULL && run->audited)
		run->audit = cli_place_find_audit(run->shim);
	return run->shim != NULL && (run->audit != NULL || !run->audited);
}

/* Without --audit a list of the user's that has the audit library keeps it. */
static void cli_run_set_libraries(struct run *run, const struct cli_program *program)
{
	const bool foreign = program->kind == CLI_PROGRAM_FOREIGN;
	cli_environment_preload(&run->environment, foreign ? NULL : run->shim);
	if (run->audited)
		cli_environment_audit(&run->environment, foreign ? NULL : run->audit);
}

static int cli_run_program(struct run *run, char **words)
{
	static struct cli_program program;
	if (!cli_run_find_libraries(run))
		return CLI_NOT_RUN;
	cli_run_choose_folder(run);
	cli_program_inspect(&program, words[0]);
	if (program.sentence[0] != '\0')
		cli_say("%s; it runs without the shim", program.sentence);
	cli_run_set_libraries(run, &program);
	const struct cli_launch launch = {words, &run->environment, -1, -1, -1};
	cli_launch_program(&launch, &run->outcome);
	if (run->outcome.start_error != 0)
		cli_say("cannot run '%s': %s", words[0], cli_say_error(run->outcome.start_error));
	cli_run_report(run, &program);
	if (run->private != NULL)
		cli_harvest_remove_folder(run->private);
	return cli_launch_status(&run->outcome);
}

/* The option in hand. */
static bool cli_run_set_option(struct run *run, struct cli_arguments *arguments)
{
	if (!cli_arguments_is(arguments, "audit"))
		return cli_arguments_set_option(arguments, &run->environment, "--audit");
	run->audited = true;
	return cli_arguments_check_flag(arguments);
}

int cli_run_serve(char **words)
{
	struct cli_arguments arguments = {.rest = words};
	struct run run = {0};
	int status = CLI_FINE;
	cli_environment_copy(&run.environment, environ);
	while (status == CLI_FINE && cli_arguments_take(&arguments))
		if (!cli_run_set_option(&run, &arguments))
			status = CLI_USAGE;
	if (status == CLI_FINE && arguments.rest[0] == NULL)
		status = cli_say_refusal(
			"no program to run; usage: gpushim run [--audit] [--OPTION VALUE]... [--] PROGRAM [ARGUMENT]...");
	if (status == CLI_FINE)
		status = cli_run_program(&run, arguments.rest);
	cli_environment_free(&run.environment);
	free(run.shim);
	free(run.audit);
	return status;
}
