/* cli_coverage.c - `gpushim coverage`: a program on the CPU, its calls counted, and what of them the shim can take */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_coverage.h"

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
#include "coverage/coverage_names.h"
#include "shim/record/sink.h"
#include "shim/settings.h"

static const char coverage_library[] = "libgpushim-coverage.so", coverage_audit[] = "LD_AUDIT";

/* It lies beside the shim, in every layout. To be freed; NULL after a sentence. */
static char *cli_coverage_find_library(void)
{
	char *shim = cli_place_find_shim();
	if (shim == NULL)
		return NULL;
	char *path = cli_say_text("%.*s/%s", (int)(strrchr(shim, '/') - shim), shim, coverage_library);
	free(shim);
	if (access(path, R_OK) == 0)
		return path;
	cli_say("%s is not beside libgpushim.so; it is built for x86-64 only, and without sanitizers",
	        coverage_library);
	free(path);
	return NULL;
}

/* Another audit library stays, behind ours; ours is there once, also where the tool runs the tool. To be freed. */
static char *cli_coverage_make_list(const char *library, const char *present)
{
	char *rest = cli_say_need(strdup(present != NULL ? present : "")), *state = NULL;
	char *list = cli_say_need(strdup(library));
	for (char *part = strtok_r(rest, ":", &state); part != NULL; part = strtok_r(NULL, ":", &state)) {
		const char *slash = strrchr(part, '/');
		if (strcmp(slash != NULL ? slash + 1 : part, coverage_library) == 0)
			continue;
		char *longer = cli_say_text("%s:%s", list, part);
		free(list);
		list = longer;
	}
	free(rest);
	return list;
}

static void cli_coverage_set_environment(struct cli_environment *environment, const char *library, const char *folder)
{
	static struct options options;
	char *list = cli_coverage_make_list(library, cli_environment_get(environment, coverage_audit));
	settings_load(&options);
	char *large = cli_say_text("%lld", (long long)options.workload_threshold);
	cli_environment_set(environment, coverage_audit, list);
	cli_environment_set(environment, COVERAGE_FOLDER_VARIABLE, folder);
	cli_environment_set(environment, COVERAGE_LARGE_VARIABLE, large);
	free(large);
	free(list);
}

static void cli_coverage_print(const struct cli_coverage_files *files, const struct cli_program *program,
                               int64_t wall_ns)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = cli_say_need(open_memstream(&text, &size));
	cli_coverage_report(out, files, program->file, wall_ns);
	fclose(out);
	sink_write(STDERR_FILENO, text, size);
	free(text);
}

static void cli_coverage_tell(const struct cli_outcome *outcome, const struct cli_program *program, const char *folder)
{
	struct cli_coverage_files files = {0};
	const int status = outcome->status;
	cli_coverage_harvest(&files, folder);
	if (WIFSIGNALED(status))
		cli_say("the program was killed by signal %d (%s)", WTERMSIG(status),
		        sigabbrev_np(WTERMSIG(status)) != NULL ? sigabbrev_np(WTERMSIG(status)) : "?");
	cli_coverage_print(&files, program, outcome->wall_ns);
	if (files.count == 0 && files.refused == 0 && program->kind == CLI_PROGRAM_FINE)
		cli_say("no library of BLAS, LAPACK or FFTW was loaded");
	cli_coverage_harvest_free(&files);
}

static int cli_coverage_run(struct cli_environment *environment, char **words)
{
	static struct cli_program program;
	struct cli_outcome outcome;
	char *library = cli_coverage_find_library();
	char *folder = library != NULL ? cli_harvest_make_folder() : NULL;
	if (folder == NULL) {
		free(library);
		return CLI_NOT_RUN;
	}
	coverage_names_prepare();
	cli_program_inspect(&program, words[0]);
	if (program.sentence[0] != '\0')
		cli_say("%s; the same holds for the library that counts", program.sentence);
	cli_environment_preload(environment, NULL);
	if (program.kind != CLI_PROGRAM_FOREIGN)
		cli_coverage_set_environment(environment, library, folder);
	const struct cli_launch launch = {words, environment, -1, -1, -1};
	cli_launch_program(&launch, &outcome);
	if (outcome.start_error != 0)
		cli_say("cannot run '%s': %s", words[0], cli_say_error(outcome.start_error));
	else
		cli_coverage_tell(&outcome, &program, folder);
	cli_harvest_remove_folder(folder);
	free(library);
	return cli_launch_status(&outcome);
}

int cli_coverage_serve(char **words)
{
	struct cli_arguments arguments = {.rest = words};
	struct cli_environment environment;
	if (cli_arguments_take(&arguments))
		return cli_say_refusal("unknown option '%s'; coverage takes a program and its arguments only",
		                       arguments.word);
	if (arguments.rest[0] == NULL)
		return cli_say_refusal("no program to count; usage: gpushim coverage [--] PROGRAM [ARGUMENT]...");
	cli_environment_copy(&environment, environ);
	const int status = cli_coverage_run(&environment, arguments.rest);
	cli_environment_free(&environment);
	return status;
}
