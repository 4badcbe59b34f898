/* panels.h - cuts a level-3 call into copies and kernels, so that link and device work together; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANELS_H
#define GPUSHIM_POLICY_PLAN_PANELS_H

#include "policy/machine/panel_rates.h"
#include "policy/plan/panel_plan.h"

/*
 * Whether the family is planned here: all of level 3 but batches.
 */
bool panels_takes(enum family family);

/*
 * Plans the call with the best order: candidates are timed by panel_time_find. false where the arena
 * cannot hold even the smallest blocks, or there is no host memory (then plan->arena_bytes is 0).
 * Afterwards panel_plan_free. No size is 0, and alpha is not 0.
 *
 * C of a family that scales it by beta is not loaded: kernels begin with 0, and the host computes C
 * := z + beta C when it stores. What is stored is all of C, or the blocks that cover its triangle,
 * each element once.
 */
bool panels_plan(const struct panel_problem *problem, const struct panel_rates *rates,
                 struct panel_plan *plan);

/*
 * About the time of that plan, without making it, as if the memory held everything. Never less
 * where there is more to move or to do, where links, device or operations are slower, or the duplex
 * is less.
 */
double panels_estimate(const struct panel_problem *problem, const struct panel_rates *rates);

/* The same from the times that each part takes alone, for operands whose ways differ. */
struct panel_times {
	double up_a_ns, up_b_ns, down_ns, work_ns, duplex, operation_ns;
};
double panels_estimate_times(const struct panel_problem *problem, const struct panel_times *times);

/*
 * Plans it by this choice (sizes are cut to the problem's); false also where the family does not
 * have the order.
 */
bool panels_plan_as(const struct panel_problem *problem, const struct panel_rates *rates,
                    const struct panel_choice *choice, struct panel_plan *plan);

#endif
