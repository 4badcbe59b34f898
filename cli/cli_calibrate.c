/* cli_calibrate.c - `gpushim calibrate`: measures this machine and stores its profile */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_calibrate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/cli_arguments.h"
#include "cli/cli_say.h"
#include "shim/execute/gpu/processors.h"
#include "shim/settings.h"
#include "shim/settings_machine.h"

/* About a minute in all. */
static const double calibrate_cpu_seconds = 40, calibrate_gpu_seconds = 15;

/* With more powers of two than this every second one is enough: what lies between is in proportion. */
enum { CALIBRATE_POWERS_MAX = 6 };

static int cli_calibrate_refuse_option(const struct cli_arguments *arguments)
{
	return cli_say_refusal("unknown option '%s'; allowed: --quick, --output, --cpu-blas", arguments->word);
}

/* CLI_FINE, or the status after a sentence. */
static int cli_calibrate_parse(struct calibrate *calibrate, char **words)
{
	struct cli_arguments arguments = {.rest = words};
	while (cli_arguments_take(&arguments)) {
		const char **text = NULL;
		if (cli_arguments_is(&arguments, "output"))
			text = &calibrate->output;
		else if (cli_arguments_is(&arguments, "cpu_blas"))
			text = &calibrate->blas;
		else if (!cli_arguments_is(&arguments, "quick"))
			return cli_calibrate_refuse_option(&arguments);
		if (text != NULL ? (*text = cli_arguments_take_value(&arguments)) == NULL
		                 : !cli_arguments_check_flag(&arguments))
			return CLI_USAGE;
		calibrate->quick = calibrate->quick || text == NULL;
	}
	if (arguments.rest[0] != NULL)
		return cli_say_refusal("calibrate takes options only, and '%s' is none", arguments.rest[0]);
	if (calibrate->output != NULL && calibrate->output[0] == '\0')
		return cli_say_refusal("--output names no file");
	if (calibrate->quick && calibrate->output == NULL)
		return cli_say_refusal("figures of --quick mean nothing; name a file for them with --output");
	return CLI_FINE;
}

/* The user's own profile, where none was named. */
static int cli_calibrate_choose_output(struct calibrate *calibrate)
{
	char path[PATH_MAX];
	if (calibrate->output == NULL) {
		if (!settings_machine_path(path, sizeof path)) {
			cli_say("neither XDG_CACHE_HOME nor HOME names a folder for the profile; name a file with --output");
			return CLI_NOT_RUN;
		}
		calibrate->output = calibrate->default_output = cli_say_text("%s", path);
	}
	return cli_calibrate_check_file(calibrate->output) ? CLI_FINE : CLI_NOT_RUN;
}

static void cli_calibrate_choose_threads(struct calibrate *calibrate)
{
	const int all = processors_count("");
	const int growth = all > 1 << (CALIBRATE_POWERS_MAX - 1) ? 4 : 2;
	for (int threads = 1; threads < all && calibrate->thread_counts < CALIBRATE_THREADS_MAX - 1; threads *= growth)
		calibrate->threads[calibrate->thread_counts++] = threads;
	calibrate->threads[calibrate->thread_counts++] = all;
}

static void cli_calibrate_describe(struct calibrate *calibrate)
{
	struct machine *machine = &calibrate->board->machine;
	const time_t now = time(NULL);
	struct tm utc;
	settings_describe_machine(machine);
	machine->cpu_threads = calibrate->threads[calibrate->thread_counts - 1];
	if (gmtime_r(&now, &utc) != NULL)
		strftime(machine->measured, sizeof machine->measured, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* When all is known. */
static void cli_calibrate_name(const struct calibrate *calibrate)
{
	struct machine *machine = &calibrate->board->machine;
	snprintf(machine->name, sizeof machine->name, "%.60s%s%s",
	         machine->host[0] != '\0' ? machine->host : "this machine",
	         calibrate->board->simulated ? ", with a SIMULATED GPU" : "",
	         calibrate->quick ? ", QUICK: no figure means anything" : "");
}

static void cli_calibrate_measure(struct calibrate *calibrate)
{
	struct calibrate_part parts[CALIBRATE_THREADS_MAX + 1];
	for (int i = 0; i < calibrate->thread_counts; i++) {
		parts[i] = (struct calibrate_part){.measure = cli_calibrate_cpu_measure,
		                                   .threads = calibrate->threads[i],
		                                   .budget_s = calibrate_cpu_seconds / calibrate->thread_counts};
		snprintf(parts[i].name, sizeof parts[i].name, "the CPU with %d thread%s", parts[i].threads,
		         parts[i].threads == 1 ? "" : "s");
	}
	parts[calibrate->thread_counts] = (struct calibrate_part){
		.measure = cli_calibrate_gpu_measure, .budget_s = calibrate_gpu_seconds, .name = "the GPU"};
	cli_calibrate_describe(calibrate);
	cli_calibrate_run_parts(calibrate, parts, calibrate->thread_counts + 1);
	cli_calibrate_name(calibrate);
}

static void cli_calibrate_open_board(struct calibrate *calibrate)
{
	void *board = mmap(NULL, sizeof *calibrate->board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	calibrate->board = cli_say_need(board == MAP_FAILED ? NULL : board);
}

static int cli_calibrate_store(const struct calibrate *calibrate)
{
	cli_calibrate_print(calibrate);
	fflush(stdout);
	if (!cli_calibrate_write_file(calibrate->output, &calibrate->board->machine))
		return CLI_NOT_RUN;
	printf("stored in %s\n", calibrate->output);
	return CLI_FINE;
}

int cli_calibrate_serve(char **words)
{
	static struct calibrate calibrate;
	int status = cli_calibrate_parse(&calibrate, words);
	if (status == CLI_FINE)
		status = cli_calibrate_choose_output(&calibrate);
	if (status == CLI_FINE) {
		settings_load(&calibrate.options);
		if (calibrate.blas == NULL)
			calibrate.blas =
				calibrate.options.cpu_blas[0] != '\0' ? calibrate.options.cpu_blas : "libblas.so.3";
		cli_calibrate_open_board(&calibrate);
		cli_calibrate_choose_threads(&calibrate);
		cli_calibrate_measure(&calibrate);
		status = cli_calibrate_store(&calibrate);
		munmap(calibrate.board, sizeof *calibrate.board);
	}
	free(calibrate.default_output);
	return status;
}
