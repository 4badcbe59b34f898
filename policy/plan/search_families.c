/* search_families.c - the first guesses for calls that are no plain products */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_search.h"

#include <stddef.h>

enum {
	FAMILIES_SLICE = 512,
	FAMILIES_SLICES = 48,
	FAMILIES_RINGS = 10,
	FAMILIES_RING_LEAST = 512,
	FAMILIES_RING_MOST = 1024,
	FAMILIES_RING_LAST = 384
};

/*
 * Of trsm's right-hand sides that are solved while the triangle comes in: their rows leave as they
 * are solved.
 */
static const double families_solved = 0.55;

static int64_t search_families_slice(int64_t k)
{
	return k / FAMILIES_SLICES > FAMILIES_SLICE ? k / FAMILIES_SLICES : FAMILIES_SLICE;
}

/*
 * The part of the work that may be done before anything leaves: the rest takes as long as the
 * result's way back.
 */
static double search_families_hold_back(const struct panel_search *search, double work_ns)
{
	return work_ns > search->down_ns ? 1 - search->down_ns / work_ns : 0;
}

/*
 * A's triangle streams, with the group's part of B; the device keeps pace with it from some share
 * on.
 */
static double search_families_share(const struct panel_search *search)
{
	const double panel_ns = search->up_b_ns, stream_ns = search->up_a_ns,
		     work_ns = search->work_ns;
	const double most = search_families_hold_back(search, work_ns);
	const double pace = work_ns > panel_ns ? stream_ns / (work_ns - panel_ns) : 1;
	if (search->problem->family == FAMILY_TRSM)
		return families_solved;
	if (search->problem->family == FAMILY_TRMM)
		return most;
	return pace < most ? (pace + most) / 2 : most;
}

/* The nearest size of a group whose kernels on the rows of a slice fill whole waves. */
static int64_t search_families_fill_waves(const struct panel_rates *rates, int64_t slice,
                                          int64_t group, int64_t most)
{
	const int64_t down = rates->tile > 0 ? (slice - 1) / rates->tile + 1 : 0;
	const int64_t whole = down > 0 ? rates->units / down * rates->tile : 0;
	const int64_t filled = whole > 0 ? (group + whole / 2) / whole * whole : 0;
	return filled > 0 && filled <= most ? filled : group;
}

/*
 * A symmetric or triangular A: a group while it comes in, then panels. Where B is the smaller part,
 * also one panel, and all of B as the group.
 */
static void search_families_guess_square(struct panel_search *search,
                                         const struct panel_choice *panels)
{
	const struct blas_call *blas = &search->problem->blas;
	const int64_t breadth = blas->side == SIDE_LEFT ? blas->n : blas->m;
	struct panel_choice choice = *panels;
	choice.slice = search_families_slice(blas->k);
	choice.group = (int64_t)(search_families_share(search) * (double)breadth);
	if (search->problem->family != FAMILY_TRMM)
		choice.group = search_families_fill_waves(search->rates, choice.slice, choice.group,
		                                          breadth);
	panel_search_try(search, &choice);
	const int64_t rest = breadth - choice.group;
	choice.last = choice.width = rest > choice.width ? rest : choice.width;
	if (search->up_a_ns > search->up_b_ns && rest <= FAMILIES_RING_MOST)
		panel_search_try(search, &choice);
	choice.group = breadth;
	choice.last = choice.width = panels->width;
	if (search->up_a_ns > search->up_b_ns)
		panel_search_try(search, &choice);
}

/* Slices of k, then rings; slices alone where k is long. */
static void search_families_guess_update(struct panel_search *search,
                                         const struct panel_choice *panels)
{
	const struct blas_call *blas = &search->problem->blas;
	const double up_ns = search->up_a_ns + search->up_b_ns;
	const double work_ns = search->work_ns > up_ns ? search->work_ns : up_ns;
	struct panel_choice choice = {.order = PANEL_ORDER_RINGS,
	                              .slice = search_families_slice(blas->k)};
	choice.group = (int64_t)(search_families_hold_back(search, work_ns) * (double)blas->k);
	choice.width = blas->n / FAMILIES_RINGS;
	if (choice.width > FAMILIES_RING_MOST)
		choice.width = FAMILIES_RING_MOST;
	if (choice.width < FAMILIES_RING_LEAST)
		choice.width = FAMILIES_RING_LEAST;
	choice.last = FAMILIES_RING_LAST;
	panel_search_try(search, &choice);
	choice.order = PANEL_ORDER_COLUMNS;
	choice.group = blas->n;
	choice.width = choice.last = panels->width;
	if (blas->k > blas->n || search->best->steps == NULL)
		panel_search_try(search, &choice);
}

void panel_search_families(struct panel_search *search, enum panel_order order)
{
	const struct panel_choice panels = panel_search_find_panels(search, order);
	if (operand_is_triangle(search->problem->family))
		search_families_guess_update(search, &panels);
	else
		search_families_guess_square(search, &panels);
}
