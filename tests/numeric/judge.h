/* judge.h - whether two results of one call are as near as the routine's error analysis promises */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_JUDGE_H
#define GPUSHIM_TESTS_NUMERIC_JUDGE_H

#include "arena.h"

/*
 * The error of the shim's result against the library's, or NULL. skips: the library is known not to
 * multiply by zeros. *worst is raised to the largest error divided by its bound.
 */
const char *judge_results(const struct arena *arena, const struct trial *t, bool skips,
                          double *worst);

#endif
