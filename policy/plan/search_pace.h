/* search_pace.h - the time of a product in strips by a recurrence; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_SEARCH_PACE_H
#define GPUSHIM_POLICY_PLAN_SEARCH_PACE_H

#include "policy/plan/panel_search.h"

/*
 * The time of a plan of a product in columns, rows or rings, without writing it: after each strip
 * the moments at which both links and the device are done with it. The choice is in bounds; finish
 * is chosen: tail, or all of k. *strips: their number. Where panels move, see panel_search_rank.
 */
double search_pace_find(const struct panel_search *search, struct panel_choice *choice,
                        int *strips);

#endif
