/* panels.h - plans of level-3 calls: copies and kernels that overlap; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANELS_H
#define GPUSHIM_POLICY_PLAN_PANELS_H

#include "policy/machine/panel_rates.h"
#include "policy/plan/panel_plan.h"

/* Whether the family is planned: level 3 without batches. */
bool panels_takes(enum family family);

/*
 * Plans the call by the best choice found; candidates are timed by panel_time_estimate. false if
 * the arena cannot hold even the smallest blocks, or there is no host memory (plan->arena_bytes is
 * 0 then). Release with panel_plan_free. No size may be 0, nor alpha.
 *
 * C of a family that scales it by beta is not loaded: kernels begin with 0, and the host computes C
 * := z + beta C when it stores. Stored is all of C, or the blocks that cover its triangle, each
 * element once.
 */
bool panels_plan(const struct panel_problem *problem, const struct panel_rates *rates,
                 struct panel_plan *plan);

/*
 * An estimate of the time of that plan with unlimited device memory, without making it. Never less
 * where there is more to copy or to compute, where links, device or operations are slower, or
 * duplex is less.
 */
double panels_estimate(const struct panel_problem *problem, const struct panel_rates *rates);

/*
 * The same from the time of each part alone, for operands that cross the link at different rates.
 */
struct panel_times {
	double up_a_ns, up_b_ns, down_ns, work_ns, duplex, operation_ns;
};
double panels_estimate_times(const struct panel_problem *problem, const struct panel_times *times);

/*
 * Plans the call by this choice (its sizes are cut to those of the problem); false also where the
 * family does not have the order.
 */
bool panels_plan_as(const struct panel_problem *problem, const struct panel_rates *rates,
                    const struct panel_choice *choice, struct panel_plan *plan);

#endif
