/* compare_parts.h - types and functions of the parts of `gpushim compare` */
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
 * Replaces side 1, which has the options of the command line, by one side for each --try, with its
 * options added. Without --try nothing changes. false after a message.
 */
bool compare_try_make_sides(struct compare *compare);

/*
 * Checks, before anything runs, whether the file of --export can be written; writes it. Both return
 * true without --export, and false after a message.
 */
bool compare_export_check(const struct compare *compare);
bool compare_export_write(const struct compare *compare);

/* Prints the comparison. */
void compare_report_print(const struct compare *compare);

/* Counts the calls that went to the GPU; prints the calls of each side by reason. */
uint64_t compare_decisions_count_gpu(const struct counters_read *counters);
void compare_decisions_print(const struct trial_runs *trial);

/* Why no call went to the GPU, as a clause without a full stop; NULL if some did. To be freed. */
char *compare_decisions_explain(const struct counters_read *counters);

/* Whether the options allow calls on the GPU; otherwise nothing is predicted. */
bool compare_decisions_are_open(const struct counters_read *counters);

#endif
