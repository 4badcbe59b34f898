/* tune.h - settings that were tried on recorded calls, and which of them is worth it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TUNE_TUNE_H
#define GPUSHIM_CLI_TUNE_TUNE_H

#include "cli/common/command.h"
#include "cli/tune/tune_sum.h"
#include "cli/tune/tune_threshold.h"
#include "policy/options/options.h"

/* options: as a program that is started now would have them, with those of the command line. */
struct tune_request {
	const struct tune_arguments *arguments;
	struct options options;
};

enum tune_setting {
	TUNE_LOGGED, /* as it was */
	TUNE_CPU,
	TUNE_GPU,
	TUNE_PRESENT,
	TUNE_AUTO,
	TUNE_WAIT, /* auto, and what starts CUDA waits for it: as with all that send by a rule */
	TUNE_THRESHOLD, /* the best one for all routines */
	TUNE_ROUTINES,  /* the best one for each */
	TUNE_SETTINGS
};

/* tried: false of what needs the order of calls, where the log cannot be read twice, and of routines that gain nothing.
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
 * What came of it. weights: of the calls that thresholds decide on; rest_ns, rest_gpu_calls: of all
 * others, which stay.
 * best: the setting that is recommended, TUNE_PRESENT where nothing is worth changing.
 */
struct tune_result {
	const struct tune_request *request;
	const struct tune_sum *sum;
	struct tune_row row[TUNE_SETTINGS];
	struct tune_weights weights;
	double rest_ns;
	uint64_t rest_gpu_calls;
	struct tune_choice choice;
	struct tune_routine routines[FAMILY_COUNT * ELEMENT_COUNT];
	int routine_count;
	enum tune_setting best;
};

/* Fills the rows that need no order of calls. */
void tune_weigh(struct tune_result *result);

/*
 * Fills best by all rows that are there: what is the least to say of those that save as much, or
 * nearly.
 */
void tune_choose(struct tune_result *result);

/* What a change must save to be worth it, as a part of the time in calls. */
#define TUNE_WORTH 0.02

/*
 * What the changes are measured against: the present settings, or the log where these could not be
 * tried.
 */
static inline enum tune_setting tune_find_base(const struct tune_result *result)
{
	return result->row[TUNE_PRESENT].tried ? TUNE_PRESENT : TUNE_LOGGED;
}

enum { TUNE_LINE_BYTES = 128 };

/*
 * The options of the recommended setting, one "key = value" after the other; *position starts at 0.
 * False after the last; nothing where nothing is worth changing.
 */
bool tune_next_line(const struct tune_result *result, int *position, char line[TUNE_LINE_BYTES]);

/* The report, to its end. */
void tune_print(struct emit *emit, const struct tune_result *result);

/* The config file. false after a sentence; an old file stays then. */
bool tune_write(const struct tune_result *result);

/* The name of a setting as reports have it. */
const char *tune_name(enum tune_setting setting);

#endif
