/* panel_search.h - searches for a good choice; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_SEARCH_H
#define GPUSHIM_POLICY_PLAN_PANEL_SEARCH_H

#include "policy/machine/panel_rates.h"
#include "policy/plan/panel_plan.h"

/* Choices that are remembered, so that none is tried twice. */
enum { PANEL_SEARCH_KNOWN = 16 };

/*
 * The state of a search. up_*_ns, down_ns, work_ns: time of each engine if it never waited;
 * least_ns: that of the slowest engine. orders: those of the family.
 */
struct panel_search {
	const struct panel_problem *problem;
	const struct panel_rates *rates;
	unsigned orders;
	double up_a_ns, up_b_ns, down_ns, work_ns, least_ns;
	double left_units; /* budget of the search, see panel_search.c */
	int tried;
	bool short_of_memory, descended; /* descended: strips were reckoned */
	uint64_t grouped;                /* operations that panel_time_estimate simulates as one */
	double operations;               /* operations of all copies, counted in these groups */
	int known;
	struct panel_choice choice[PANEL_SEARCH_KNOWN];
	struct panel_plan *best;
};

/* Begins a search. */
struct panel_search panel_search_start(const struct panel_problem *problem,
                                       const struct panel_rates *rates, struct panel_plan *best);

/*
 * By what the search compares plans of this time: where panels move, a sixteenth of the last one's
 * share of C is added, since one side may wait for the other as long as that panel takes. More than
 * that would cost the device more than the wait, which calls that are repeated learn to avoid.
 */
double panel_search_rank(const struct panel_problem *problem, double time_ns, double last_elements);

/* The time of the busier link. */
double panel_search_find_link(const struct panel_search *search);

/* Finds the best plan, with an estimated time; false if none fits. */
bool panel_search_best(const struct panel_problem *problem, const struct panel_rates *rates,
                       struct panel_plan *best);

/* Tries a choice; true if it is better than the best one so far, which it then replaces. */
bool panel_search_try(struct panel_search *search, const struct panel_choice *choice);

/* Tries blocks that fill the memory. */
void panel_search_blocks(struct panel_search *search);

/* Tries choices for families other than gemm and gemm3m, with panels of this order. */
void panel_search_families(struct panel_search *search, enum panel_order order);

/* The preferred order of panels for the call. */
enum panel_order panel_search_prefer(const struct panel_search *search);

/* The time on the link of the factor that is cut into panels, which a square A never is. */
double panel_search_find_way(const struct panel_search *search, enum panel_order order);

/*
 * The share of the panels that is best as first group, from the times of both factors on the link.
 */
double panel_search_find_share(const struct panel_search *search, double stream_ns,
                               double panel_ns);

/*
 * Panels of an order with all of k at once; the next function tries them, and with a first group
 * beside slices of k.
 */
struct panel_choice panel_search_find_panels(const struct panel_search *search,
                                             enum panel_order order);
void panel_search_try_panels(struct panel_search *search, enum panel_order order);
void panel_search_try_rings(struct panel_search *search);

/*
 * Of a product: reckons the pace of columns, rows and rings, beginning with this order, and tries
 * the best of them.
 */
void panel_search_descend(struct panel_search *search, enum panel_order first);

/* Tries ever smaller panels until they fit or cannot be smaller. */
void panel_search_try_smaller(struct panel_search *search, enum panel_order order);

#endif
