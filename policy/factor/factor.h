/* factor.h - plans LU and Cholesky factorizations: copies and kernels that overlap; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FACTOR_FACTOR_H
#define GPUSHIM_POLICY_FACTOR_FACTOR_H

#include "policy/factor/factor_plan.h"

/*
 * Plans the problem with the width that takes the least time. Sizes are positive, right may be 0.
 * false: no host memory. Release with factor_plan_free.
 */
bool factor_make(const struct factor_problem *problem, const struct factor_rates *rates,
                 struct factor_plan *plan);

/* The same with panels of this width, at least 1. */
bool factor_make_wide(const struct factor_problem *problem, const struct factor_rates *rates,
                      int64_t width, struct factor_plan *plan);

/* The time of that plan. */
double factor_estimate_wide(const struct factor_problem *problem, const struct factor_rates *rates,
                            int64_t width);

/*
 * The time in, solve, out, one after the other: of one panel as wide as the matrix.
 */
double factor_estimate_whole(const struct factor_problem *problem,
                             const struct factor_rates *rates);

/* The time of the plan that factor_make makes, without making it. */
double factor_estimate(const struct factor_problem *problem, const struct factor_rates *rates);

#endif
