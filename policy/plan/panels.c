/* panels.c - plans a level-3 call by one choice, or by the best of several */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panels.h"

#include <stdlib.h>

#include "policy/plan/panel_search.h"

const char *panels_name(enum panel_order order)
{
	static const char *const names[PANEL_ORDER_COUNT] = {
#define PANEL_ORDER(id, name) name,
		PANEL_ORDERS(PANEL_ORDER)
#undef PANEL_ORDER
	};
	return order < PANEL_ORDER_COUNT ? names[order] : "";
}

static const struct panels_writer {
	panel_writer *add_steps;
	unsigned orders;
} panels_writers[FAMILY_COUNT] = {
#define PANEL_WRITER(id, add_steps, orders) [FAMILY_##id] = {add_steps, orders},
	PANEL_WRITERS(PANEL_WRITER)
#undef PANEL_WRITER
};

bool panels_takes(enum family family)
{
	return family < FAMILY_COUNT && panels_writers[family].add_steps != NULL;
}

static unsigned panels_orders(enum family family)
{
	return panels_takes(family) ? panels_writers[family].orders : 0;
}

/* In whole grains, or all there is. What was bounded stays as it is. */
static int64_t panels_bound(int64_t size, int64_t most)
{
	const int64_t positive = size < 1 ? 1 : size;
	const int64_t more = (PANEL_GRAIN - positive % PANEL_GRAIN) % PANEL_GRAIN;
	return positive >= most || more > most - positive ? most : positive + more;
}

struct panel_choice panels_cut_choice(const struct blas_call *blas,
                                      const struct panel_choice *choice)
{
	const int64_t larger = blas->m > blas->n ? blas->m : blas->n;
	const int64_t most[PANEL_ORDER_COUNT] = {
		[PANEL_ORDER_COLUMNS] = blas->n,
		[PANEL_ORDER_ROWS] = blas->m,
		[PANEL_ORDER_RINGS] = larger,
		[PANEL_ORDER_BLOCKS] = blas->n,
	};
	struct panel_choice cut = *choice;
	cut.group = panels_bound(cut.group,
	                         cut.order == PANEL_ORDER_BLOCKS ? blas->m : most[cut.order]);
	cut.width = panels_bound(cut.width, most[cut.order]);
	cut.slice = panels_bound(cut.slice, blas->k);
	cut.last = cut.last > 0 && cut.last < cut.width ? panels_bound(cut.last, cut.width)
	                                                : cut.width;
	return cut;
}

bool panels_write(const struct panel_problem *problem, const struct panel_rates *rates,
                  const struct panel_choice *choice, struct panel_plan *plan)
{
	struct panel_builder builder = panel_builder_start(problem, rates->memory_bytes, plan);
	const struct panel_choice cut = panels_cut_choice(&problem->blas, choice);
	if ((panels_orders(problem->family) >> choice->order & 1) == 0)
		return false;
	plan->choice = cut;
	panels_writers[problem->family].add_steps(&builder, &cut);
	return panel_builder_end(&builder);
}

bool panels_plan_as(const struct panel_problem *problem, const struct panel_rates *rates,
                    const struct panel_choice *choice, struct panel_plan *plan)
{
	if (!panels_write(problem, rates, choice, plan))
		return false;
	plan->time_ns = panels_time(problem, rates, plan);
	return true;
}

bool panels_plan(const struct panel_problem *problem, const struct panel_rates *rates,
                 struct panel_plan *plan)
{
	if (!panel_search_best(problem, rates, panels_orders(problem->family), plan))
		return false;
	if (plan->count <= PANEL_LONG)
		plan->time_ns = panels_time(problem, rates, plan);
	return true;
}

void panels_free(struct panel_plan *plan)
{
	free(plan->steps);
	*plan = (struct panel_plan){.arena_bytes = 0};
}
