/* panel_writers.h - families that are planned, and in which orders; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_WRITERS_H
#define GPUSHIM_POLICY_PLAN_PANEL_WRITERS_H

#include "policy/machine/panel_rates.h"
#include "policy/plan/panel_plan.h"

/* Sets of orders. */
enum {
	PANEL_COLUMNS = 1 << PANEL_ORDER_COLUMNS,
	PANEL_ROWS = 1 << PANEL_ORDER_ROWS,
	PANEL_RINGS = 1 << PANEL_ORDER_RINGS,
	PANEL_BLOCKS = 1 << PANEL_ORDER_BLOCKS
};

/* The orders of a family, 0 where it is not planned. */
unsigned panel_writers_find_orders(enum family family);

/*
 * Writes the plan of this choice, whose sizes are cut to the problem's; its time_ns is 0. false
 * where the family does not have the order, where the arena is too small, or where there is no host
 * memory. Afterwards panel_plan_free.
 */
bool panel_writers_write(const struct panel_problem *problem, const struct panel_rates *rates,
                         const struct panel_choice *choice, struct panel_plan *plan);

#endif
