/* search_guess.c - first guesses: panels, groups beside slices of k, rings, what fits at all */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_search.h"

#include <stddef.h>

#include "policy/plan/panel_writers.h"

/*
 * The cost of a panel twice as wide, as a share of the time of its kernel; and how many tiles wider
 * panels are tried: of less than GUESS_NARROW tiles four times as many, because few widths fill
 * whole waves.
 */
static const double guess_wider = 0.1;
enum { GUESS_NARROW = 4, GUESS_TILES = 16 };

/*
 * A panel takes at least guess_panel_ns on the link. There are at most GUESS_PANELS of them,
 * GUESS_PANELS_OF_LINK where the links take GUESS_LINKED times longer than the kernels. Copies of
 * more than GUESS_OPERATIONS operations may end with a part of one. Factors whose copies take
 * GUESS_THIN times longer than that of the result are those of a thin result.
 */
static const double guess_panel_ns = 150000;
enum {
	GUESS_PANELS = 16,
	GUESS_PANELS_OF_LINK = 96,
	GUESS_RINGS = 8,
	GUESS_SLICES = 16,
	GUESS_SLICE = 512,
	GUESS_LINKED = 2,
	GUESS_LINKED_MUCH = 4,
	GUESS_THIN = 4,
	GUESS_OPERATIONS = 64
};

static double search_guess_larger(double a, double b)
{
	return a > b ? a : b;
}

static int64_t search_guess_bound(double size, int64_t least, int64_t most)
{
	if (!(size < (double)most))
		return most;
	return size > (double)least ? (int64_t)size : least;
}

/*
 * About `about` elements, rather more, so that a kernel over rows x that many elements fills whole
 * waves well.
 */
static int64_t search_guess_fill_waves(const struct panel_rates *rates, int64_t rows, int64_t about)
{
	const int64_t tile = rates->tile, units = rates->units;
	if (tile <= 0 || units <= 0)
		return about;
	const int64_t down = (rows - 1) / tile + 1, middle = (about - 1) / tile + 1;
	const int64_t wave = units / down + 1; /* a narrower panel leaves units idle */
	int64_t most = middle < GUESS_NARROW  ? 4 * middle
	               : middle < GUESS_TILES ? 2 * middle
	                                      : middle + GUESS_TILES;
	most = most < wave ? wave : most;
	int64_t best = middle;
	double least = 0;
	const int64_t from = middle - (most - middle) / 4;
	for (int64_t across = from < 1 ? 1 : from; across <= most; across++) {
		const int64_t waves = (down * across - 1) / units + 1;
		const double waste = (double)(waves * units) / ((double)down * (double)across);
		const double cost =
			waste * (1 + guess_wider * (double)(across - middle) / (double)middle);
		if (least == 0 || cost < least) {
			least = cost;
			best = across;
		}
	}
	return best * tile;
}

/*
 * About `about` elements, so that the larger copy of a panel (k or rows, times that many) is nearly
 * whole operations: a byte more would be an operation more.
 */
static int64_t search_guess_fill_copies(const struct panel_search *search, int64_t about,
                                        int64_t rows)
{
	const int64_t longer = rows > search->problem->blas.k ? rows : search->problem->blas.k;
	const double one_bytes =
		(double)longer * (double)element_size_bytes(search->problem->element);
	const double room = (double)search->rates->copy_bytes / one_bytes;
	const int64_t nearest = (about + PANEL_GRAIN / 2) / PANEL_GRAIN * PANEL_GRAIN;
	const double copies = room > 0 ? (double)nearest / room : 0;
	if (copies < 1 || copies > GUESS_OPERATIONS)
		return nearest > 0 ? nearest : about;
	const int64_t filled = (int64_t)(room * (double)(int64_t)(copies + 0.5));
	return filled > PANEL_GRAIN ? filled / PANEL_GRAIN * PANEL_GRAIN : about;
}

/*
 * The size of the first group that keeps device and link down busy alike. With a share g of the
 * panels in the group, tA the time of the factor that streams, tP of the other one, G of all
 * kernels and tC of the result on its way: the group is complete at tA + g tP, then either the
 * kernels of the rest, (1 - g) G, or the way back of the result, tC, take longest; they are equal
 * at g = 1 - tC / G. More than g = tA / (G - tP) gives the device more to do than it can while the
 * factor streams.
 */
