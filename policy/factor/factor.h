/* factor.h - plans LU and Cholesky factorizations: copies and kernels that overlap; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FACTOR_FACTOR_H
#define GPUSHIM_POLICY_FACTOR_FACTOR_H

#include "policy/factor/factor_plan.h"

/* About how many elements of the factor are loaded again; 0 without a room. */
double factor_count_again(const struct factor_problem *problem);

/* The room of which more is of no use. */
uint64_t factor_find_most_room(const struct factor_problem *problem, int64_t width);

/* Whether the problem's room is enough for panels of this width. */
bool factor_fits(const struct factor_problem *problem, int64_t width);

/*
 * Plans the problem with the width that takes the least time. Sizes are positive, right may be 0.
 * false: no host memory, or no width fits. Release with factor_plan_free.
 */
bool factor_make(const struct factor_problem *problem, const struct factor_rates *rates,
                 struct factor_plan *plan);

/* The same with panels of this width, at least 1, which fits. */
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

/* The time of the plan that factor_make makes, without making it; 0 where that fails. */
double factor_estimate(const struct factor_problem *problem, const struct factor_rates *rates);

#endif
