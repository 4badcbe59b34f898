/* compare_result.h - what the times of two sides allow to say */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_COMPARE_RESULT_H
#define GPUSHIM_CLI_COMPARE_COMPARE_RESULT_H

#include "cli/compare/trial_runs.h"

enum compare_verdict {
	COMPARE_UNKNOWN, /* the rounds are too few for an interval */
	COMPARE_EQUAL,   /* 1 is within it */
	COMPARE_FASTER,
	COMPARE_SLOWER
};

/* Times with the shim / without it, and the interval's confidence. */
struct compare_result {
	double ratio, low, high, confidence;
	enum compare_verdict verdict;
};

enum { COMPARE_WORDS_BYTES = 160, COMPARE_NUMBER_BYTES = 32 };

struct compare_result compare_result_find(const struct trial_runs *trial, size_t side);

/* As a word for machines: unknown, no_difference, faster, slower. */
const char *compare_result_name(enum compare_verdict verdict);

/* "2.31 times as fast (95 % interval 2.10 to 2.52)". */
void compare_result_tell(const struct compare_result *result, char out[COMPARE_WORDS_BYTES]);

/*
 * The side that is faster than every other one, the one without the shim among them, by intervals
 * that hold all together; -1 where there is none. *rival: the side that it, or else the quickest,
 * could not be told from.
 */
int compare_result_find_best(const struct trial_runs *trial, size_t *quickest, size_t *rival);

#endif
