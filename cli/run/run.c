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
#include "cli/process/job_ranks.h"
#include "cli/process/launcher.h"
#include "cli/process/rank_hub.h"
#include "policy/options/options.h"
#include "policy/text/words.h"
#include "shim/base/clock.h"
#include "shim/execute/gpu/node/ledger.h"
#include "shim/record/sink.h"
#include "shim/record/summary/summary.h"

enum { RUN_SUMMARY_BYTES = 1 << 18 };

/* The name that means no summary, and the one that means stderr, which is the usual place. */
static const char run_off[] = "off", run_stderr[] = "stderr";

/*
 * summary: where the tool writes the summary of all processes: run_off, run_stderr or a file; NULL
 * where each process writes its own. store: of the counters; its name is NULL if there is none.
 * shim, audit: paths of the libraries; audit only with --audit. words: the user's command.
 */
struct run {
	struct environment *environment;
	struct child_outcome outcome;
	struct counters_store store;
	struct rank_hub hub;
	char **words;
	struct front_words front;
	int64_t begin_realtime_ns;
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

/*
 * Of a launcher whose ranks told nothing the command line says how many there are. A rank that
 * prints for itself counts none.
 */
static struct rank_count run_count_ranks(const struct run *run,
                                         const struct counters_read *counters)
{
	struct rank_count ranks = job_ranks_count(counters);
	if (run->hub.role == RANK_HUB_ALONE && run->hub.world.size > 1)
		return (struct rank_count){0};
	if (ranks.started == 0)
		ranks.started = launcher_count_ranks(&run->front);
	return ranks;
}

/* The tool is a rank itself. */
static void run_tell_absent(const struct run *run, const char *count)
{
	if (run->hub.processes < run->hub.world.size)
		say("%s reported: those of this node; this counts all nodes: gpushim run -- mpirun "
		    "... PROGRAM",
		    count);
	else
		say("%s reported; the missing ones ended by a signal before their first call, or "
		    "were not started by `gpushim run`",
		    count);
}

/* A launcher that failed has told so itself. */
static void run_tell_missing(const struct run *run, const struct rank_count *ranks)
{
	char count[RANK_COUNT_BYTES];
	const char *launcher = run->front.launcher != NULL ? *run->front.launcher : "mpirun";
	const char *folder = run->store.folder;
	if (ranks->reported >= ranks->started || child_status(&run->outcome) != 0)
		return;
	rank_count_name(ranks, count);
	if (run->hub.role != RANK_HUB_ALONE) {
		run_tell_absent(run, count);
		return;
	}
	char *obstacle = launcher_find_obstacle(
		&run->front, environment_get(run->environment, "SLURM_EXPORT_ENV"));
	if (obstacle != NULL)
		say("%s reported, since %s keeps LD_PRELOAD from the ranks; leave it out, or "
		    "start the shim in each rank: %s ... gpushim run -- PROGRAM",
		    count, obstacle, launcher);
	else
		say("%s reported; the missing ones ended by a signal before their first call, or "
		    "did not get LD_PRELOAD from the launcher, or %s%s; this starts the shim in "
		    "each rank: %s ... gpushim run -- PROGRAM",
		    count, folder != NULL ? "their node does not see " : "are on another node",
		    folder != NULL ? folder : "", launcher);
	free(obstacle);
}

static void run_print_summary(const struct run *run, const struct counters_read *counters)
{
	const struct rank_count ranks = run_count_ranks(run, counters);
	static const char nothing[] = "gpushim: no intercepted routine was called\n";
	char *text = say_need(malloc(RUN_SUMMARY_BYTES));
	const char *shown = counters->count > 0 ? text : nothing;
	text[0] = '\0';
	summary_format_job(counters->files, counters->count, &ranks, text, RUN_SUMMARY_BYTES);
	if (strcmp(run->summary, run_stderr) == 0 ||
	    !run_append(run->summary, shown, strlen(shown)))
		sink_write(STDERR_FILENO, shown, strlen(shown));
	run_tell_missing(run, &ranks);
	free(text);
}

/*
 * Of the ranks of a node, the first prints, once the programs of all have ended; where it was
 * killed that is left to the rank that ends next.
 */
static bool run_has_to_print(struct run *run)
{
	const bool pooled = run->store.parts > 0;
	if (run->hub.role == RANK_HUB_ALONE)
		return true;
	if (run->hub.role == RANK_HUB_MEMBER)
		return pooled && rank_hub_is_orphan(&run->hub) &&
		       atomic_exchange(&run->store.part[0].head->told, 1) == 0;
	rank_hub_wait(&run->hub, child_interrupted() != 0);
	if (pooled)
		atomic_store(&run->store.part[0].head->told, 1);
	return run->hub.lead;
}

/* A folder that the user named has counts of earlier runs; the pool of a hub has none. */
static int64_t run_find_since(const struct run *run)
{
	if (run->hub.role == RANK_HUB_ALONE)
		return run->outcome.start_realtime_ns;
	return run->store.parts > 0 ? INT64_MIN : run->begin_realtime_ns;
}

/* Beside a summary in a file, or none, the status alone tells that a signal ended the program. */
static void run_report(struct run *run, const struct program_file *program)
{
	struct counters_read counters = {0};
	if (run->outcome.start_error != 0)
		return;
	if (run->summary == NULL || strcmp(run->summary, run_stderr) == 0)
		child_print_signal(&run->outcome);
	if (!run_has_to_print(run))
		return;
	counters_store_read(&run->store, &counters, run_find_since(run));
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
	const struct words place = options_read_place(words_of(named));
	if (words_equal(place, words_of(run_off)))
		named = run_off;
	else if (words_equal(place, words_of(run_stderr)))
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

/* Ranks share a summary unless each has a file of its own. */
static void run_enter_hub(struct run *run)
{
	const bool shall = run->summary != NULL && strcmp(run->summary, run_off) != 0 &&
	                   strstr(run->summary, "%r") == NULL;
	run->begin_realtime_ns = clock_realtime_ns();
	rank_hub_enter(&run->hub, shall);
}

/* The store of the node's first rank, that the user named, or a new one. */
static bool run_open_store(struct run *run)
{
	const char *named = environment_get(run->environment, "EPOCHLY_GPU_COUNTERS");
	if (run->hub.role == RANK_HUB_MEMBER) {
		if (counters_store_open(&run->store, run->hub.store))
			return true;
		rank_hub_leave(&run->hub);
	}
	if (named != NULL && named[0] != '\0')
		return counters_store_open(&run->store, named);
	if (!counters_store_make(&run->store))
		return false;
	if (run->front.launcher != NULL)
		counters_store_widen(&run->store);
	return true;
}

static void run_choose_store(struct run *run)
{
	run_enter_hub(run);
	const bool made = run_open_store(run);
	rank_hub_serve(&run->hub, made ? run->store.name : NULL);
	if (run->summary != NULL)
		environment_set_option(run->environment, "summary", run_off);
	if (made)
		environment_set_option(run->environment, "counters", run->store.name);
	else
		run_do_without_store(run);
}

static bool run_find_libraries(struct run *run)
{
	run->shim = install_paths_need_shim();
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

static void run_start(struct run *run)
{
	char **words = launcher_forward(&run->front, run->words, run->environment);
	const struct child launch = {words, run->environment, -1, -1, -1};
	child_run(&launch, &run->outcome);
	launcher_free_words(words);
	if (run->outcome.start_error != 0)
		say("cannot run '%s': %s", run->words[0], say_error(run->outcome.start_error));
}

/* A job that runs later must not inherit the place of counters that are gone by then. */
static int run_queue(struct run *run)
{
	if (!run->quiet)
		say("%s only queues the job, so it runs without the shim; put `gpushim run --` "
		    "into the job's script, in front of the launcher or the program",
		    run->words[0]);
	run_start(run);
	return child_status(&run->outcome);
}

static int run_program(struct run *run)
{
	static struct program_file program;
	if (launcher_queues(run->words[0]))
		return run_queue(run);
	if (!run_find_libraries(run))
		return TOOL_NOT_RUN;
	run_choose_summary(run);
	run_choose_store(run);
	front_words_inspect(&program, run->words);
	if (program.sentence[0] != '\0' && !run->quiet)
		say("%s; it runs without the shim", program.sentence);
	run_set_libraries(run, &program);
	run_start(run);
	run_report(run, &program);
	rank_hub_leave(&run->hub);
	ledger_sweep();
	counters_store_free(&run->store);
	return child_status(&run->outcome);
}

int run_serve(struct run_arguments *arguments)
{
	struct run run = {.environment = &arguments->words.environment,
	                  .audited = arguments->audit,
	                  .quiet = arguments->quiet,
	                  .words = arguments->words.operands};
	run.front = front_words_find(run.words);
	const int status = run_program(&run);
	environment_free(run.environment);
	free(run.summary);
	free(run.shim);
	free(run.audit);
	return status;
}
