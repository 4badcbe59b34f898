/* search_descend.c - the best strips of a product by their pace: one parameter after the other */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "policy/plan/search_pace.h"

/*
 * What is reckoned costs a share of the least time of the call, at most descend_most_ns, beside the
 * plans that are tried. It is counted in units of descend_unit_ns: one, and one for each of
 * DESCEND_STRIPS strips. Choices of more than DESCEND_STEPS steps are left out; a strip ends with
 * RAGGED smaller slices.
 */
static const double descend_unit_ns = 170, descend_share = 0.02, descend_most_ns = 400000;
enum { DESCEND_STRIPS = 2, DESCEND_STEPS = 400, DESCEND_RAGGED = 2, DESCEND_ROUND_UNITS = 120 };

/* A first choice: group and width in eighths of the dimension, and slices in parts of k. */
struct descend_start {
	bool rings; /* else panels */
	int group, width;
};
static const struct descend_start descend_starts[] = {{false, 2, 1}, {true, 2, 2}, {true, 6, 2}};
enum { DESCEND_STARTS = sizeof descend_starts / sizeof descend_starts[0], DESCEND_EIGHTHS = 8 };
enum { DESCEND_FIRST_TAIL = 4 };

/*
 * Candidates: widths in grains; GROUPS equal parts of the dimension as group; slices of k of
 * SLICE_LEAST and more, of strips in equal parts; parts of the width as the last one. At the end of
 * a round the neighbours of group and width, up to NEAR grains. Rounds end where one finds nothing
 * better.
 */
static const int descend_widths[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 33, 40};
static const int descend_tails[] = {1, 2, 3, 4, 6, 8};
enum {
	DESCEND_WIDTHS = sizeof descend_widths / sizeof descend_widths[0],
	DESCEND_GROUPS = 8,
	DESCEND_SLICE_LEAST = 256,
	DESCEND_SLICE_MOST = 2048,
	DESCEND_TAILS = sizeof descend_tails / sizeof descend_tails[0],
	DESCEND_LASTS = 4,
	DESCEND_NEAR = 3,
	DESCEND_ROUNDS = 3
};

/* size: of the dimension that is cut into strips. */
struct descend {
	const struct panel_search *search;
	double left_units;
	int64_t size;
	struct panel_choice best;
	double best_ns; /* 0: nothing was reckoned */
};

/* A step more or less for each part of a strip. */
static int64_t search_descend_count(const struct descend *descend,
                                    const struct panel_choice *choice)
{
	const int64_t k = descend->search->problem->blas.k;
	const int64_t sides = choice->order == PANEL_ORDER_RINGS ? 2 : 1,
		      strips = (descend->size - choice->group) / choice->width + 1;
	const int64_t parts = choice->tail < k ? k / choice->tail + DESCEND_RAGGED : 1;
	return sides * strips * (2 * parts + 1) + 3 * (k / choice->slice);
}

static void search_descend_try(struct descend *descend, const struct panel_choice *choice)
{
	int strips;
	if (descend->best_ns > 0 && descend->left_units <= 0)
		return;
	struct panel_choice cut = panel_plan_cut_choice(&descend->search->problem->blas, choice);
	if (descend->best_ns > 0 && search_descend_count(descend, &cut) > DESCEND_STEPS)
		return;
	const double time_ns = search_pace_find(descend->search, &cut, &strips);
	descend->left_units -= 1 + (double)strips / DESCEND_STRIPS;
	if (descend->best_ns > 0 && time_ns >= descend->best_ns)
		return;
	descend->best = cut;
	descend->best_ns = time_ns;
}

static void search_descend_try_group(struct descend *descend, int64_t group)
{
	struct panel_choice choice = descend->best;
	choice.group = group;
	if (group > 0)
		search_descend_try(descend, &choice);
}

/* The last strips shrink as before. */
static void search_descend_try_width(struct descend *descend, int64_t width)
{
	struct panel_choice choice = descend->best;
	const double shrink = (double)choice.last / (double)choice.width;
	choice.width = width;
	choice.last = (int64_t)(shrink * (double)width);
	if (width > 0)
		search_descend_try(descend, &choice);
}

static void search_descend_try_slices(struct descend *descend)
{
	const int64_t k = descend->search->problem->blas.k;
	for (int i = 0; i < DESCEND_TAILS; i++) {
		struct panel_choice choice = descend->best;
		choice.tail = k / descend_tails[i];
		if (i == 0 || choice.tail >= DESCEND_SLICE_LEAST)
			search_descend_try(descend, &choice);
	}
	for (int64_t slice = DESCEND_SLICE_LEAST; slice < 2 * k; slice *= 2) {
		struct panel_choice choice = descend->best;
		choice.slice = slice;
		if (slice <= DESCEND_SLICE_MOST || slice >= k)
			search_descend_try(descend, &choice);
	}
	for (int part = 1; part <= DESCEND_LASTS; part *= 2) {
		struct panel_choice choice = descend->best;
		choice.last = choice.width / part;
		search_descend_try(descend, &choice);
	}
}

