/* panel_search.c - the best choice for a plan: a few likely ones, and from the best of them downhill while it pays */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/panel_search.h"

#include <stddef.h>

/*
 * Looking must stay cheap beside the call. What it costs is counted in steps and operations gone through, each about
 * search_unit_ns; it may take search_share of the least time that the call needs, up to search_most_ns, and where plans
 * are so long that this is less than a few of them, SEARCH_LEAST plans.
 */
static const double search_unit_ns = 60, search_share = 0.005, search_most_ns = 30000;

/* Operands that take no more of the memory leave room for what comes with them. */
static const double search_room = 0.95;

/* A plan that takes no longer than so many times that is good enough. */
static const double search_good = 1.035;
enum {
	SEARCH_LEAST = 4,
	SEARCH_LEAST_WHERE_SHORT = 12,
	SEARCH_STEPS = 2000,
	SEARCH_LEAST_OF_LONG = 3,
	SEARCH_OPERATIONS = 64
};

/* Twice as wide a panel is as bad as that much more time in its kernel; how many tiles wider are looked at. */
static const double search_wider = 0.1;
enum { SEARCH_TILES = 16 };

/* Panels are at least so long on their way, and at most so many; more where the links take so many times longer. */
static const double search_panel_ns = 150000;
enum {
	SEARCH_PANELS = 16,
	SEARCH_PANELS_OF_LINK = 96,
	SEARCH_RINGS = 8,
	SEARCH_SLICES = 16,
	SEARCH_SLICE = 512,
	SEARCH_LINKED = 2
};

static double search_larger(double a, double b)
{
	return a > b ? a : b;
}

/* The longer of both ways. */
static double search_find_link(const struct panel_search *search)
{
	return search_larger(search->up_a_ns + search->up_b_ns, search->down_ns);
}

static int64_t search_bound(double size, int64_t least, int64_t most)
{
	if (!(size < (double)most))
		return most;
	return size > (double)least ? (int64_t)size : least;
}

static double search_count_bytes(const struct panel_problem *problem, enum operand operand)
{
	struct matrix matrix;
	if (!operand_find(problem->family, &problem->blas, operand, &matrix))
		return 0;
	return (double)matrix.rows * (double)matrix.columns * (double)element_size_bytes(problem->element);
}

/* A is square, and half of it is read. */
static bool search_has_square(enum family family)
{
	return family == FAMILY_SYMM || family == FAMILY_HEMM || family_is_in_place(family);
}

static struct panel_search search_start(const struct panel_problem *problem, const struct panel_rates *rates,
                                        unsigned orders, struct panel_plan *best)
{
	const double ns = 1e9, up = rates->up_bytes_s, down = rates->down_bytes_s;
	const double a = search_count_bytes(problem, OPERAND_A) / (search_has_square(problem->family) ? 2 : 1);
	const double b = search_count_bytes(problem, OPERAND_B);
	const double c = search_count_bytes(problem, OPERAND_C) / (operand_is_triangle(problem->family) ? 2 : 1);
	const double flops = operand_count_flops(problem->family, problem->element, &problem->blas);
	struct panel_search search = {
		.problem = problem,
		.rates = rates,
		.orders = orders,
		.up_a_ns = a / (search_has_square(problem->family) ? 2 : 1) / up * ns,
		.up_b_ns = (family_is_in_place(problem->family) ? c : b) / up * ns,
		.down_ns = c / down * ns,
		.work_ns = flops / rates->work_flops_s * ns,
		.best = best,
		.grouped = 1,
		.short_of_memory = a + b + c > (double)rates->memory_bytes * search_room,
	};
	search.least_ns = search_larger(search.work_ns, search_find_link(&search) / rates->duplex);
	if (rates->copy_bytes > 0) {
		search.operations = (a + b + c) / (double)rates->copy_bytes;
		search.grouped += (uint64_t)(search.operations / SEARCH_OPERATIONS);
		search.operations /= (double)search.grouped;
	}
	const double share_ns = search.least_ns * search_share;
	search.left_units = (share_ns < search_most_ns ? share_ns : search_most_ns) / search_unit_ns;
	return search;
}

/* Where memory is short the first guesses are worse. A plan of thousands of steps takes long to write. */
static int search_find_least(const struct panel_search *search)
{
	if (search->best->count > SEARCH_STEPS)
		return SEARCH_LEAST_OF_LONG;
	return search->short_of_memory ? SEARCH_LEAST_WHERE_SHORT : SEARCH_LEAST;
}

static bool search_equal(const struct panel_choice *x, const struct panel_choice *y)
{
	return x->order == y->order && x->group == y->group && x->width == y->width && x->last == y->last &&
	       x->slice == y->slice;
}

