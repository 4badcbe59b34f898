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
#include "cli/process/program_file.h"
#include "shim/record/sink.h"
#include "shim/settings/settings.h"

static const char coverage_library[] = "libgpushim-coverage.so";

/* The library that counts lies beside the shim. To be freed; NULL after a message. */
static char *coverage_find_library(void)
{
	char *shim = install_paths_find_shim();
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
	static struct options options;
	settings_load(&options);
	char *large = say_text("%lld", (long long)options.workload_threshold);
	environment_count(environment, library);
	environment_set(environment, COUNT_FOLDER_VARIABLE, folder);
	environment_set(environment, COUNT_LARGE_VARIABLE, large);
	free(large);
}

static void coverage_print(const struct coverage_files *files, const struct program_file *program,
                           int64_t wall_ns)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = say_need(open_memstream(&text, &size));
	coverage_report(out, files, program->file, wall_ns);
	fclose(out);
	sink_write(STDERR_FILENO, text, size);
	free(text);
}

static void coverage_print_result(const struct child_outcome *outcome,
                                  const struct program_file *program, const char *folder)
{
	struct coverage_files files = {0};
	coverage_gather(&files, folder);
	child_print_signal(outcome);
	coverage_print(&files, program, outcome->wall_ns);
	if (files.count == 0 && files.refused == 0 && program->kind == PROGRAM_FILE_FINE)
		say("no library of BLAS, LAPACK or FFTW was loaded");
	coverage_gather_free(&files);
}

static int coverage_run(struct environment *environment, char **words)
{
	static struct program_file program;
	struct child_outcome outcome;
	char *library = coverage_find_library();
	char *folder = library != NULL ? counters_read_make_folder() : NULL;
	if (folder == NULL) {
		free(library);
		return TOOL_NOT_RUN;
	}
	count_names_prepare();
	program_file_inspect(&program, words[0]);
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
		coverage_print_result(&outcome, &program, folder);
	counters_read_remove_folder(folder);
	free(library);
	return child_status(&outcome);
}

int coverage_serve(struct coverage_arguments *arguments)
{
	struct environment *environment = &arguments->words.environment;
	const int status = coverage_run(environment, arguments->words.operands);
	environment_free(environment);
	return status;
}
