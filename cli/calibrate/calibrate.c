/* calibrate.c - `gpushim calibrate`: measures this machine and stores its profile */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/calibrate/calibrate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "cli/common/command.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "shim/execute/gpu/node/processors.h"
#include "shim/settings/settings.h"
#include "shim/settings/settings_machine.h"

/* Budgets of all CPU parts, the GPU part and the cuSOLVER part: 65 s in all. */
static const double calibrate_cpu_seconds = 40, calibrate_gpu_seconds = 15,
		    calibrate_solver_seconds = 10;

/*
 * If there are more powers of two below the number of processors, only powers of four are measured:
 * rates in between are interpolated.
 */
enum { CALIBRATE_POWERS_MAX = 6 };

/* Without --output the profile goes to the user's cache. */
static int calibrate_choose_output(struct calibrate *calibrate)
{
	char path[PATH_MAX];
	if (calibrate->output == NULL) {
		if (!settings_machine_path(path, sizeof path)) {
			say("neither XDG_CACHE_HOME nor HOME names a folder for the profile; name "
			    "a file with --output");
			return TOOL_NOT_RUN;
		}
		calibrate->output = calibrate->default_output = say_text("%s", path);
	}
	return calibrate_check_file(calibrate->output, calibrate->default_output != NULL)
	               ? TOOL_FINE
	               : TOOL_NOT_RUN;
}

static void calibrate_choose_threads(struct calibrate *calibrate)
{
	const int all = processors_count("");
	const int growth = all > 1 << (CALIBRATE_POWERS_MAX - 1) ? 4 : 2;
	for (int threads = 1; threads < all && calibrate->thread_counts < CALIBRATE_THREADS_MAX - 1;
	     threads *= growth)
		calibrate->threads[calibrate->thread_counts++] = threads;
	calibrate->threads[calibrate->thread_counts++] = all;
}

static void calibrate_describe(struct calibrate *calibrate)
{
	struct machine *machine = &calibrate->board->machine;
	const time_t now = time(NULL);
	struct tm utc;
	settings_machine_describe_machine(machine);
	machine->cpu_threads = calibrate->threads[calibrate->thread_counts - 1];
	if (gmtime_r(&now, &utc) != NULL)
		strftime(machine->measured, sizeof machine->measured, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* The name says whether the GPU was simulated, so it is set after the measurement. */
static void calibrate_name(const struct calibrate *calibrate)
{
	struct machine *machine = &calibrate->board->machine;
	snprintf(machine->name, sizeof machine->name, "%.60s%s%s",
	         machine->host[0] != '\0' ? machine->host : "this machine",
	         calibrate->board->simulated ? ", with a SIMULATED GPU" : "",
	         calibrate->quick ? ", QUICK: no figure means anything" : "");
}

static void calibrate_measure(struct calibrate *calibrate)
{
	struct calibrate_part parts[CALIBRATE_THREADS_MAX + 2];
	for (int i = 0; i < calibrate->thread_counts; i++) {
		parts[i] = (struct calibrate_part){.measure = calibrate_cpu_measure,
		                                   .threads = calibrate->threads[i],
		                                   .budget_s = calibrate_cpu_seconds /
		                                               calibrate->thread_counts};
		snprintf(parts[i].name, sizeof parts[i].name, "the CPU with %d thread%s",
		         parts[i].threads, parts[i].threads == 1 ? "" : "s");
	}
	parts[calibrate->thread_counts] = (struct calibrate_part){.measure = calibrate_gpu_measure,
	                                                          .budget_s = calibrate_gpu_seconds,
	                                                          .name = "the GPU"};
	parts[calibrate->thread_counts + 1] =
		(struct calibrate_part){.measure = calibrate_solver_measure,
	                                .budget_s = calibrate_solver_seconds,
	                                .needs_gpu = true,
	                                .name = "cuSOLVER"};
	calibrate_describe(calibrate);
	calibrate_run_parts(calibrate, parts, calibrate->thread_counts + 2);
	calibrate_name(calibrate);
}

static void calibrate_open_board(struct calibrate *calibrate)
{
	void *board = mmap(NULL, sizeof *calibrate->board, PROT_READ | PROT_WRITE,
	                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	calibrate->board = say_need(board == MAP_FAILED ? NULL : board);
}

/* Warns before the minute is over that it will be lost. */
static void calibrate_warn(const struct calibrate *calibrate)
{
	char text[CALIBRATE_LOAD_BYTES];
	const struct calibrate_load load =
		calibrate->quick ? (struct calibrate_load){.known = false} : calibrate_load_now();
	if (!calibrate_load_disturbs(&load))
		return;
	calibrate_load_describe(&load, text);
	say("the machine is busy: in the last moment %s. Figures measured now are too low; Ctrl-C "
	    "ends this and keeps the profile as it is",
	    text);
}

static void calibrate_judge(const struct calibrate *calibrate)
{
	char text[CALIBRATE_LOAD_BYTES];
	if (calibrate->quick || !calibrate_load_disturbs(&calibrate->load))
		return;
	calibrate_load_describe(&calibrate->load, text);
	say("the machine was busy: %s; the figures are too low, measure again when it is idle",
	    text);
}

static int calibrate_store(const struct calibrate *calibrate)
{
	const struct machine *machine = &calibrate->board->machine;
	if (machine->curve_count == 0 && !(machine->link_up_bytes > 0)) {
		say("nothing could be measured; no profile is stored");
		return TOOL_NOT_RUN;
	}
	calibrate_print(calibrate);
	fflush(stdout);
	calibrate_judge(calibrate);
	if (!calibrate_write_file(calibrate))
		return TOOL_NOT_RUN;
	printf("stored in %s\n", calibrate->output);
	return TOOL_FINE;
}

int calibrate_serve(struct calibrate_arguments *arguments)
{
	static struct calibrate calibrate;
	calibrate.quick = arguments->quick;
	calibrate.output = arguments->output;
	calibrate.blas = arguments->cpu_blas;
	if (calibrate.quick && calibrate.output == NULL)
		return say_refusal(
			"figures of --quick mean nothing; name a file for them with --output");
	int status = calibrate_choose_output(&calibrate);
	if (status == TOOL_FINE) {
		settings_load(&calibrate.options);
		if (calibrate.blas == NULL)
			calibrate.blas = calibrate.options.cpu_blas[0] != '\0'
			                         ? calibrate.options.cpu_blas
			                         : "libblas.so.3";
		calibrate_open_board(&calibrate);
		calibrate_choose_threads(&calibrate);
		calibrate_warn(&calibrate);
		calibrate_measure(&calibrate);
		status = calibrate_store(&calibrate);
		munmap(calibrate.board, sizeof *calibrate.board);
	}
	free(calibrate.default_output);
	return status;
}
