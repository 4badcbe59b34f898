/* judge.h - whether two results of one call are as near as the routine's error analysis promises */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_JUDGE_H
#define GPUSHIM_TESTS_NUMERIC_JUDGE_H

#include "arena.h"

/*
 * Which results may come from a routine that is known not to multiply by zeros: that of the library
 * (its routine of this family), that of the shim (its gemm computes a part).
 */
struct judge_skips {
	bool library, shim;
};

/*
 * The error of the shim's result against the library's, or NULL. *worst is raised to the largest
 * error divided by its bound.
 */
const char *judge_results(const struct arena *arena, const struct trial *t,
                          struct judge_skips skips, double *worst);

#endif