bool panel_search_try(struct panel_search *search, const struct panel_choice *choice)
{
	struct panel_plan plan;
	const struct panel_choice cut = panels_cut_choice(&search->problem->blas, choice);
	if (search->left_units <= 0 && search->tried >= search_find_least(search))
		return false;
	if (search->best->steps != NULL && search->best->time_ns < search->least_ns * search_good)
		return false;
	if (search->best->steps != NULL && search_equal(&cut, &search->best->choice))
		return false;
	if (!panels_write(search->problem, search->rates, &cut, &plan))
		return false;
	plan.time_ns = panel_time_estimate(search->problem, search->rates, &plan, search->grouped);
	search->left_units -= plan.count + search->operations;
	search->tried++;
	const bool better = search->best->steps == NULL || plan.time_ns < search->best->time_ns;
	struct panel_plan *worse = better ? search->best : &plan;
	panels_free(worse);
	if (better)
		*search->best = plan;
	return better;
}

/* About so many elements, rather more, of which a kernel over rows x that many fills whole waves well. */
static int64_t search_fill_waves(const struct panel_rates *rates, int64_t rows, int64_t about)
{
	const int64_t tile = rates->tile, units = rates->units;
	if (tile <= 0 || units <= 0)
		return about;
	const int64_t down = (rows - 1) / tile + 1, middle = (about - 1) / tile + 1;
	const int64_t most = middle < SEARCH_TILES ? 2 * middle : middle + SEARCH_TILES;
	int64_t best = middle;
	double least = 0;
	for (int64_t across = middle - (most - middle) / 4; across <= most; across++) {
		const double waves = (double)((down * across - 1) / units + 1);
		const double waste = waves * (double)units / ((double)down * (double)across);
		const double cost = waste * (1 + search_wider * (double)(across - middle) / (double)middle);
		if (least == 0 || cost < least) {
			least = cost;
			best = across;
		}
	}
	return best * tile;
}

/* About so many elements, of which the larger copy of a panel, k or rows x that many, is whole operations. */
static int64_t search_fill_copies(const struct panel_search *search, int64_t about, int64_t rows)
{
	const int64_t longer = rows > search->problem->blas.k ? rows : search->problem->blas.k;
	const double one_bytes = (double)longer * (double)element_size_bytes(search->problem->element);
	const double copies = one_bytes * (double)about / (double)search->rates->copy_bytes;
	if (!(copies > 1) || copies > SEARCH_OPERATIONS)
		return about;
	const int64_t whole = (int64_t)((double)(int64_t)copies / copies * (double)about);
	return whole > PANEL_GRAIN ? whole / PANEL_GRAIN * PANEL_GRAIN : whole;
}

/*
 * The first group that keeps device and way back busy alike. With a share g of the panels in the group, tA the time of
 * the factor that streams, tP of the other, G of all kernels and tC of the result on their ways: the group is final at
 * tA + g tP, then either the rest's kernels, (1 - g) G, or the result's way back, tC, take longest: they are equal at
 * g = 1 - tC / G. More than g = tA / (G - tP) gives the device more to do than it can while the group streams.
 */
static double search_find_share(const struct panel_search *search, double stream_ns, double panel_ns)
{
	const double work_ns = search->work_ns;
	double share = work_ns > search->down_ns ? 1 - search->down_ns / work_ns : 0;
	if (work_ns > panel_ns && stream_ns / (work_ns - panel_ns) < share)
		share = stream_ns / (work_ns - panel_ns);
	return share;
}

/* The way in of the factor that is cut into panels: a square A never is. */
static double search_find_panels(const struct panel_search *search, enum panel_order order)
{
	const bool b = order == PANEL_ORDER_COLUMNS || search_has_square(search->problem->family);
	return b ? search->up_b_ns : search->up_a_ns;
}

static struct panel_choice search_guess_panels(const struct panel_search *search, enum panel_order order)
{
	const struct blas_call *blas = &search->problem->blas;
	const bool columns = order == PANEL_ORDER_COLUMNS;
	const int64_t size = columns ? blas->n : blas->m, rows = columns ? blas->m : blas->n;
	const double one_ns = search_find_panels(search, order) / (double)size;
	const double least = one_ns > 0 ? search_panel_ns / one_ns : 1;
	const bool linked = search_find_link(search) > SEARCH_LINKED * search->work_ns;
	const int most = linked ? SEARCH_PANELS_OF_LINK : SEARCH_PANELS;
	const double about = search_larger((double)size / most, least);
	struct panel_choice choice = {.order = order, .slice = blas->k};
	const int64_t width = search_bound(about, 1, size);
	choice.width = linked ? search_fill_copies(search, width, rows) : search_fill_waves(search->rates, rows, width);
	choice.group = choice.last = choice.width;
	return choice;
}

/* The factor that streams in slices while the first group is computed. */
static struct panel_choice search_guess_hybrid(const struct panel_search *search, struct panel_choice choice)
{
	const struct blas_call *blas = &search->problem->blas;
	const bool columns = choice.order == PANEL_ORDER_COLUMNS;
	const double panel_ns = search_find_panels(search, choice.order);
	const double stream_ns = search->up_a_ns + search->up_b_ns - panel_ns;
	const double share = search_find_share(search, stream_ns, panel_ns);
	const int64_t size = columns ? blas->n : blas->m;
	choice.group = search_bound(share * (double)size, choice.width, size);
	choice.slice = search_bound((double)blas->k / SEARCH_SLICES, SEARCH_SLICE, blas->k);
	return choice;
}

