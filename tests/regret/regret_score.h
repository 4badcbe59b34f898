/* regret_score.h - the bars of a replay, and its lines in the table */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_SCORE_H
#define GPUSHIM_TESTS_REGRET_REGRET_SCORE_H

#include "tests/regret/regret_replay.h"

/* What the table counts at its end. */
struct regret_count {
	int rows, barred, failed;
	double worst; /* part of the allowance that a barred row used */
};

void regret_score_head(void);

/*
 * One line. Of a program whose better extreme takes at least ten start-ups, with each belief: auto
 * may lose against the better extreme, and against each peer's rule, 2 % of the better extreme, one
 * start-up, and one wrong call of each routine and bucket. What fails is said on a line of its own.
 */
void regret_score_row(const char *trace, int machine, const struct regret_outcome *outcome,
                      struct regret_count *count);

void regret_score_end(const struct regret_count *count);

#endif
