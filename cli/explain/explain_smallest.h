/* explain_smallest.h - the size from which on a routine is faster on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_SMALLEST_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_SMALLEST_H

#include "cli/common/call_problem.h"
#include "cli/explain/explain_decide.h"

/* The largest n that is tried. BLAS: squares; transforms: n, n x n, n x n x n. */
int64_t explain_smallest_limit(const struct call_problem *problem);

/*
 * What is expected of size n: the CPU's time divided by the GPU's (0 where one of them is unknown),
 * and whether options keep such a call on the CPU, by the gate or by a rule.
 */
struct explain_size {
	double speedup;
	bool kept;
};
struct explain_size explain_smallest_look(const struct explain_view *view,
                                          const struct call_problem *problem, int64_t n);

/*
 * by_time: the least n from which on the GPU is expected to be faster at every size up to the
 * limit; pays: the least from which on the shim also lets such calls go there. Sizes above 64 are
 * tried in steps of 2 %. 0 where there is none, or the GPU's time is unknown.
 */
struct explain_smallest {
	int64_t by_time, pays;
};
struct explain_smallest explain_smallest_find(const struct explain_view *view,
                                              const struct call_problem *problem);

#endif
