/* run.c - `gpushim run`: runs a program with the shim and prints its summary */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/command.h"
#include "cli/common/install_paths.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "cli/process/child.h"
#include "cli/process/counters_read.h"
#include "cli/process/program_file.h"
#include "shim/record/sink.h"
#include "shim/record/summary.h"

enum { RUN_SUMMARY_BYTES = 1 << 18 };

/*
 * folder: of the counters, NULL if there is none. private: the same if the tool made it, NULL if
 * the user named it. shim, audit: paths of the libraries; audit only with --audit.
 */
struct run {
	struct environment *environment;
	struct child_outcome outcome;
	const char *folder;
	char *private;
	bool audited;
	char *shim, *audit;
};

static void run_print_summary(const struct counters_read *counters)
{
	char *text = say_need(malloc(RUN_SUMMARY_BYTES));
	sink_write(STDERR_FILENO, text,
	           summary_format(counters->files, counters->count, text, RUN_SUMMARY_BYTES));
	free(text);
}

static void run_report(const struct run *run, const struct program_file *program)
{
	struct counters_read counters = {0};
	if (run->outcome.start_error != 0)
		return;
	if (run->folder != NULL)
		counters_read_folder(&counters, run->folder, run->outcome.start_realtime_ns);
	child_print_signal(&run->outcome);
	if (counters.count > 0)
		run_print_summary(&counters);
	else if (run->folder != NULL && counters.refused == 0 && program->kind == PROGRAM_FILE_FINE)
		say("no intercepted routine was called");
	counters_read_free(&counters);
}

/* Without a folder the program runs all the same, and each process prints its own summary. */
static void run_do_without_folder(struct run *run)
{
	const char *named = environment_get(run->environment, "EPOCHLY_GPU_SUMMARY");
	if (named == NULL || named[0] == '\0' || strcmp(named, "off") == 0)
		environment_set_option(run->environment, "summary", "stderr");
	say("each process that ends by itself prints its own summary");
}

static void run_check_folder(struct run *run, const char *named)
{
	if (access(named, W_OK | X_OK) == 0) {
		run->folder = named;
		return;
	}
	say("cannot keep counters in '%s': %s", named, say_error(errno));
	run_do_without_folder(run);
}

/* A folder that the user named is not removed at the end. */
static void run_choose_folder(struct run *run)
{
	const char *named = environment_get(run->environment, "EPOCHLY_GPU_COUNTERS");
	if (named != NULL && named[0] != '\0') {
		run_check_folder(run, named);
		return;
	}
	run->folder = run->private = counters_read_make_folder();
	if (run->private != NULL)
		environment_set_option(run->environment, "counters", run->private);
	else
		run_do_without_folder(run);
}

static bool run_find_libraries(struct run *run)
{
	run->shim = install_paths_find_shim();
	if (run->shim != NULL && run->audited)
		run->audit = install_paths_find_audit(run->shim);
	return run->shim != NULL && (run->audit != NULL || !run->audited);
}

/* Without --audit the audit library stays in LD_AUDIT if the user put it there. */
static void run_set_libraries(struct run *run, const struct program_file *program)
{
	const bool foreign = program->kind == PROGRAM_FILE_FOREIGN;
	environment_preload(run->environment, foreign ? NULL : run->shim);
	if (run->audited)
		environment_audit(run->environment, foreign ? NULL : run->audit);
}

static int run_program(struct run *run, char **words)
{
	static struct program_file program;
	if (!run_find_libraries(run))
		return TOOL_NOT_RUN;
	run_choose_folder(run);
	program_file_inspect(&program, words[0]);
	if (program.sentence[0] != '\0')
		say("%s; it runs without the shim", program.sentence);
	run_set_libraries(run, &program);
	const struct child launch = {words, run->environment, -1, -1, -1};
	child_run(&launch, &run->outcome);
	if (run->outcome.start_error != 0)
		say("cannot run '%s': %s", words[0], say_error(run->outcome.start_error));
	run_report(run, &program);
	if (run->private != NULL)
		counters_read_remove_folder(run->private);
	return child_status(&run->outcome);
}

int run_serve(struct run_arguments *arguments)
{
	struct run run = {.environment = &arguments->words.environment,
	                  .audited = arguments->audit};
	const int status = run_program(&run, arguments->words.operands);
	environment_free(run.environment);
	free(run.shim);
	free(run.audit);
	return status;
}