double panel_search_find_share(const struct panel_search *search, double stream_ns, double panel_ns)
{
	const double work_ns = search->work_ns;
	double share = work_ns > search->down_ns ? 1 - search->down_ns / work_ns : 0;
	if (work_ns > panel_ns && stream_ns / (work_ns - panel_ns) < share)
		share = stream_ns / (work_ns - panel_ns);
	return share;
}

double panel_search_find_way(const struct panel_search *search, enum panel_order order)
{
	const bool b = order == PANEL_ORDER_COLUMNS || family_has_square(search->problem->family);
	return b ? search->up_b_ns : search->up_a_ns;
}

struct panel_choice panel_search_find_panels(const struct panel_search *search,
                                             enum panel_order order)
{
	const struct blas_call *blas = &search->problem->blas;
	const bool columns = order == PANEL_ORDER_COLUMNS;
	const int64_t size = columns ? blas->n : blas->m, rows = columns ? blas->m : blas->n;
	const double way_ns = panel_search_find_way(search, order);
	const double one_ns = (way_ns > 0 ? way_ns : search->down_ns) / (double)size;
	const double least = one_ns > 0 ? guess_panel_ns / one_ns : 1;
	const bool linked = panel_search_find_link(search) > GUESS_LINKED * search->work_ns;
	const int most = linked ? GUESS_PANELS_OF_LINK : GUESS_PANELS;
	const double about = search_guess_larger((double)size / most, least);
	struct panel_choice choice = {.order = order, .slice = blas->k};
	const int64_t width = search_guess_bound(about, 1, size);
	choice.width = linked ? search_guess_fill_copies(search, width, rows)
	                      : search_guess_fill_waves(search->rates, rows, width);
	choice.group = choice.last = choice.width;
	return choice;
}

/* Slices for the factor that streams while the first group is computed. */
static struct panel_choice search_guess_hybrid(const struct panel_search *search,
                                               struct panel_choice choice)
{
	const struct blas_call *blas = &search->problem->blas;
	const bool columns = choice.order == PANEL_ORDER_COLUMNS;
	const double panel_ns = panel_search_find_way(search, choice.order);
	const double stream_ns = search->up_a_ns + search->up_b_ns - panel_ns;
	const double share = panel_search_find_share(search, stream_ns, panel_ns);
	const int64_t size = columns ? blas->n : blas->m;
	choice.group = search_guess_bound(share * (double)size, choice.width, size);
	choice.slice = search_guess_bound((double)blas->k / GUESS_SLICES, GUESS_SLICE, blas->k);
	return choice;
}

/*
 * Whether all of C at once, beside slices of k of both factors, may be best: panels of C would not
 * fill the device, and its way back hides little.
 */
static bool search_guess_is_thin(const struct panel_search *search)
{
	const struct blas_call *blas = &search->problem->blas;
	const bool deep = blas->k > blas->m && blas->k > blas->n;
	return deep || search->up_a_ns + search->up_b_ns > GUESS_THIN * search->down_ns;
}

/* Where the links take little longer than the kernels, kernels of whole waves may end sooner. */
static void search_guess_try_waves(struct panel_search *search, struct panel_choice choice)
{
	const struct blas_call *blas = &search->problem->blas;
	const bool columns = choice.order == PANEL_ORDER_COLUMNS;
	const int64_t size = columns ? blas->n : blas->m, rows = columns ? blas->m : blas->n;
	const int64_t width = search_guess_fill_waves(search->rates, rows, choice.width);
	if (width == choice.width || width >= size ||
	    panel_search_find_link(search) > GUESS_LINKED_MUCH * search->work_ns)
		return;
	choice.width = choice.last = choice.group = width;
	panel_search_try(search, &choice);
}

void panel_search_try_panels(struct panel_search *search, enum panel_order order)
{
	const struct blas_call *blas = &search->problem->blas;
	if ((search->orders >> order & 1) == 0)
		return;
	const struct panel_choice panels = panel_search_find_panels(search, order);
	const struct panel_choice hybrid = search_guess_hybrid(search, panels);
	struct panel_choice slices = hybrid;
	slices.group = order == PANEL_ORDER_COLUMNS ? blas->n : blas->m;
	if (search_guess_is_thin(search))
		panel_search_try(search, &slices);
	search_guess_try_waves(search, panels);
	panel_search_try(search, &panels);
	panel_search_try(search, &hybrid);
}

