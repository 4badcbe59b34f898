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
#include "cli/process/counters_store.h"
#include "cli/process/front_words.h"
#include "policy/text/words.h"
#include "shim/execute/gpu/node/ledger.h"
#include "shim/record/sink.h"
#include "shim/record/summary.h"

enum { RUN_SUMMARY_BYTES = 1 << 18 };

/* The name that means no summary, and the one that means stderr, which is the usual place. */
static const char run_off[] = "off", run_stderr[] = "stderr";

/*
 * summary: where the tool writes the summary of all processes: run_off, run_stderr or a file; NULL
 * where each process writes its own. store: of the counters; its name is NULL if there is none.
 * shim, audit: paths of the libraries; audit only with --audit.
 */
struct run {
	struct environment *environment;
	struct child_outcome outcome;
	struct counters_store store;
	bool audited, quiet;
	char *summary, *shim, *audit;
};

/* Appends to the named file; false after a message. */
static bool run_append(const char *name, const char *text, size_t size)
{
	char path[SINK_PATH_BYTES];
	const int fd = sink_expand_name(name, path, sizeof path) ? sink_open(path) : -ENAMETOOLONG;
	const int error = fd < 0 ? -fd : sink_write(fd, text, size);
	if (fd >= 0)
		close(fd);
	if (error != 0)
		say("cannot write the summary to '%s': %s; it goes to stderr", name,
		    sink_describe_error(error));
	return error == 0;
}

static void run_print_summary(const struct run *run, const struct counters_read *counters)
{
	static const char nothing[] = "gpushim: no intercepted routine was called\n";
	char *text = say_need(malloc(RUN_SUMMARY_BYTES));
	const char *shown = counters->count > 0 ? text : nothing;
	text[0] = '\0';
	summary_format(counters->files, counters->count, text, RUN_SUMMARY_BYTES);
	if (strcmp(run->summary, run_stderr) == 0 ||
	    !run_append(run->summary, shown, strlen(shown)))
		sink_write(STDERR_FILENO, shown, strlen(shown));
	free(text);
}

/* Beside a summary in a file, or none, the status alone tells that a signal ended the program. */
static void run_report(const struct run *run, const struct program_file *program)
{
	struct counters_read counters = {0};
	if (run->outcome.start_error != 0)
		return;
	counters_store_read(&run->store, &counters, run->outcome.start_realtime_ns);
	if (run->summary == NULL || strcmp(run->summary, run_stderr) == 0)
		child_print_signal(&run->outcome);
	const bool none = run->store.name != NULL && counters.refused == 0 &&
	                  program->kind == PROGRAM_FILE_FINE;
	if (run->summary != NULL && strcmp(run->summary, run_off) != 0 &&
	    (counters.count > 0 || none))
		run_print_summary(run, &counters);
	counters_read_free(&counters);
}

/* A file for each process, or for each rank, is left to the processes. */
static void run_choose_summary(struct run *run)
{
	const char *named = environment_get(run->environment, "EPOCHLY_GPU_SUMMARY");
	if (run->quiet)
		named = run_off;
	else if (named == NULL || words_trim(words_of(named)).length == 0)
		named = run_stderr;
	if (sink_names_process(named))
		return;
	if (words_equal(words_of(named), words_of(run_off)))
		named = run_off;
	else if (words_equal(words_of(named), words_of(run_stderr)))
		named = run_stderr;
	run->summary = say_text("%s", named);
}

/* Without a place for counters each process prints its own summary. */
static void run_do_without_store(struct run *run)
{
	if (run->summary == NULL || strcmp(run->summary, run_off) == 0)
		return;
	environment_set_option(run->environment, "summary", run->summary);
	free(run->summary);
	run->summary = NULL;
	say("each process that ends by itself prints its own summary");
}

static void run_choose_store(struct run *run)
{
	const char *named = environment_get(run->environment, "EPOCHLY_GPU_COUNTERS");
	const bool is_named = named != NULL && named[0] != '\0';
	const bool made = is_named ? counters_store_open(&run->store, named)
	                           : counters_store_make(&run->store);
	if (run->summary != NULL)
		environment_set_option(run->environment, "summary", run_off);
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
	run_choose_summary(run);
	run_choose_store(run);
	front_words_inspect(&program, words);
	if (program.sentence[0] != '\0' && !run->quiet)
		say("%s; it runs without the shim", program.sentence);
	run_set_libraries(run, &program);
	const struct child launch = {words, run->environment, -1, -1, -1};
	child_run(&launch, &run->outcome);
	if (run->outcome.start_error != 0)
		say("cannot run '%s': %s", words[0], say_error(run->outcome.start_error));
	run_report(run, &program);
	ledger_sweep();
	counters_store_free(&run->store);
	return child_status(&run->outcome);
}

int run_serve(struct run_arguments *arguments)
{
	struct run run = {.environment = &arguments->words.environment,
	                  .audited = arguments->audit,
	                  .quiet = arguments->quiet};
	const int status = run_program(&run, arguments->words.operands);
	environment_free(run.environment);
	free(run.summary);
	free(run.shim);
	free(run.audit);
	return status;
}
