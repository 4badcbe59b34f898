/* compare_result.h - the ratio of the times of two sides, its interval and its verdict */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_COMPARE_RESULT_H
#define GPUSHIM_CLI_COMPARE_COMPARE_RESULT_H

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

enum { COMPARE_WORDS_BYTES = 160, COMPARE_NUMBER_BYTES = 32 };

struct compare_result compare_result_find(const struct trial_runs *trial, size_t side);

/* The verdict in JSON: unknown, no_difference, faster, slower. */
const char *compare_result_name(enum compare_verdict verdict);

/* "2.31 times as fast (95 % interval 2.10 to 2.52)". */
void compare_result_describe(const struct compare_result *result, char out[COMPARE_WORDS_BYTES]);

/*
 * Returns the side that is faster than every other side, also than the one without the shim, by
 * simultaneous intervals; -1 if there is none. *quickest: the side with the least ratio; *rival: if
 * -1 is returned, a side that it cannot be told from.
 */
int compare_result_find_best(const struct trial_runs *trial, size_t *quickest, size_t *rival);

#endif
