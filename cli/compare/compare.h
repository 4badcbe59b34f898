/* compare.h - what the parts of `gpushim compare` share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_COMPARE_H
#define GPUSHIM_CLI_COMPARE_COMPARE_H

#include "cli/common/arguments.h"
#include "cli/compare/compare_result.h"
#include "cli/compare/trial_runs.h"

/*
 * tries: configurations as they were typed, each a side; without one there is one side with the
 * options of the command line. export: NULL for none. profile: of the prediction. slower_percent:
 * negative where that is no failure.
 */
struct compare {
	struct trial_runs trial;
	const char *tries[RUN_ORDER_SIDES];
	size_t try_count;
	bool audited;
	const char *export, *profile;
	double slower_percent;
	struct compare_result result[RUN_ORDER_SIDES]; /* of side 0 there is none */
};

/* The option in hand, one of compare's own or of option.def. false after a sentence. */
bool compare_options_set(struct compare *compare, struct arguments *arguments);

/*
 * Fills in what was not said, runs for one, and checks what depends on several options. false after
 * a sentence.
 */
bool compare_options_settle(struct compare *compare, size_t runs);

/*
 * Makes the sides of the configurations, from the options of the command line. false after a
 * sentence.
 */
bool compare_try_make_sides(struct compare *compare);

/*
 * Whether the file of --export can be written, told before anything runs; writes it. false after a
 * sentence.
 */
bool compare_export_check(const struct compare *compare);
bool compare_export_write(const struct compare *compare);

/* How many calls went to the GPU, and the reasons, of a side with the shim. */
uint64_t compare_decisions_count_gpu(const struct counters_read *harvest);
void compare_decisions_print(const struct trial_runs *trial);

/* In half a sentence, why no call went to the GPU; NULL where some did. To be freed. */
char *compare_decisions_explain(const struct counters_read *harvest);

/* Whether the options let calls go to the GPU: else a prediction of how many would is none. */
bool compare_decisions_are_open(const struct counters_read *harvest);

#endif
