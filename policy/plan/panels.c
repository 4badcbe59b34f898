/* panels.c - plans a level-3 call by one choice, or by the best of several */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panels.h"

#include "policy/plan/panel_search.h"
#include "policy/plan/panel_time.h"
#include "policy/plan/panel_writers.h"

bool panels_takes(enum family family)
{
	return panel_writers_find_orders(family) != 0;
}

bool panels_plan_as(const struct panel_problem *problem, const struct panel_rates *rates,
                    const struct panel_choice *choice, struct panel_plan *plan)
{
	if (!panel_writers_write(problem, rates, choice, plan))
		return false;
	plan->time_ns = panel_time_find(problem, rates, plan);
	return true;
}

bool panels_plan(const struct panel_problem *problem, const struct panel_rates *rates,
                 struct panel_plan *plan)
{
	if (!panel_search_best(problem, rates, plan))
		return false;
	if (plan->count <= PANEL_LONG)
		plan->time_ns = panel_time_find(problem, rates, plan);
	return true;
}
