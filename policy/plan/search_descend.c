/* search_descend.c - the best strips of a product by their pace: good starts, then changes */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>
#include <stdint.h>

#include "policy/plan/search_pace.h"

/*
 * What is reckoned costs a share of the least time of the call, at most descend_most_ns, beside the
 * plans that are tried. It is counted in units of descend_unit_ns: one, and one for each of
 * DESCEND_STRIPS strips. Choices of more than DESCEND_STEPS steps are left out; a strip ends with
 * RAGGED smaller slices. A start is not improved with less than LEAST_UNITS, where others follow.
 */
static const double descend_unit_ns = 170, descend_share = 0.02, descend_most_ns = 400000;
enum {
	DESCEND_STRIPS = 2,
	DESCEND_STEPS = 400,
	DESCEND_RAGGED = 2,
	DESCEND_LEAST_UNITS = 120,
	DESCEND_GUESS_SLICE = 512
};

/*
 * The DESCEND_BEST best starts are improved, for which at least one part of DESCEND_KEPT of what
 * may be reckoned is kept.
 */
enum { DESCEND_BEST = 4, DESCEND_KEPT = 4 };

/*
 * A first choice: group, across and width in sixteenths of the dimension; the last strips are so
 * many times narrower; slices of k of the first group, 0: all of it; parts of k of the others. Each
 * start is the one that shortens most the best of itself and those before it, on average over drawn
 * products of ten machines (bench/engine/starts.c).
 */
struct descend_start {
	enum panel_order order;
	int group, across, width, shrink, slice, parts;
};
static const struct descend_start descend_starts[] = {
	{PANEL_ORDER_RINGS, 9, 13, 16, 4, 256, 3},   {PANEL_ORDER_RINGS, 16, 12, 16, 1, 512, 6},
	{PANEL_ORDER_RINGS, 7, 1, 11, 4, 0, 4},      {PANEL_ORDER_RINGS, 15, 5, 16, 4, 512, 4},
	{PANEL_ORDER_RINGS, 7, 15, 12, 4, 256, 3},   {PANEL_ORDER_RINGS, 11, 15, 16, 4, 256, 2},
	{PANEL_ORDER_RINGS, 6, 2, 2, 2, 512, 3},     {PANEL_ORDER_RINGS, 14, 7, 15, 2, 256, 4},
	{PANEL_ORDER_RINGS, 16, 2, 3, 2, 512, 6},    {PANEL_ORDER_RINGS, 2, 13, 3, 2, 512, 2},
	{PANEL_ORDER_RINGS, 8, 14, 10, 2, 256, 8},   {PANEL_ORDER_RINGS, 16, 10, 14, 4, 256, 1},
	{PANEL_ORDER_RINGS, 16, 11, 2, 1, 256, 3},   {PANEL_ORDER_ROWS, 5, 0, 10, 2, 1024, 6},
	{PANEL_ORDER_RINGS, 9, 3, 8, 4, 0, 4},       {PANEL_ORDER_RINGS, 10, 3, 9, 1, 1024, 4},
	{PANEL_ORDER_ROWS, 4, 0, 4, 1, 512, 3},      {PANEL_ORDER_RINGS, 1, 16, 2, 2, 2048, 6},
	{PANEL_ORDER_RINGS, 15, 11, 13, 4, 1024, 1}, {PANEL_ORDER_RINGS, 13, 13, 2, 1, 256, 2},
	{PANEL_ORDER_RINGS, 15, 8, 13, 2, 256, 3},   {PANEL_ORDER_RINGS, 8, 3, 2, 1, 512, 4},
	{PANEL_ORDER_RINGS, 14, 15, 15, 1, 256, 1},  {PANEL_ORDER_RINGS, 16, 8, 2, 4, 256, 1},
	{PANEL_ORDER_RINGS, 3, 8, 13, 4, 2048, 6},   {PANEL_ORDER_RINGS, 11, 14, 7, 2, 256, 6},
	{PANEL_ORDER_RINGS, 16, 1, 1, 4, 2048, 4},   {PANEL_ORDER_RINGS, 8, 2, 11, 4, 0, 4},
	{PANEL_ORDER_RINGS, 13, 4, 11, 2, 512, 6},   {PANEL_ORDER_RINGS, 15, 1, 15, 4, 0, 4},
	{PANEL_ORDER_RINGS, 5, 13, 15, 4, 1024, 1},  {PANEL_ORDER_RINGS, 9, 3, 10, 1, 0, 3},
};
enum { DESCEND_STARTS = sizeof descend_starts / sizeof descend_starts[0], DESCEND_PARTS = 16 };

