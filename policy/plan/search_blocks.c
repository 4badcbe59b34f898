/* search_blocks.c - blocks of C that fill the memory, for calls whose operands do not fit */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "policy/plan/panel_gemm.h"
#include "policy/plan/panel_search.h"
#include "policy/plan/panel_time.h"
#include "policy/plan/panel_writers.h"

/* Slices of k to try, beside all of k; and the least side of a block beside all of k. */
static const int64_t blocks_slices[] = {128, 256, 384, 512, 768, 1024, 1536, 2048};
enum { BLOCKS_SLICES = sizeof blocks_slices / sizeof blocks_slices[0], BLOCKS_SIDE = 1024 };

/* Numbers of buffers for blocks of C and slices of A and B, as in gemm_blocks.c. */
static const double blocks_rooms[][3] = {{2, 3, 3}, {2, 2, 2}, {1, 2, 2}, {1, 1, 2}};
enum { BLOCKS_ROOMS = sizeof blocks_rooms / sizeof blocks_rooms[0] };

/*
 * A plan of blocks_dear_steps steps counts double, because steps have to be written and the host
 * carries out each of them. Plans of more than blocks_most_steps steps are refused: the memory is
 * too small for the call.
 */
static const double blocks_dear_steps = 1e6, blocks_most_steps = 5e5;

/* This many choices, the best by the formula, are timed, unless their plans are long. */
enum { BLOCKS_BEST = 3 };

struct blocks_ranking {
	struct panel_search *search;
	int count;
	struct panel_choice choice[BLOCKS_BEST];
	double time_ns[BLOCKS_BEST];
};

/* Elements that fit into the memory, less the rounding of buffers. */
static double search_blocks_count_elements(const struct panel_search *search)
{
	const double bytes = (double)search->rates->memory_bytes - 64 * PANEL_ALIGNMENT_BYTES;
	return bytes / (double)element_size_bytes(search->problem->element);
}

/* The size of equal parts of a dimension, at most `most` elements each, in whole grains. */
static int64_t search_blocks_divide(int64_t size, double most)
{
	if (most >= (double)size)
		return size;
	const int64_t grains = (int64_t)most / PANEL_GRAIN;
	if (grains < 1)
		return 1; /* rounded up to a grain later */
	const int64_t parts = (size - 1) / (grains * PANEL_GRAIN) + 1;
	return (size - 1) / parts + 1;
}

static double search_blocks_root(double square)
{
	double root = square > 1 ? square : 1;
	double next = (root + 1) / 2;
	while (next < root) {
		root = next;
		next = (root + square / root) / 2;
	}
	return root;
}

/* The time of a kernel on this many columns of a block, for one slice of k. */
static double search_blocks_find_work(const struct panel_search *search,
                                      const struct panel_choice *choice, double columns)
{
	const struct panel_span row = {0, choice->group}, column = {0, (int64_t)columns},
				k = {0, choice->slice};
	const struct panel_work work = {.family = search->problem->family,
	                                .x = {.row = row, .column = k},
	                                .z = {.row = row, .column = column}};
	return panel_time_find_work(search->problem, search->rates, &work);
}

/*
 * The time of a plan in blocks without making it; 0 if there are too many steps. It is the longer
 * of the links and the device with the pieces at the beginning and end of each block. Without room
 * for a second block kernels wait while one is stored; without room for a second slice one engine
 * waits for the other.
 */
static double search_blocks_find_time(const struct panel_search *search,
                                      const struct panel_choice *choice,
                                      const struct gemm_blocks_count *count)
{
	const struct panel_rates *rates = search->rates;
	const double up_bytes =
		count->load_elements * (double)element_size_bytes(search->problem->element);
	const double copies = rates->copy_bytes > 0 ? up_bytes / (double)rates->copy_bytes : 0;
	const double cut = count->slices < 2 ? 1 : 2, stores = count->blocks * count->pieces;
	const double up_ns =
		up_bytes / rates->up_bytes_s * 1e9 + (count->loads + copies) * rates->copy_ns;
	const double down_ns = search->down_ns + stores * rates->operation_ns,
		     piece_ns = down_ns / stores;
	const double works = count->blocks * (count->slices - cut + cut * count->pieces);
	const double block_ns =
		(count->slices - cut) *
			search_blocks_find_work(search, choice, (double)choice->width) +
		cut * count->pieces * search_blocks_find_work(search, choice, count->piece);
	const double both_ns = up_ns < down_ns ? up_ns : down_ns,
		     more_ns = up_ns + down_ns - 2 * both_ns;
	const double link_ns = both_ns / rates->duplex + more_ns,
		     begin_ns = up_ns / count->loads * 2;
	const double work_ns = count->blocks * block_ns + (count->beside ? 0 : down_ns);
	const double longer_ns = link_ns > work_ns ? link_ns : work_ns;
	const double time_ns = (count->ahead ? longer_ns : link_ns + work_ns) + begin_ns + piece_ns;
	const double steps = count->loads + works + stores;
	return steps <= blocks_most_steps ? time_ns * (1 + steps / blocks_dear_steps) : 0;
}

