/* panel_search.c - the best choice: a few likely ones, then downhill while it pays */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_search.h"

#include <stddef.h>

#include "policy/plan/panel_time.h"
#include "policy/plan/panel_writers.h"

/*
 * The search must be cheap beside the call. Its cost is counted in steps and operations simulated,
 * each about search_unit_ns; it may be search_share of the least time of the call, at most
 * search_most_ns, but two plans may always be tried, and more short ones. For plans of more than
 * SEARCH_WALKED steps no neighbours are tried, nor where strips were reckoned: that tried theirs.
 */
static const double search_unit_ns = 100, search_share = 0.01, search_most_ns = 60000;
enum { SEARCH_LEAST = 2, SEARCH_LEAST_OF_SHORT = 6, SEARCH_SHORT = 256, SEARCH_WALKED = 500 };

/* Share of the memory that operands may fill and still leave room for the other buffers. */
static const double search_room = 0.95;

/* A plan within this factor of the least time is good enough. */
static const double search_good = 1.035;

/*
 * A call that takes less than SEARCH_WHOLE operations may be best undivided. Guesses come first for
 * one of less than SEARCH_BRIEF: there is little time to reckon strips.
 */
enum { SEARCH_WHOLE = 32, SEARCH_BRIEF = 64 };

/* See panel_search_rank. */
enum { SEARCH_MOVES = 16 };

/* Copies are simulated in about this many operations. */
enum { SEARCH_OPERATIONS = 64 };

static double panel_search_larger(double a, double b)
{
	return a > b ? a : b;
}

double panel_search_find_link(const struct panel_search *search)
{
	return panel_search_larger(search->up_a_ns + search->up_b_ns, search->down_ns);
}

struct panel_search panel_search_start(const struct panel_problem *problem,
                                       const struct panel_rates *rates, struct panel_plan *best)
{
	const double ns = 1e9, up = rates->up_bytes_s, down = rates->down_bytes_s;
	const struct panel_bytes bytes = panel_plan_count_bytes(problem);
	const double operands =
		bytes.a + (family_is_in_place(problem->family) ? 0 : bytes.panel_b) + bytes.c;
	const double flops = operand_count_flops(problem->family, problem->element, &problem->blas);
	struct panel_search search = {
		.problem = problem,
		.rates = rates,
		.orders = panel_writers_find_orders(problem->family),
		.up_a_ns = bytes.a / up * ns,
		.up_b_ns = bytes.panel_b / up * ns,
		.down_ns = bytes.c / down * ns,
		.work_ns = flops / rates->work_flops_s * ns,
		.best = best,
		.grouped = 1,
		.short_of_memory = operands > (double)rates->memory_bytes * search_room,
	};
	const double up_ns = search.up_a_ns + bytes.b / up * ns;
	search.least_ns = panel_search_larger(
		search.work_ns, panel_search_larger(up_ns, search.down_ns) / rates->duplex);
	if (rates->copy_bytes > 0) {
		search.operations = operands / (double)rates->copy_bytes;
		search.grouped += (uint64_t)(search.operations / SEARCH_OPERATIONS);
		search.operations /= (double)search.grouped;
	}
	const double share_ns = search.least_ns * search_share;
	search.left_units =
		(share_ns < search_most_ns ? share_ns : search_most_ns) / search_unit_ns;
	return search;
}

double panel_search_rank(const struct panel_problem *problem, double time_ns, double last_elements)
{
	const double elements = (double)problem->blas.m * (double)problem->blas.n;
	return problem->moves ? time_ns * (1 + last_elements / elements / SEARCH_MOVES) : time_ns;
}

static double panel_search_rank_plan(const struct panel_problem *problem,
                                     const struct panel_plan *plan)
{
	const struct panel_step *last = &plan->steps[plan->count - 1];
	const double rows = (double)last->block.row.count,
		     columns = (double)last->block.column.count;
	return panel_search_rank(problem, plan->time_ns, rows * columns);
}

/* A long plan takes longer to write than another one is likely to save. */
static bool panel_search_is_over(const struct panel_search *search)
{
	const struct panel_plan *best = search->best;
	const int least = best->count <= SEARCH_SHORT ? SEARCH_LEAST_OF_SHORT : SEARCH_LEAST;
	if (best->steps == NULL)
		return false;
	if (best->count > PANEL_LONG ||
	    panel_search_rank_plan(search->problem, best) < search->least_ns * search_good)
		return true;
	return search->left_units <= 0 && search->tried >= least;
}

static bool panel_search_is_equal(const struct panel_choice *x, const struct panel_choice *y)
{
	return x->order == y->order && x->group == y->group && x->width == y->width &&
	       x->last == y->last && x->slice == y->slice && x->tail == y->tail &&
	       x->finish == y->finish && x->across == y->across;
}

/* Notes the choice; true if it is one of those that were tried last. */
static bool panel_search_knows(struct panel_search *search, const struct panel_choice *choice)
{
	for (int i = 0; i < search->known && i < PANEL_SEARCH_KNOWN; i++)
		if (panel_search_is_equal(&search->choice[i], choice))
			return true;
	search->choice[search->known++ % PANEL_SEARCH_KNOWN] = *choice;
	return false;
}

