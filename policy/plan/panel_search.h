/* panel_search.h - looks for a good choice; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_SEARCH_H
#define GPUSHIM_POLICY_PLAN_PANEL_SEARCH_H

#include "policy/machine/panel_rates.h"
#include "policy/plan/panel_plan.h"

/* So many of the choices that were tried are remembered. */
enum { PANEL_SEARCH_KNOWN = 16 };

/*
 * What one search knows. Times are those of each engine if it never had to wait, least_ns of the
 * slowest; orders: those of the family.
 */
struct panel_search {
	const struct panel_problem *problem;
	const struct panel_rates *rates;
	unsigned orders;
	double up_a_ns, up_b_ns, down_ns, work_ns, least_ns;
	double left_units; /* of what looking may cost */
	int tried;
	bool short_of_memory;
	uint64_t grouped;  /* operations are reckoned with so many at a time */
	double operations; /* then they are so many, or one per step */
	int known;
	struct panel_choice choice[PANEL_SEARCH_KNOWN];
	struct panel_plan *best;
};

/* A search that has tried nothing. */
struct panel_search panel_search_start(const struct panel_problem *problem,
                                       const struct panel_rates *rates, struct panel_plan *best);

/* The longer of the times of both links. */
double panel_search_find_link(const struct panel_search *search);

/* The best plan that was found, with a time that is estimated; false where none fits. */
bool panel_search_best(const struct panel_problem *problem, const struct panel_rates *rates,
                       struct panel_plan *best);

/* Whether this choice is better than the best so far, which it replaces then. */
bool panel_search_try(struct panel_search *search, const struct panel_choice *choice);

/* Tries blocks that fill the memory. */
void panel_search_blocks(struct panel_search *search);

/* Tries what suits families that are no plain products, in panels of this order. */
void panel_search_families(struct panel_search *search, enum panel_order order);

/* The order of panels for the call. */
enum panel_order panel_search_prefer(const struct panel_search *search);

/* The time on its way of the factor that is cut into panels: a square A never is. */
double panel_search_find_way(const struct panel_search *search, enum panel_order order);

/* The part of the panels that is best in the first group, by the times of the two factors. */
double panel_search_find_share(const struct panel_search *search, double stream_ns,
                               double panel_ns);

/*
 * Panels in an order, all of k at once; tried like that, and with a first group beside slices of k.
 */
struct panel_choice panel_search_find_panels(const struct panel_search *search,
                                             enum panel_order order);
void panel_search_try_panels(struct panel_search *search, enum panel_order order);
void panel_search_try_rings(struct panel_search *search);

/* Tries panels that get smaller until they fit, or are as small as they get. */
void panel_search_try_smaller(struct panel_search *search, enum panel_order order);

#endif
