/* compare_parts.h - types and functions of the parts of `gpushim compare` */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_COMPARE_PARTS_H
#define GPUSHIM_CLI_COMPARE_COMPARE_PARTS_H

#include <stdio.h>

#include "cli/common/command.h"
#include "cli/common/emit.h"
#include "cli/common/prediction.h"
#include "cli/compare/trial_runs.h"

enum compare_verdict {
	COMPARE_UNKNOWN, /* too few rounds for an interval */
	COMPARE_EQUAL,   /* 1 is in the interval */
	COMPARE_FASTER,
	COMPARE_SLOWER
};

/* ratio: time with the shim / without; low, high: its interval, of this confidence. */
struct compare_result {
	double ratio, low, high, confidence;
	enum compare_verdict verdict;
};

/* sums: their machine is this one. */
struct compare_prediction {
	struct known_machine machine;
	struct prediction sums;
};

/*
 * result: of each side with the shim; that of side 0 is unused. prediction: NULL for sides of which
 * nothing was predicted. alone_ns: what the launcher takes by itself, -1: unknown.
 */
struct compare {
	const struct compare_arguments *arguments;
	struct trial_runs trial;
	struct compare_result result[RUN_ORDER_SIDES];
	struct compare_prediction *prediction[RUN_ORDER_SIDES];
	int64_t alone_ns;
};

/* Whether the tool is one of several ranks, where nothing can be compared: then after a message. */
bool compare_launch_refuses(void);

/*
 * How long a launcher takes with a program that ends at once in the program's place, without the
 * shim: the median of a few runs, in ns. -1 where there is no launcher, or its words have no such
 * place.
 */
int64_t compare_launch_measure(const struct trial_runs *trial);

/* Prints that time, and the ranks that did not report. */
void compare_launch_print(const struct compare *compare);

/*
 * Replaces side 1, which has the options of the command line, by one side for each --try, with its
 * options added. Without --try nothing changes. false after a message.
 */
bool compare_try_make_sides(struct compare *compare);

/* Gives the sides with the shim the names of --name. false after a message. */
bool compare_try_name_sides(struct compare *compare);

/*
 * Checks, before anything runs, whether the files of --export can be written; writes them. Both
 * return true without --export, and false after a message.
 */
bool compare_export_check(const struct compare *compare);
bool compare_export_write(const struct compare *compare);

/* Writes the comparison as an object of JSON, and its runs as CSV. */
void compare_json_print(const struct compare *compare, FILE *file);
void compare_csv_print(const struct trial_runs *trial, FILE *file);

/* What stdout shows from here on has this colour, where it shows colours. */
void compare_report_colour(enum emit_colour colour);

/* Prints the comparison; of it the distribution of the times, the outputs, the exit statuses. */
void compare_report_print(const struct compare *compare);
void compare_plot_print(const struct trial_runs *trial);
void compare_output_print(const struct trial_runs *trial);
void compare_output_print_statuses(const struct trial_runs *trial);

/* Counts the calls that went to the GPU; prints the calls of each side by reason. */
uint64_t compare_decisions_count_gpu(const struct counters_read *counters);
void compare_decisions_print(const struct trial_runs *trial);

/* Why no call went to the GPU, as a clause without a full stop; NULL if some did. To be freed. */
char *compare_decisions_explain(const struct counters_read *counters);

/* Whether the options allow calls on the GPU; otherwise nothing is predicted. */
bool compare_decisions_are_open(const struct counters_read *counters);

enum { COMPARE_WORDS_BYTES = 160, COMPARE_NUMBER_BYTES = 32 };

struct compare_result compare_result_find(const struct trial_runs *trial, size_t side);

/* The verdict in JSON: unknown, no_difference, faster, slower. */
const char *compare_result_name(enum compare_verdict verdict);

/* "2.31 times as fast with the shim (95 % interval 2.10 to 2.52)". */
void compare_result_describe(const struct compare_result *result, char out[COMPARE_WORDS_BYTES]);

/*
 * Returns the side that is faster than every other side, also than the one without the shim, by
 * simultaneous intervals; -1 if there is none. *quickest: the side with the least ratio; *rival: if
 * -1 is returned, a side that it cannot be told from.
 */
int compare_result_find_best(const struct trial_runs *trial, size_t *quickest, size_t *rival);

/*
 * Runs the program once more with the side's options, but under the policy dry, with a log and with
 * the machine's profile (a file, the name of one in config/machines, or NULL for the one that a dry
 * run finds), prints the prediction and keeps it.
 * off_ns: the program's measured time without the shim.
 */
void compare_dry_print(struct compare *compare, size_t side, const char *machine, double off_ns);

#endif