void panel_search_try_rings(struct panel_search *search)
{
	const struct blas_call *blas = &search->problem->blas;
	const int64_t size = blas->m > blas->n ? blas->m : blas->n;
	struct panel_choice choice = {.order = PANEL_ORDER_RINGS, .slice = blas->k};
	if ((search->orders & PANEL_RINGS) == 0)
		return;
	choice.width = search_guess_bound((double)size / GUESS_RINGS, PANEL_GRAIN, size);
	choice.group = choice.width / 2;
	choice.last = choice.width / 2;
	panel_search_try(search, &choice);
}

void panel_search_try_smaller(struct panel_search *search, enum panel_order order)
{
	if ((search->orders >> order & 1) == 0)
		return;
	struct panel_choice choice = panel_search_find_panels(search, order);
	while (!panel_search_try(search, &choice) && choice.width > PANEL_GRAIN) {
		choice.width = choice.group = choice.last = choice.width / 2;
		choice.slice = choice.slice > GUESS_SLICE ? choice.slice / 2 : choice.slice;
	}
}

enum {
	FAMILIES_SLICE = 512,
	FAMILIES_SLICES = 48,
	FAMILIES_RINGS = 10,
	FAMILIES_RING_LEAST = 512,
	FAMILIES_RING_MOST = 1024,
	FAMILIES_RING_LAST = 384
};

/*
 * The share of the right-hand sides of trsm that is solved while the triangle comes in: their rows
 * are stored as they are solved.
 */
static const double families_solved = 0.55;

static int64_t search_guess_slice(int64_t k)
{
	return k / FAMILIES_SLICES > FAMILIES_SLICE ? k / FAMILIES_SLICES : FAMILIES_SLICE;
}

/*
 * The share of the work that may be done before anything is stored: the rest takes as long as the
 * way back of the result.
 */
static double search_guess_hold_back(const struct panel_search *search, double work_ns)
{
	return work_ns > search->down_ns ? 1 - search->down_ns / work_ns : 0;
}

/*
 * The share of the panels in the first group: the triangle of A streams with the part of B of the
 * group, and from some share on the device keeps pace with it.
 */
static double search_guess_share(const struct panel_search *search)
{
	const double panel_ns = search->up_b_ns, stream_ns = search->up_a_ns,
		     work_ns = search->work_ns;
	const double most = search_guess_hold_back(search, work_ns);
	const double pace = work_ns > panel_ns ? stream_ns / (work_ns - panel_ns) : 1;
	if (search->problem->family == FAMILY_TRSM)
		return families_solved;
	if (search->problem->family == FAMILY_TRMM)
		return most;
	return pace < most ? (pace + most) / 2 : most;
}

/* The nearest size of a group whose kernels on the rows of a slice fill whole waves. */
static int64_t search_guess_fill_slice(const struct panel_rates *rates, int64_t slice,
                                       int64_t group, int64_t most)
{
	const int64_t down = rates->tile > 0 ? (slice - 1) / rates->tile + 1 : 0;
	const int64_t whole = down > 0 ? rates->units / down * rates->tile : 0;
	const int64_t filled = whole > 0 ? (group + whole / 2) / whole * whole : 0;
	return filled > 0 && filled <= most ? filled : group;
}

/*
 * A symmetric or triangular A: a group while it comes in, then panels. If B is the smaller matrix,
 * also one panel, and all of B as the group.
 */
static void search_guess_guess_square(struct panel_search *search,
                                      const struct panel_choice *panels)
{
	const struct blas_call *blas = &search->problem->blas;
	const int64_t breadth = blas->side == SIDE_LEFT ? blas->n : blas->m;
	struct panel_choice choice = *panels;
	choice.slice = search_guess_slice(blas->k);
	choice.group = (int64_t)(search_guess_share(search) * (double)breadth);
	if (search->problem->family != FAMILY_TRMM)
		choice.group =
			search_guess_fill_slice(search->rates, choice.slice, choice.group, breadth);
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

/* Slices of k, then rings; slices alone if k is long. */
static void search_guess_guess_update(struct panel_search *search,
                                      const struct panel_choice *panels)
{
	const struct blas_call *blas = &search->problem->blas;
	const double up_ns = search->up_a_ns + search->up_b_ns;
	const double work_ns = search->work_ns > up_ns ? search->work_ns : up_ns;
	struct panel_choice choice = {.order = PANEL_ORDER_RINGS,
	                              .slice = search_guess_slice(blas->k)};
	choice.group = (int64_t)(search_guess_hold_back(search, work_ns) * (double)blas->k);
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
		search_guess_guess_update(search, &panels);
	else
		search_guess_guess_square(search, &panels);
}
