/* compare_parts.h - what the parts of `gpushim compare` share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_COMPARE_PARTS_H
#define GPUSHIM_CLI_COMPARE_COMPARE_PARTS_H

#include "cli/common/command.h"
#include "cli/compare/compare_result.h"
#include "cli/compare/trial_runs.h"

/* result: of each side with the shim; that of side 0 is unused. */
struct compare {
	const struct compare_arguments *arguments;
	struct trial_runs trial;
	struct compare_result result[RUN_ORDER_SIDES];
};

/*
 * Makes a side for each --try, with the options of the command line and its own; without --try there
 * is one side, with the options of the command line. false after a message.
 */
bool compare_try_make_sides(struct compare *compare);

/*
 * Whether the file of --export can be written, told before anything runs; writes it. false after a
 * sentence.
 */
bool compare_export_check(const struct compare *compare);
bool compare_export_write(const struct compare *compare);

/* Prints the comparison. */
void compare_report_print(const struct compare *compare);

/* How many calls went to the GPU, and the reasons, of a side with the shim. */
uint64_t compare_decisions_count_gpu(const struct counters_read *harvest);
void compare_decisions_print(const struct trial_runs *trial);

/* In half a sentence, why no call went to the GPU; NULL where some did. To be freed. */
char *compare_decisions_explain(const struct counters_read *harvest);

/* Whether the options let calls go to the GPU: else a prediction of how many would is none. */
bool compare_decisions_are_open(const struct counters_read *harvest);

#endif