/*
 * A change: widths in grains; sizes by up to NEAR grains, or by parts of FAR of the dimension;
 * slices of k; parts of k, and of the width for the last strip. After so many changes in a row that
 * were in VAIN a descent ends.
 */
static const int descend_widths[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 33, 40};
static const int descend_slices[] = {256, 512, 1024, 2048, INT_MAX};
static const int descend_tails[] = {1, 2, 3, 4, 6, 8};
enum {
	DESCEND_WIDTHS = sizeof descend_widths / sizeof descend_widths[0],
	DESCEND_SLICES = sizeof descend_slices / sizeof descend_slices[0],
	DESCEND_TAILS = sizeof descend_tails / sizeof descend_tails[0],
	DESCEND_LASTS = 3,
	DESCEND_NEAR = 3,
	DESCEND_FAR = 2,
	DESCEND_FAR_PARTS = 16,
	DESCEND_VAIN = 100
};

/* size: of the dimension that is cut into strips. drawn: the last number of a generator. */
struct descend {
	const struct panel_search *search;
	double left_units;
	int64_t size;
	struct panel_choice best;
	double best_ns; /* 0: nothing was reckoned */
	uint32_t drawn;
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

/* A number from 0 to end - 1: the same ones in each search, by a linear congruence of 32 bits. */
static int search_descend_draw(struct descend *descend, int end)
{
	descend->drawn = descend->drawn * 1664525 + 1013904223;
	return (int)((uint64_t)descend->drawn * (uint64_t)end >> 32);
}

/* A move is as likely as its opposite, so that a later change may undo it. */
static int64_t search_descend_draw_move(struct descend *descend, int most, int64_t unit)
{
	return (search_descend_draw(descend, 2 * most + 1) - most) * unit;
}

/* The first group grows or shrinks on one side, on the other one, or on one for the other. */
static void search_descend_move_group(struct descend *descend, struct panel_choice *choice)
{
	const int64_t part = descend->size / DESCEND_FAR_PARTS,
		      far = part > PANEL_GRAIN ? part : PANEL_GRAIN;
	const int way = search_descend_draw(descend, 4);
	const bool turned = way == 3 && search_descend_draw(descend, 2) == 0;
	const int64_t move = way == 3
	                             ? search_descend_draw_move(descend, DESCEND_FAR, far)
	                             : search_descend_draw_move(descend, DESCEND_NEAR, PANEL_GRAIN);
	if (way == 0 || way == 2 || (way == 3 && !turned))
		choice->group += move;
	if (way == 1 || turned)
		choice->across += move;
	if (way == 2)
		choice->across -= move;
}

/* The last strips shrink as before. */
static void search_descend_change_width(struct descend *descend, struct panel_choice *choice)
{
	const double shrink = (double)choice->last / (double)choice->width;
	choice->width =
		(int64_t)descend_widths[search_descend_draw(descend, DESCEND_WIDTHS)] * PANEL_GRAIN;
	choice->last = (int64_t)(shrink * (double)choice->width);
}

static void search_descend_change(struct descend *descend, struct panel_choice *choice)
{
	const int64_t k = descend->search->problem->blas.k;
	switch (search_descend_draw(descend, 8)) {
	case 0: search_descend_change_width(descend, choice); return;
	case 1: choice->last = choice->width >> search_descend_draw(descend, DESCEND_LASTS); return;
	case 2:
		choice->slice = descend_slices[search_descend_draw(descend, DESCEND_SLICES)];
		return;
	case 3:
		choice->tail = k / descend_tails[search_descend_draw(descend, DESCEND_TAILS)];
		return;
	default: search_descend_move_group(descend, choice);
	}
}

static bool search_descend_is_valid(const struct panel_choice *choice)
{
	return choice->group > 0 && choice->width > 0 && choice->tail > 0 &&
	       (choice->across > 0 || choice->order != PANEL_ORDER_RINGS);
}

/* One change or two; false: nothing better was found. */
static bool search_descend_try_change(struct descend *descend)
{
	const double before_ns = descend->best_ns;
	struct panel_choice choice = descend->best;
	for (int more = 1 + search_descend_draw(descend, 2); more > 0; more--)
		search_descend_change(descend, &choice);
	if (search_descend_is_valid(&choice))
		search_descend_try(descend, &choice);
	return descend->best_ns < before_ns;
}

static int64_t search_descend_find_size(const struct blas_call *blas, enum panel_order order)
{
	const int64_t larger = blas->m > blas->n ? blas->m : blas->n;
	if (order == PANEL_ORDER_RINGS)
		return larger;
	return order == PANEL_ORDER_COLUMNS ? blas->n : blas->m;
}

static void search_descend_turn(struct descend *descend, enum panel_order order)
{
	descend->size = search_descend_find_size(&descend->search->problem->blas, order);
}

/* The best choices of several descents, the best first. */
struct descend_found {
	int count;
	struct descend one[DESCEND_BEST];
};

static void search_descend_note(struct descend_found *found, const struct descend *descend)
{
	int place = found->count < DESCEND_BEST ? found->count++ : DESCEND_BEST;
	for (; place > 0 && descend->best_ns < found->one[place - 1].best_ns; place--)
		if (place < DESCEND_BEST)
			found->one[place] = found->one[place - 1];
	if (place < DESCEND_BEST)
		found->one[place] = *descend;
}

static void search_descend_start(struct descend *descend, const struct descend_start *start,
                                 struct descend_found *found)
{
	const int64_t k = descend->search->problem->blas.k;
	search_descend_turn(descend, start->order);
	const int64_t size = descend->size, width = size * start->width / DESCEND_PARTS;
	const struct panel_choice from = {.order = start->order,
	                                  .group = size * start->group / DESCEND_PARTS,
	                                  .width = width,
	                                  .last = width / start->shrink,
	                                  .slice = start->slice > 0 ? start->slice : k,
	                                  .tail = k / start->parts,
	                                  .across = size * start->across / DESCEND_PARTS};
	descend->best_ns = HUGE_VAL;
	search_descend_try(descend, &from);
	if (descend->best_ns < HUGE_VAL)
		search_descend_note(found, descend);
}

/* The first starts are worth most: of a short call no others are tried. */
static void search_descend_try_starts(struct descend *descend, enum panel_order first,
                                      struct descend_found *found)
{
	const struct descend_start usual = {first, 4, 0, 2, 1, 512, 4};
	const double kept_units = descend->left_units / DESCEND_KEPT;
	search_descend_start(descend, &usual, found);
	for (int i = 0; i < DESCEND_STARTS && descend->left_units > kept_units; i++)
		search_descend_start(descend, &descend_starts[i], found);
}

/*
 * Undivided panels, and all of C beside slices of k. They lead to nothing better, so none is a
 * start.
 */
static void search_descend_try_guesses(struct descend *descend, struct panel_choice panels)
{
	search_descend_turn(descend, panels.order);
	search_descend_try(descend, &panels);
	panels.group = descend->size;
	panels.slice = DESCEND_GUESS_SLICE;
	search_descend_try(descend, &panels);
}

/* Goes on from a choice until no change makes it better. */
static void search_descend_go(struct descend *descend)
{
	search_descend_turn(descend, descend->best.order);
	for (int vain = 0; vain < DESCEND_VAIN && descend->left_units > 0; vain++)
		if (search_descend_try_change(descend))
			vain = 0;
}

/* Each of the best starts may use half of what is left, but enough to get on. */
static void search_descend_go_on(struct descend_found *starts, double left_units,
                                 struct descend_found *ends)
{
	for (int i = 0; i < starts->count; i++) {
		struct descend *descend = &starts->one[i];
		const bool all = i + 1 == starts->count || left_units < 2 * DESCEND_LEAST_UNITS;
		const double given_units = all ? left_units : left_units / 2;
		descend->left_units = given_units;
		search_descend_go(descend);
		left_units += descend->left_units - given_units;
		search_descend_note(ends, descend);
	}
}

/* What ends best by the pace is tried first. */
void panel_search_descend(struct panel_search *search, enum panel_order first)
{
	const double share_ns = search->least_ns * descend_share;
	struct descend_found starts = {.count = 0}, ends = {.count = 0};
	struct descend descend = {
		.search = search,
		.left_units =
			(share_ns < descend_most_ns ? share_ns : descend_most_ns) / descend_unit_ns,
	};
	search_descend_try_guesses(&descend, panel_search_find_panels(search, first));
	search_descend_note(&ends, &descend);
	search_descend_try_starts(&descend, first, &starts);
	search_descend_go_on(&starts, descend.left_units, &ends);
	for (int i = 0; i < ends.count; i++)
		panel_search_try(search, &ends.one[i].best);
}
