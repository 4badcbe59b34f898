/* cli_compare.h - what the parts of `gpushim compare` share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_COMPARE_H
#define GPUSHIM_CLI_CLI_COMPARE_H

#include "cli/cli_arguments.h"
#include "cli/cli_compare_result.h"
#include "cli/cli_trial.h"

/*
 * tries: configurations as they were typed, each a side; without one there is one side with the options of the command
 * line. export: NULL for none. profile: of the prediction. slower_percent: negative where that is no failure.
 */
struct cli_compare {
	struct cli_trial trial;
	const char *tries[CLI_ORDER_SIDES];
	size_t try_count;
	bool audited;
	const char *export, *profile;
	double slower_percent;
	struct cli_compare_result result[CLI_ORDER_SIDES]; /* of side 0 there is none */
};

/* The option in hand, one of compare's own or of option.def. false after a sentence. */
bool cli_compare_options_set(struct cli_compare *compare, struct cli_arguments *arguments);

/* Fills in what was not said, runs for one, and checks what depends on several options. false after a sentence. */
bool cli_compare_options_settle(struct cli_compare *compare, size_t runs);

/* Makes the sides of the configurations, from the options of the command line. false after a sentence. */
bool cli_compare_try_make_sides(struct cli_compare *compare);

/* Whether the file of --export can be written, told before anything runs; writes it. false after a sentence. */
bool cli_compare_export_check(const struct cli_compare *compare);
bool cli_compare_export_write(const struct cli_compare *compare);

/* How many calls went to the GPU, and the reasons, of a side with the shim. */
uint64_t cli_compare_decisions_count_gpu(const struct cli_harvest *harvest);
void cli_compare_decisions_print(const struct cli_trial *trial);

/* In half a sentence, why no call went to the GPU; NULL where some did. To be freed. */
char *cli_compare_decisions_explain(const struct cli_harvest *harvest);

/* Whether the options let calls go to the GPU: else a prediction of how many would is none. */
bool cli_compare_decisions_are_open(const struct cli_harvest *harvest);

#endif
