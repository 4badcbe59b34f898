/* panel_time.h - how long a plan takes; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_TIME_H
#define GPUSHIM_POLICY_PLAN_PANEL_TIME_H

#include "policy/machine/panel_rates.h"
#include "policy/plan/panel_plan.h"

/*
 * The time from the first step to the end of the last, in nanoseconds, on one link each way and one
 * device, each of which does one operation at a time in the order of the list, as early as the step
 * allows.
 */
double panel_time_find(const struct panel_problem *problem, const struct panel_rates *rates,
                       const struct panel_plan *plan);

/* The time of one kernel: whole waves of tiles, and operation_ns. */
double panel_time_find_work(const struct panel_problem *problem, const struct panel_rates *rates,
                            const struct panel_work *work);

/*
 * More steps than that are not gone through one by one to find their time, and no better plan is
 * looked for.
 */
enum { PANEL_LONG = 5000 };

/* panel_time_find, where copies are reckoned with in grouped operations at a time: less exact, and sooner done. Of a long
 * plan it is reckoned from its totals. */
double panel_time_estimate(const struct panel_problem *problem, const struct panel_rates *rates,
                           const struct panel_plan *plan, uint64_t grouped);

#endif
