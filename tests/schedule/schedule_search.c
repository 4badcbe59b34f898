/* schedule_search.c - carries a call out in all orders, with all widths and slices, to find the best */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_search.h"

static const int64_t search_widths[] = {256, 512, 1024, 2048, 4096},
		     search_slices[] = {512, 1024, 2048, 4096};

/*
 * The first group is one panel, or so many eighths of C. The last panels shrink to this, or do not.
 */
enum { SEARCH_WIDTHS = 5, SEARCH_SLICES = 4, SEARCH_GROUPS = 9, SEARCH_LASTS = 2 };
static const int64_t search_last = 256;

struct search {
	const struct schedule_run *run;
	struct panel_choice best;
	double best_ns, tried;
	bool failed;
};

/* What the family cannot have, or memory not hold, is no candidate. */
static void search_try(struct search *search, const struct panel_choice *choice)
{
	struct panel_plan plan;
	if (search->failed || !schedule_run_plan(search->run, choice, &plan))
		return;
	panel_plan_free(&plan);
	const double time_ns = schedule_run_once(search->run, choice);
	search->failed = time_ns < 0;
	search->tried++;
	if (search->tried > 1 && time_ns >= search->best_ns)
		return;
	search->best = *choice;
	search->best_ns = time_ns;
}

static void search_order(struct search *search, enum panel_order order, int64_t size)
{
	struct panel_choice choice = {.order = order};
	for (int group = 0; group < SEARCH_GROUPS; group++)
		for (int width = 0; width < SEARCH_WIDTHS; width++)
			for (int slice = 0; slice < SEARCH_SLICES; slice++)
				for (int last = 0; last < SEARCH_LASTS; last++) {
					choice.width = search_widths[width];
					choice.group = group == 0
					                       ? choice.width
					                       : size * group / (SEARCH_GROUPS - 1);
					choice.slice = search_slices[slice];
					choice.last = last == 0 ? 0 : search_last;
					if (choice.last < choice.width)
						search_try(search, &choice);
				}
}

double schedule_search_run(const struct schedule_run *run, struct panel_choice *best, double *tried)
{
	const struct blas_call *blas = &run->call.blas;
	struct search search = {.run = run, .best_ns = -1};
	search_order(&search, PANEL_ORDER_COLUMNS, blas->n);
	search_order(&search, PANEL_ORDER_ROWS, blas->m);
	search_order(&search, PANEL_ORDER_RINGS, blas->m > blas->n ? blas->m : blas->n);
	search_order(&search, PANEL_ORDER_BLOCKS, blas->m);
	*best = search.best;
	*tried = search.tried;
	return search.failed ? -1 : search.best_ns;
}
