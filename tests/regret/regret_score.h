/* regret_score.h - the bars of a replay, and its rows in the table */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_SCORE_H
#define GPUSHIM_TESTS_REGRET_REGRET_SCORE_H

#include "tests/regret/regret_replay.h"

/* Sums for the end of the table. */
struct regret_count {
	int rows, barred, failed;
	double worst; /* the largest part of its allowance that a row with bars used */
	bool brief;   /* only rows that fail are printed */
};

void regret_score_head(void);

/*
 * Prints one row. Where the better extreme takes at least ten times CUDA's start, the row has bars,
 * for each belief: against the better extreme and against each peer's rule, auto may lose 2 % of
 * the better extreme, one start, and one wrong call of each routine and bucket. Each failure has a
 * line of its own.
 */
void regret_score_row(const char *trace, const struct regret_trial *trial,
                      const struct regret_outcome *outcome, struct regret_count *count);

void regret_score_end(const struct regret_fault *fault, const struct regret_count *count);

/*
 * Whether the rows hold: none fails without faults; with faults none uses more of its allowance
 * than the fault permits.
 */
bool regret_score_holds(const struct regret_fault *fault, const struct regret_count *count);

/* Whether at most one row in 200 of all faults fails. */
bool regret_score_is_rare(const struct regret_count *counts);

#endif