static void search_descend_try_near(struct descend *descend)
{
	const int64_t most = (int64_t)DESCEND_NEAR * PANEL_GRAIN, group = descend->best.group;
	for (int64_t more = PANEL_GRAIN; more <= most; more += PANEL_GRAIN) {
		search_descend_try_group(descend, group + more);
		search_descend_try_group(descend, group - more);
	}
	const int64_t width = descend->best.width;
	for (int64_t more = PANEL_GRAIN; more <= most; more += PANEL_GRAIN) {
		search_descend_try_width(descend, width + more);
		search_descend_try_width(descend, width - more);
	}
}

static void search_descend_go_round(struct descend *descend)
{
	const int64_t size = descend->size;
	for (int i = 0; i < DESCEND_WIDTHS; i++) {
		const int64_t width = (int64_t)descend_widths[i] * PANEL_GRAIN;
		if (width <= size)
			search_descend_try_width(descend, width);
	}
	search_descend_try_group(descend, descend->best.width);
	for (int i = 1; i <= DESCEND_GROUPS; i++)
		search_descend_try_group(descend, size * i / DESCEND_GROUPS);
	search_descend_try_slices(descend);
	search_descend_try_near(descend);
	search_descend_try_slices(descend);
}

static int64_t search_descend_find_size(const struct blas_call *blas, enum panel_order order)
{
	const int64_t larger = blas->m > blas->n ? blas->m : blas->n;
	if (order == PANEL_ORDER_RINGS)
		return larger;
	return order == PANEL_ORDER_COLUMNS ? blas->n : blas->m;
}

static void search_descend_go(struct descend *descend, const struct descend_start *start,
                              enum panel_order order)
{
	const struct blas_call *blas = &descend->search->problem->blas;
	const int64_t size = search_descend_find_size(blas, order);
	const struct panel_choice from = {.order = order,
	                                  .group = size * start->group / DESCEND_EIGHTHS,
	                                  .width = size * start->width / DESCEND_EIGHTHS,
	                                  .last = size / DESCEND_EIGHTHS,
	                                  .slice = (int64_t)2 * DESCEND_SLICE_LEAST,
	                                  .tail = blas->k / DESCEND_FIRST_TAIL};
	descend->size = size;
	descend->best_ns = 0;
	search_descend_try(descend, &from);
	for (int i = 0; i < DESCEND_ROUNDS && descend->left_units > 0; i++) {
		const double before_ns = descend->best_ns;
		search_descend_go_round(descend);
		if (descend->best_ns >= before_ns)
			return;
	}
}

/*
 * Undivided panels, and all of C beside slices of k. They lead to nothing better, so none is a
 * start.
 */
static void search_descend_try_guesses(struct descend *descend, struct panel_choice panels)
{
	search_descend_try(descend, &panels);
	panels.group = search_descend_find_size(&descend->search->problem->blas, panels.order);
	panels.slice = (int64_t)2 * DESCEND_SLICE_LEAST;
	search_descend_try(descend, &panels);
}

/* Each start may use half of what is left, but enough for a round. */
static void search_descend_give(struct descend *descend, double *kept_units)
{
	double part_units = *kept_units / 2;
	if (part_units < DESCEND_ROUND_UNITS)
		part_units = DESCEND_ROUND_UNITS;
	descend->left_units = part_units < *kept_units ? part_units : *kept_units;
	*kept_units -= descend->left_units;
}

void panel_search_descend(struct panel_search *search, enum panel_order first)
{
	const double share_ns = search->least_ns * descend_share;
	struct descend descend = {
		.search = search,
		.left_units =
			(share_ns < descend_most_ns ? share_ns : descend_most_ns) / descend_unit_ns,
	};
	search_descend_try_guesses(&descend, panel_search_find_panels(search, first));
	struct descend best = descend;
	double kept_units = descend.left_units;
	for (int i = 0; i < DESCEND_STARTS && kept_units > 0; i++) {
		search_descend_give(&descend, &kept_units);
		search_descend_go(&descend, &descend_starts[i],
		                  descend_starts[i].rings ? PANEL_ORDER_RINGS : first);
		kept_units += descend.left_units;
		if (descend.best_ns < best.best_ns)
			best = descend;
	}
	panel_search_try(search, &best.best);
}
