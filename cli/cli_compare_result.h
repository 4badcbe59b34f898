/* cli_compare_result.h - what the times of two sides allow to say */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_COMPARE_RESULT_H
#define GPUSHIM_CLI_CLI_COMPARE_RESULT_H

#include "cli/cli_trial.h"

enum cli_compare_verdict {
	CLI_COMPARE_UNKNOWN, /* the rounds are too few for an interval */
	CLI_COMPARE_EQUAL,   /* 1 is within it */
	CLI_COMPARE_FASTER,
	CLI_COMPARE_SLOWER
};

/* Times with the shim / without it, and the interval's confidence. */
struct cli_compare_result {
	double ratio, low, high, confidence;
	enum cli_compare_verdict verdict;
};

enum { CLI_COMPARE_WORDS_BYTES = 160, CLI_COMPARE_NUMBER_BYTES = 32 };

struct cli_compare_result cli_compare_result_find(const struct cli_trial *trial, size_t side);

/* As a word for machines: unknown, no_difference, faster, slower. */
const char *cli_compare_result_name(enum cli_compare_verdict verdict);

/* "2.31 times as fast (95 % interval 2.10 to 2.52)". */
void cli_compare_result_tell(const struct cli_compare_result *result, char out[CLI_COMPARE_WORDS_BYTES]);

/*
 * The side that is faster than every other one, the one without the shim among them, by intervals that hold all
 * together; -1 where there is none. *rival: the side that it, or else the quickest, could not be told from.
 */
int cli_compare_result_find_best(const struct cli_trial *trial, size_t *quickest, size_t *rival);

#endif
