/* tune.h - settings that are tried on recorded calls, and which of them is proposed */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TUNE_TUNE_H
#define GPUSHIM_CLI_TUNE_TUNE_H

#include "cli/common/command.h"
#include "cli/recorded/recorded_prediction.h"
#include "cli/tune/tune_threshold.h"
#include "policy/options/options.h"

/* options: as a program has them that is started now with the options of the command line. */
struct tune_request {
	const struct tune_arguments *arguments;
	struct options options;
};

enum tune_setting {
	TUNE_LOGGED, /* as recorded */
	TUNE_CPU,
	TUNE_GPU,
	TUNE_PRESENT,
	TUNE_AUTO,
	TUNE_WAIT,      /* policy auto; the call that starts CUDA waits for it */
	TUNE_THRESHOLD, /* the best threshold for all routines */
	TUNE_ROUTINES,  /* the best threshold of each routine */
	TUNE_SETTINGS
};

/*
 * tried: false for settings that need the order of calls where the log cannot be read twice, and
 * for thresholds of each routine where they gain nothing.
 */
struct tune_row {
	bool tried;
	double time_ns;
	uint64_t gpu_calls;
};

/* A routine of the log. */
struct tune_routine {
	enum family family;
	enum element element;
	uint64_t calls;
	double cpu_ns;
	struct tune_choice choice;
};

/*
 * The results. weights: the calls that thresholds decide on; rest_ns, rest_gpu_calls: all other
 * calls, which no threshold moves. best: the proposed setting; tune_find_base where nothing is
 * worth changing.
 */
struct tune_result {
	const struct tune_request *request;
	const struct recorded_sum *sum;
	struct tune_row row[TUNE_SETTINGS];
	struct predict_totals prediction; /* where the present settings were tried */
	struct tune_weights weights;
	double rest_ns;
	uint64_t rest_gpu_calls;
	struct tune_choice choice;
	struct tune_routine routines[FAMILY_COUNT * ELEMENT_COUNT];
	int routine_count;
	enum tune_setting best;
};

/* Fills the rows of settings that do not need the order of calls. */
void tune_weigh(struct tune_result *result);

/*
 * Fills best from the rows that were tried: of the settings that are nearly as good as the best
 * one, the simplest.
 */
void tune_choose(struct tune_result *result);

/* The part of the time in calls that a change must save to be proposed. */
#define TUNE_WORTH 0.02

/*
 * The setting that changes are measured against: the present one, or the log where the present one
 * was not tried.
 */
static inline enum tune_setting tune_find_base(const struct tune_result *result)
{
	return result->row[TUNE_PRESENT].tried ? TUNE_PRESENT : TUNE_LOGGED;
}

enum { TUNE_LINE_BYTES = 128 };

/*
 * Writes the next option of the proposed setting, "key = value"; *position is 0 at first. false
 * after the last, and where nothing is worth changing.
 */
bool tune_next_line(const struct tune_result *result, int *position, char line[TUNE_LINE_BYTES]);

/* Writes the report between emit_begin and emit_end. */
void tune_print(struct emit *emit, const struct tune_result *result);

/* Stores the config file. false after a message; an old file is kept then. */
bool tune_write(const struct tune_result *result);

/* The name of a setting in reports. */
const char *tune_name(enum tune_setting setting);

#endif
