/* explain_smallest.h - the size from which on a routine is faster on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_SMALLEST_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_SMALLEST_H

#include "cli/common/call_problem.h"
#include "policy/decide/cost.h"

/* The largest n that is tried. BLAS: squares; transforms: n, n x n, n x n x n. */
int64_t explain_smallest_limit(const struct call_problem *problem);

/*
 * The least n from which on the GPU is expected to be faster at every size up to the limit. Sizes
 * above 64 are tried in steps of 2 %. 0 where the GPU is slower at the limit, or its time is
 * unknown.
 */
int64_t explain_smallest_find(const struct machine *machine, const struct cost_setting *setting,
                              const struct call_problem *problem);

/* Expected CPU time divided by GPU time at size n; 0 where one of them is unknown. */
double explain_smallest_speedup(const struct machine *machine, const struct cost_setting *setting,
                                const struct call_problem *problem, int64_t n);

#endif
