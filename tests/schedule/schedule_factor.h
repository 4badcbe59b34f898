/* schedule_factor.h - the expected time of LU and Cholesky, against its bound and in, solve, out */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_FACTOR_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_FACTOR_H

#include "tests/schedule/schedule_call.h"
#include "tests/schedule/schedule_clock.h"

/*
 * In nanoseconds: the time that the planner expects, the bound, and the copies and the solution one
 * after the other. width: columns of a panel.
 */
struct schedule_factor {
	double time_ns, bound_ns, whole_ns;
	int64_t width;
};

/* Whether the routine is getrf or potrf: not run, since pivots cannot be known without numbers. */
bool schedule_factor_takes(const char *routine);

/* false: there is no plan. */
bool schedule_factor_find(const struct schedule_call *wanted, const struct schedule_clock *clock,
                          struct schedule_factor *found);

#endif
