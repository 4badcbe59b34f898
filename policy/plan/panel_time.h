/* panel_time.h - how long a plan takes; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_TIME_H
#define GPUSHIM_POLICY_PLAN_PANEL_TIME_H

#include "policy/machine/panel_rates.h"
#include "policy/plan/panel_plan.h"

/*
 * The time of a plan in nanoseconds, from its first step to the end of the last: one link each way
 * and one device, each carrying out one operation at a time in the order of the list, as early as
 * the step allows.
 */
double panel_time_find(const struct panel_problem *problem, const struct panel_rates *rates,
                       const struct panel_plan *plan);

/* The time of one kernel in nanoseconds: whole waves of tiles, plus operation_ns. */
double panel_time_find_work(const struct panel_problem *problem, const struct panel_rates *rates,
                            const struct panel_work *work);

/* Plans of more steps are not simulated to find their time, and no better plan is searched for. */
enum { PANEL_LONG = 5000 };

/*
 * panel_time_find with copies simulated in groups of `grouped` operations: faster and less exact.
 * The time of a long plan is estimated from its totals.
 */
double panel_time_estimate(const struct panel_problem *problem, const struct panel_rates *rates,
                           const struct panel_plan *plan, uint64_t grouped);

#endif
