/* coverage.c - `gpushim coverage`: runs a program on the CPU and counts its calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/coverage/coverage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/count/count_names.h"
#include "cli/common/command.h"
#include "cli/common/install_paths.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "cli/process/child.h"
#include "cli/process/counters_read.h"
#include "cli/process/front_words.h"
#include "page/whole_file.h"
#include "shim/base/clock.h"
#include "shim/record/sink.h"

static const char coverage_library[] = "libgpushim-coverage.so";

/* The library that counts lies beside the shim. To be freed; NULL after a message. */
static char *coverage_find_library(void)
{
	char *shim = install_paths_need_shim();
	if (shim == NULL)
		return NULL;
	char *path = say_text("%.*s/%s", (int)(strrchr(shim, '/') - shim), shim, coverage_library);
	free(shim);
	if (access(path, R_OK) == 0)
		return path;
	say("%s is not beside libgpushim.so; it is built for x86-64 only, and without sanitizers",
	    coverage_library);
	free(path);
	return NULL;
}

static void coverage_set_environment(struct environment *environment, const char *library,
                                     const char *folder)
{
	coverage_policy_load();
	char *large = say_text("%lld", (long long)coverage_policy_threshold());
	environment_count(environment, library);
	environment_set(environment, COUNT_FOLDER_VARIABLE, folder);
	environment_set(environment, COUNT_LARGE_VARIABLE, large);
	free(large);
}

static void coverage_print(const struct coverage_files *files, const struct program_file *program)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = say_need(open_memstream(&text, &size));
	coverage_report(out, files, program->file);
	fclose(out);
	sink_write(STDERR_FILENO, text, size);
	free(text);
}

/* Before the program runs: a run whose report cannot be stored would be in vain. */
static bool coverage_check_export(const char *path)
{
	const int error = path != NULL ? whole_file_check(path) : 0;
	if (error != 0)
		say("cannot write '%s': %s", path, say_error(error));
	return error == 0;
}

static bool coverage_export(const struct coverage_files *files, const char *program,
                            const char *path)
{
	if (path == NULL)
		return true;
	char *text = coverage_export_make(files, program);
	const int error = whole_file_store(path, text, true);
	free(text);
	if (error != 0)
		say("cannot write '%s': %s", path, say_error(error));
	return error == 0;
}

/* false if the export could not be stored. */
static bool coverage_print_result(const struct child_outcome *outcome,
                                  const struct program_file *program, const char *folder,
                                  const char *export)
{
	struct coverage_files files = {.wall_ns = outcome->wall_ns, .end = count_clock_read()};
	coverage_gather(&files, folder);
	child_print_signal(outcome);
	coverage_print(&files, program);
	if (files.count == 0 && files.refused == 0 && program->kind == PROGRAM_FILE_FINE)
		say("no library of BLAS, LAPACK or FFTW was loaded");
	const bool is_stored = coverage_export(&files, program->file, export);
	coverage_gather_free(&files);
	return is_stored;
}

static int coverage_run(struct environment *environment, char **words, const char *export)
{
	bool is_stored = true;
	static struct program_file program;
	struct child_outcome outcome;
	char *library = coverage_find_library();
	char *folder = library != NULL ? counters_read_make_folder() : NULL;
	if (folder == NULL) {
		free(library);
		return TOOL_NOT_RUN;
	}
	count_names_prepare();
	front_words_inspect(&program, words);
	if (program.sentence[0] != '\0')
		say("%s; the same holds for the library that counts", program.sentence);
	environment_preload(environment, NULL);
	if (program.kind != PROGRAM_FILE_FOREIGN)
		coverage_set_environment(environment, library, folder);
	const struct child launch = {words, environment, -1, -1, -1};
	child_run(&launch, &outcome);
	if (outcome.start_error != 0)
		say("cannot run '%s': %s", words[0], say_error(outcome.start_error));
	else
		is_stored = coverage_print_result(&outcome, &program, folder, export);
	counters_read_remove_folder(folder);
	free(library);
	return is_stored ? child_status(&outcome) : TOOL_NOT_RUN;
}

int coverage_serve(struct coverage_arguments *arguments)
{
	struct environment *environment = &arguments->words.environment;
	const int status =
		coverage_check_export(arguments->export)
			? coverage_run(environment, arguments->words.operands, arguments->export)
			: TOOL_NOT_RUN;
	environment_free(environment);
	return status;
}