bool panel_search_try(struct panel_search *search, const struct panel_choice *choice)
{
	struct panel_plan plan;
	const struct panel_choice cut = panel_plan_cut_choice(&search->problem->blas, choice);
	if (panel_search_is_over(search) || panel_search_knows(search, &cut))
		return false;
	if (!panel_writers_write(search->problem, search->rates, &cut, &plan))
		return false;
	plan.time_ns = panel_time_estimate(search->problem, search->rates, &plan, search->grouped);
	search->left_units -= plan.count + search->operations;
	search->tried++;
	const bool better = search->best->steps == NULL ||
	                    panel_search_rank_plan(search->problem, &plan) <
	                            panel_search_rank_plan(search->problem, search->best);
	struct panel_plan *worse = better ? search->best : &plan;
	panel_plan_free(worse);
	if (better)
		*search->best = plan;
	return better;
}

/* Tries one step in each parameter; false if none is better. */
static bool panel_search_walk(struct panel_search *search)
{
	static const double ways[][6] = {
		/* group, width, last, slice, tail, finish */
		{1, 1, 0.5, 1, 1, 1},   {0.85, 1, 1, 1, 1, 1},  {1.15, 1, 1, 1, 1, 1},
		{1, 0.6, 0.6, 1, 1, 1}, {1, 1.6, 1.6, 1, 1, 1}, {1, 1, 1, 2, 1, 1},
		{1, 1, 1, 0.5, 1, 1},   {1, 1, 2, 1, 1, 1},     {0.95, 1, 1, 1, 1, 1},
		{1.05, 1, 1, 1, 1, 1},  {1, 1, 1, 1, 0.5, 0.5}, {1, 1, 1, 1, 2, 2},
	};
	bool found = false;
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		const struct panel_choice from = search->best->choice;
		struct panel_choice choice = from;
		choice.group = (int64_t)((double)from.group * ways[i][0]);
		choice.width = (int64_t)((double)from.width * ways[i][1]);
		choice.last = (int64_t)((double)from.last * ways[i][2]);
		choice.slice = (int64_t)((double)from.slice * ways[i][3]);
		choice.tail = (int64_t)((double)from.tail * ways[i][4]);
		choice.finish = (int64_t)((double)from.finish * ways[i][5]);
		found = panel_search_try(search, &choice) || found;
	}
	return found;
}

/*
 * The order whose panels need no other part of C: along the side without the square or triangular
 * factor; for a product along the longer side, so that the smaller factor streams (as one image
 * where k is its column index). A held factor need not be cut into panels.
 */
enum panel_order panel_search_prefer(const struct panel_search *search)
{
	const struct blas_call *blas = &search->problem->blas;
	const unsigned orders = search->orders;
	bool columns = blas->m < blas->n || (blas->m == blas->n && blas->transa == TRANSPOSE_N);
	const bool *held = search->problem->held;
	if (held[OPERAND_A] != held[OPERAND_B])
		columns = held[OPERAND_A];
	if (family_has_square(search->problem->family))
		columns = blas->side == SIDE_LEFT;
	if ((orders & (PANEL_COLUMNS | PANEL_ROWS)) != (PANEL_COLUMNS | PANEL_ROWS))
		columns = (orders & PANEL_COLUMNS) != 0;
	return columns ? PANEL_ORDER_COLUMNS : PANEL_ORDER_ROWS;
}

/* All at once: each further operation of a short call takes longer than it saves. */
static void panel_search_try_whole(struct panel_search *search, enum panel_order order)
{
	const struct blas_call *blas = &search->problem->blas;
	const int64_t size = blas->m > blas->n ? blas->m : blas->n;
	const struct panel_choice choice = {
		.order = order, .group = size, .width = size, .slice = blas->k};
	if (search->least_ns < SEARCH_WHOLE * search->rates->operation_ns)
		panel_search_try(search, &choice);
}

static void panel_search_try_product(struct panel_search *search, enum panel_order first)
{
	const bool draining =
		search->down_ns >
		panel_search_larger(search->work_ns, search->up_a_ns + search->up_b_ns);
	const bool brief = search->least_ns < SEARCH_BRIEF * search->rates->operation_ns;
	search->descended = !search->short_of_memory;
	if (search->descended && !brief)
		panel_search_descend(search, first);
	panel_search_try_panels(search, first);
	if (search->descended && brief)
		panel_search_descend(search, first);
	if (draining || search->best->steps == NULL)
		panel_search_try_rings(search);
}

bool panel_search_best(const struct panel_problem *problem, const struct panel_rates *rates,
                       struct panel_plan *best)
{
	*best = (struct panel_plan){.steps = NULL};
	struct panel_search search = panel_search_start(problem, rates, best);
	const enum panel_order first = panel_search_prefer(&search);
	const enum panel_order second =
		first == PANEL_ORDER_COLUMNS ? PANEL_ORDER_ROWS : PANEL_ORDER_COLUMNS;
	panel_search_try_whole(&search, first);
	if (family_is_product(problem->family))
		panel_search_try_product(&search, first);
	else
		panel_search_families(&search, first);
	if (best->steps == NULL) {
		panel_search_try_smaller(&search, first);
		panel_search_try_smaller(&search, second);
	}
	if (search.short_of_memory || best->steps == NULL)
		panel_search_blocks(&search);
	while (!search.descended && best->count <= SEARCH_WALKED &&
	       !panel_search_is_over(&search) && panel_search_walk(&search))
		continue;
	return best->steps != NULL;
}
