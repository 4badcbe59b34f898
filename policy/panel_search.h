/* panel_search.h - looks for a good choice; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PANEL_SEARCH_H
#define GPUSHIM_POLICY_PANEL_SEARCH_H

#include "policy/panel_orders.h"

/* What one search knows. Times are those of each engine if it never had to
 * wait, least_ns of the slowest; orders: those of the family. */
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
	struct panel_plan *best;
};

/* The best plan that was found, with a time that is estimated; false where none fits. */
bool panel_search_best(const struct panel_problem *problem, const struct panel_rates *rates, unsigned orders,
                       struct panel_plan *best);

/* Whether this choice is better than the best so far, which it replaces then. */
bool panel_search_try(struct panel_search *search, const struct panel_choice *choice);

/* Tries blocks that fill the memory. */
void panel_search_blocks(struct panel_search *search);

/*
 * Tries what suits families that are no plain products, panels as wide as the given choice's; false where the family is
 * one, or nothing fits.
 */
bool panel_search_families(struct panel_search *search, const struct panel_choice *panels);

/* panels.c: the choice within the problem's sizes and in whole grains; and its steps, without their time. */
struct panel_choice panels_cut_choice(const struct blas_call *blas, const struct panel_choice *choice);
bool panels_write(const struct panel_problem *problem, const struct panel_rates *rates,
                  const struct panel_choice *choice, struct panel_plan *plan);

#endif
