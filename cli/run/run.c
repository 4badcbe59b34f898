/* run.c - `gpushim run`: runs a program with the shim and prints its summary */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/command.h"
#include "cli/common/install_paths.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "cli/process/child.h"
#include "cli/process/counters_store.h"
#include "cli/process/program_file.h"
#include "shim/record/sink.h"
#include "shim/record/summary.h"

enum { RUN_SUMMARY_BYTES = 1 << 18 };

/*
 * store: of the counters; its name is NULL if there is none. shim, audit: paths of the libraries;
 * audit only with --audit.
 */
struct run {
	struct environment *environment;
	struct child_outcome outcome;
	struct counters_store store;
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
	counters_store_read(&run->store, &counters, run->outcome.start_realtime_ns);
	child_print_signal(&run->outcome);
	if (counters.count > 0)
		run_print_summary(&counters);
	else if (run->store.name != NULL && counters.refused == 0 &&
	         program->kind == PROGRAM_FILE_FINE)
		say("no intercepted routine was called");
	counters_read_free(&counters);
}

/* Without a place for counters each process prints its own summary. */
static void run_do_without_store(struct run *run)
{
	const char *named = environment_get(run->environment, "EPOCHLY_GPU_SUMMARY");
	if (named == NULL || named[0] == '\0' || strcmp(named, "off") == 0)
		environment_set_option(run->environment, "summary", "stderr");
	say("each process that ends by itself prints its own summary");
}

static void run_choose_store(struct run *run)
{
	const char *named = environment_get(run->environment, "EPOCHLY_GPU_COUNTERS");
	const bool is_named = named != NULL && named[0] != '\0';
	const bool made = is_named ? counters_store_open(&run->store, named)
	                           : counters_store_make(&run->store);
	if (made)
		environment_set_option(run->environment, "counters", run->store.name);
	else
		run_do_without_store(run);
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
	run_choose_store(run);
	program_file_inspect(&program, words[0]);
	if (program.sentence[0] != '\0')
		say("%s; it runs without the shim", program.sentence);
	run_set_libraries(run, &program);
	const struct child launch = {words, run->environment, -1, -1, -1};
	child_run(&launch, &run->outcome);
	if (run->outcome.start_error != 0)
		say("cannot run '%s': %s", words[0], say_error(run->outcome.start_error));
	run_report(run, &program);
	counters_store_free(&run->store);
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