static void search_guess(struct panel_search *search, enum panel_order order)
{
	const struct blas_call *blas = &search->problem->blas;
	if ((search->orders >> order & 1) == 0)
		return;
	struct panel_choice choice = search_guess_panels(search, order);
	panel_search_try(search, &choice);
	choice = search_guess_hybrid(search, choice);
	panel_search_try(search, &choice);
	choice.group = order == PANEL_ORDER_COLUMNS ? blas->n : blas->m;
	if (blas->k > blas->m && blas->k > blas->n)
		panel_search_try(search, &choice);
}

static void search_guess_rings(struct panel_search *search)
{
	const struct blas_call *blas = &search->problem->blas;
	const int64_t size = blas->m > blas->n ? blas->m : blas->n;
	struct panel_choice choice = {.order = PANEL_ORDER_RINGS, .slice = blas->k};
	if ((search->orders & PANEL_RINGS) == 0)
		return;
	choice.width = search_bound((double)size / SEARCH_RINGS, PANEL_GRAIN, size);
	choice.group = choice.width / 2;
	choice.last = choice.width / 2;
	panel_search_try(search, &choice);
}

/* One step downhill in each parameter; false where none leads down. */
static bool search_walk(struct panel_search *search)
{
	static const double ways[][4] = {
		/* group, width, last, slice */
		{1, 1, 0.5, 1}, {0.85, 1, 1, 1}, {1.15, 1, 1, 1}, {1, 0.6, 0.6, 1}, {1, 1.6, 1.6, 1},
		{1, 1, 1, 2},   {1, 1, 1, 0.5},  {1, 1, 2, 1},    {0.95, 1, 1, 1},  {1.05, 1, 1, 1},
	};
	bool found = false;
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		const struct panel_choice from = search->best->choice;
		struct panel_choice choice = from;
		choice.group = (int64_t)((double)from.group * ways[i][0]);
		choice.width = (int64_t)((double)from.width * ways[i][1]);
		choice.last = (int64_t)((double)from.last * ways[i][2]);
		choice.slice = (int64_t)((double)from.slice * ways[i][3]);
		found = panel_search_try(search, &choice) || found;
	}
	return found;
}

/* What does not fit gets smaller until something does, or until it is as small as it gets. */
static void search_shrink(struct panel_search *search, enum panel_order order)
{
	if ((search->orders >> order & 1) == 0)
		return;
	struct panel_choice choice = search_guess_panels(search, order);
	while (!panel_search_try(search, &choice) && choice.width > PANEL_GRAIN) {
		choice.width = choice.group = choice.last = choice.width / 2;
		choice.slice = choice.slice > SEARCH_SLICE ? choice.slice / 2 : choice.slice;
	}
}

/*
 * The order that cuts what needs no other part of C: along the side where the square or triangular factor is not, and
 * of a product along the longer side, where the smaller factor streams (one image where k is its columns).
 */
static enum panel_order search_prefer(const struct panel_search *search)
{
	const struct blas_call *blas = &search->problem->blas;
	const unsigned orders = search->orders;
	bool columns = blas->m < blas->n || (blas->m == blas->n && blas->transa == TRANSPOSE_N);
	if (search_has_square(search->problem->family))
		columns = blas->side == SIDE_LEFT;
	if ((orders & (PANEL_COLUMNS | PANEL_ROWS)) != (PANEL_COLUMNS | PANEL_ROWS))
		columns = (orders & PANEL_COLUMNS) != 0;
	return columns ? PANEL_ORDER_COLUMNS : PANEL_ORDER_ROWS;
}

bool panel_search_best(const struct panel_problem *problem, const struct panel_rates *rates, unsigned orders,
                       struct panel_plan *best)
{
	*best = (struct panel_plan){.steps = NULL};
	struct panel_search search = search_start(problem, rates, orders, best);
	const enum panel_order first = search_prefer(&search);
	const enum panel_order second = first == PANEL_ORDER_COLUMNS ? PANEL_ORDER_ROWS : PANEL_ORDER_COLUMNS;
	const bool draining = search.down_ns > search_larger(search.work_ns, search.up_a_ns + search.up_b_ns);
	const struct panel_choice panels = search_guess_panels(&search, first);
	const bool done = panel_search_families(&search, &panels);
	if (!done)
		search_guess(&search, first);
	if (!done && (draining || operand_is_triangle(problem->family) || best->steps == NULL))
		search_guess_rings(&search);
	if (!done && search_has_square(problem->family))
		search_guess(&search, second);
	if (best->steps == NULL) {
		search_shrink(&search, first);
		search_shrink(&search, second);
	}
	if (search.short_of_memory || best->steps == NULL)
		panel_search_blocks(&search);
	while (best->steps != NULL && search_walk(&search))
		continue;
	return best->steps != NULL;
}
