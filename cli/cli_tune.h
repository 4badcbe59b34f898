/* cli_tune.h - settings that were tried on recorded calls, and which of them is worth it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_TUNE_H
#define GPUSHIM_CLI_CLI_TUNE_H

#include "cli/cli_tune_request.h"
#include "cli/cli_tune_sum.h"
#include "cli/cli_tune_threshold.h"

enum cli_tune_setting {
	CLI_TUNE_LOGGED, /* as it was */
	CLI_TUNE_CPU,
	CLI_TUNE_GPU,
	CLI_TUNE_PRESENT,
	CLI_TUNE_AUTO,
	CLI_TUNE_WAIT,      /* auto, and what starts CUDA waits for it: as with all that send by a rule */
	CLI_TUNE_THRESHOLD, /* the best one for all routines */
	CLI_TUNE_ROUTINES,  /* the best one for each */
	CLI_TUNE_SETTINGS
};

/* tried: false of what needs the order of calls, where the log cannot be read twice, and of routines that gain nothing.
 */
struct cli_tune_row {
	bool tried;
	double time_ns;
	uint64_t gpu_calls;
};

/* A routine of the log. */
struct cli_tune_routine {
	enum family family;
	enum element element;
	uint64_t calls;
	double cpu_ns;
	struct cli_tune_choice choice;
};

/*
 * What came of it. weights: of the calls that thresholds decide on; rest_ns, rest_gpu_calls: of all others, which stay.
 * best: the setting that is recommended, CLI_TUNE_PRESENT where nothing is worth changing.
 */
struct cli_tune_result {
	const struct cli_tune_request *request;
	const struct cli_tune_sum *sum;
	struct cli_tune_row row[CLI_TUNE_SETTINGS];
	struct cli_tune_weights weights;
	double rest_ns;
	uint64_t rest_gpu_calls;
	struct cli_tune_choice choice;
	struct cli_tune_routine routines[FAMILY_COUNT * ELEMENT_COUNT];
	int routine_count;
	enum cli_tune_setting best;
};

/* Fills the rows that need no order of calls. */
void cli_tune_weigh(struct cli_tune_result *result);

/* Fills best by all rows that are there: what is the least to say of those that save as much, or nearly. */
void cli_tune_choose(struct cli_tune_result *result);

/* What a change must save to be worth it, as a part of the time in calls. */
#define CLI_TUNE_WORTH 0.02

/* What the changes are measured against: the present settings, or the log where these could not be tried. */
static inline enum cli_tune_setting cli_tune_find_base(const struct cli_tune_result *result)
{
	return result->row[CLI_TUNE_PRESENT].tried ? CLI_TUNE_PRESENT : CLI_TUNE_LOGGED;
}

enum { CLI_TUNE_LINE_BYTES = 128 };

/*
 * The options of the recommended setting, one "key = value" after the other; *position starts at 0. False after the
 * last; nothing where nothing is worth changing.
 */
bool cli_tune_next_line(const struct cli_tune_result *result, int *position, char line[CLI_TUNE_LINE_BYTES]);

void cli_tune_print(const struct cli_tune_result *result);
void cli_tune_print_json(const struct cli_tune_result *result);

/* Time against threshold. */
void cli_tune_plot(const struct cli_tune_result *result);

/* The config file. false after a sentence; an old file stays then. */
bool cli_tune_write(const struct cli_tune_result *result);

/* The name of a setting as reports have it. */
const char *cli_tune_name(enum cli_tune_setting setting);

#endif
