/* judge.h - whether two results of one call are as near as the routine's error analysis promises */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_JUDGE_H
#define GPUSHIM_TESTS_NUMERIC_JUDGE_H

#include "arena.h"

/*
 * What is wrong with the shim's result in the sight of the library's, or NULL. skips: the library
 * is known to leave out what a zero is multiplied by. *worst becomes the largest error over its
 * bound where that is larger.
 */
const char *judge_results(const struct arena *arena, const struct trial *t, bool skips,
                          double *worst);

#endif
