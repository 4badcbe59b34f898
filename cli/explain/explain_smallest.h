/* explain_smallest.h - from which size on a routine is faster on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_SMALLEST_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_SMALLEST_H

#include "cli/common/call_problem.h"
#include "policy/decide/cost.h"

/* Squares (transforms: n, n x n, n x n x n) are tried up to this size. */
int64_t explain_smallest_limit(const struct call_problem *problem);

/*
 * The least n from which the GPU is expected to be faster for every size up to the limit; sizes
 * beyond 64 are tried in steps of a fiftieth. 0 where it is slower at the limit, or nothing can be
 * predicted.
 */
int64_t explain_smallest_find(const struct machine *machine, const struct cost_setting *setting,
                              const struct call_problem *problem);

/* Expected time on the CPU / on the GPU at size n; 0 where it cannot be predicted. */
double explain_smallest_speedup(const struct machine *machine, const struct cost_setting *setting,
                                const struct call_problem *problem, int64_t n);

#endif