/* Inserts a choice that fits among the best. */
static void search_blocks_rank(struct blocks_ranking *ranking, double group, double width,
                               int64_t slice)
{
	const struct panel_search *search = ranking->search;
	const struct blas_call *blas = &search->problem->blas;
	struct gemm_blocks_count count;
	if (group < 1 || width < 1)
		return;
	const struct panel_choice choice = {.order = PANEL_ORDER_BLOCKS,
	                                    .group = search_blocks_divide(blas->m, group),
	                                    .width = search_blocks_divide(blas->n, width),
	                                    .slice = slice};
	const struct panel_choice cut = panel_plan_cut_choice(blas, &choice);
	if (!panel_gemm_count_blocks(search->problem, search->rates->memory_bytes, &cut, &count))
		return;
	const double time_ns = search_blocks_find_time(search, &cut, &count);
	if (time_ns <= 0)
		return;
	int place = ranking->count < BLOCKS_BEST ? ranking->count++ : BLOCKS_BEST;
	for (; place > 0 && time_ns < ranking->time_ns[place - 1]; place--)
		if (place < BLOCKS_BEST) {
			ranking->choice[place] = ranking->choice[place - 1];
			ranking->time_ns[place] = ranking->time_ns[place - 1];
		}
	if (place == BLOCKS_BEST)
		return;
	ranking->choice[place] = cut;
	ranking->time_ns[place] = time_ns;
}

/*
 * Blocks g x w beside slices of s that fill the memory: c g w + a g s + b s w elements, where one
 * side is given.
 */
static void search_blocks_rank_sides(struct blocks_ranking *ranking, const double room[3],
                                     int64_t slice)
{
	const struct blas_call *blas = &ranking->search->problem->blas;
	const double c = room[0], s = (double)slice, as = room[1] * s, bs = room[2] * s;
	const double elements = search_blocks_count_elements(ranking->search), half = (as + bs) / 2;
	const double square = (search_blocks_root(half * half + c * elements) - half) / c;
	const double m = (double)blas->m, n = (double)blas->n;
	const double widths[] = {square, square * 0.75, n,
	                         slice == blas->k ? BLOCKS_SIDE : square * 1.5};
	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
		search_blocks_rank(ranking, (elements - bs * widths[i]) / (c * widths[i] + as),
		                   widths[i], slice);
	const double groups[] = {m, slice == blas->k ? BLOCKS_SIDE : m / 2};
	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
		search_blocks_rank(ranking, groups[i],
		                   (elements - as * groups[i]) / (c * groups[i] + bs), slice);
}

static void search_blocks_try_products(struct panel_search *search)
{
	const int64_t k = search->problem->blas.k;
	struct blocks_ranking ranking = {.search = search};
	for (int i = 0; i <= BLOCKS_SLICES; i++)
		for (int room = 0; room < BLOCKS_ROOMS; room++)
			if (i == BLOCKS_SLICES || blocks_slices[i] < k)
				search_blocks_rank_sides(&ranking, blocks_rooms[room],
				                         i < BLOCKS_SLICES ? blocks_slices[i] : k);
	search_blocks_rank(&ranking, 1, 1, 1); /* the smallest possible */
	for (int i = 0; i < ranking.count; i++)
		panel_search_try(search, &ranking.choice[i]);
}

/*
 * Writers of other families shrink what does not fit. Square blocks of side b beside slices of s, c
 * b b + ab s b elements, load 2 / b elements in 2 / (b b s) steps for each multiplication; the s
 * with the least time is tried, and all of C at once with what its writer makes of it.
 */
static void search_blocks_try_others(struct panel_search *search)
{
	const struct panel_rates *rates = search->rates;
	const struct blas_call *blas = &search->problem->blas;
	const double c = operand_is_triangle(search->problem->family) ? 3 : 2, ab = 6;
	const double elements = search_blocks_count_elements(search);
	const double products = (double)blas->m * (double)blas->n * (double)blas->k;
	const double element_ns =
		(double)element_size_bytes(search->problem->element) / rates->up_bytes_s * 1e9;
	struct panel_choice choice = {.order = PANEL_ORDER_BLOCKS};
	double least = 0, side = 0;
	for (int i = 0; i < BLOCKS_SLICES; i++) {
		const double s = (double)blocks_slices[i], half = ab * s / 2;
		const double b = (search_blocks_root(half * half + c * elements) - half) / c;
		const double cost = b > 0 ? element_ns / b + rates->operation_ns / (b * b * s) : 0;
		if (b > PANEL_GRAIN && 3 * products / (b * b * s) < blocks_most_steps &&
		    (least == 0 || cost < least)) {
			least = cost;
			side = b;
			choice.slice = blocks_slices[i];
		}
	}
	choice.group = search_blocks_divide(blas->m, side);
	choice.width = search_blocks_divide(blas->n, side);
	if (least > 0)
		panel_search_try(search, &choice);
	const struct panel_choice all = {
		.order = PANEL_ORDER_BLOCKS, .group = blas->m, .width = blas->n, .slice = blas->k};
	const double grain = PANEL_GRAIN, grains = products / (grain * grain * grain);
	if (least > 0 || 3 * grains < blocks_most_steps)
		panel_search_try(search, &all);
}

void panel_search_blocks(struct panel_search *search)
{
	if ((search->orders & PANEL_BLOCKS) == 0)
		return;
	if (family_is_product(search->problem->family))
		search_blocks_try_products(search);
	else
		search_blocks_try_others(search);
}
