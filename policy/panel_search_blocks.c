/* panel_search_blocks.c - blocks of C that fill the memory, for calls whose operands do not fit into it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/panel_search.h"

#include <stddef.h>

/*
 * Slices of k for square blocks: so large, but not more than a part of the block's side, since they take memory that
 * would make the blocks larger. And the least width of a block beside rows of A over all of k.
 */
enum { BLOCKS_SLICE = 1024, BLOCKS_SLICE_LEAST = 256, BLOCKS_PART = 10, BLOCKS_WIDTH = 1024, BLOCKS_HALVINGS = 24 };

/* Elements that the memory holds, less what buffers are rounded by. */
static double blocks_count_elements(const struct panel_search *search)
{
	const double bytes = (double)search->rates->memory_bytes - 64 * PANEL_ALIGNMENT_BYTES;
	return bytes / (double)element_size_bytes(search->problem->element);
}

/* The part of a dimension that cuts it into equal ones of at most so much, in whole grains. */
static int64_t blocks_divide(int64_t size, double most)
{
	if (most >= (double)size)
		return size;
	const int64_t least = most > 2 * PANEL_GRAIN ? (int64_t)most - PANEL_GRAIN : PANEL_GRAIN;
	const int64_t parts = (size - 1) / least + 1;
	return (size - 1) / parts + 1;
}

static double blocks_root(double square)
{
	double root = square > 1 ? square : 1;
	for (double next = (root + 1) / 2; next < root; next = (root + square / root) / 2)
		root = next;
	return root;
}

/* The side b of c square blocks beside ab slices: c b b + ab slice b = elements. */
static double blocks_find_side(double elements, double c, double ab, double slice)
{
	const double half = ab * slice / 2;
	return (blocks_root(half * half + c * elements) - half) / c;
}

/* Square blocks, or as broad as C and so much longer. */
static void blocks_try_square(struct panel_search *search, double c, double ab)
{
	const struct blas_call *blas = &search->problem->blas;
	const double elements = blocks_count_elements(search) * 0.99;
	double slice = blocks_find_side(elements, c, ab, BLOCKS_SLICE) / BLOCKS_PART;
	slice = slice > BLOCKS_SLICE ? BLOCKS_SLICE : slice < BLOCKS_SLICE_LEAST ? BLOCKS_SLICE_LEAST : slice;
	slice = (double)((int64_t)slice / PANEL_GRAIN * PANEL_GRAIN);
	const double side = blocks_find_side(elements, c, ab, slice);
	const bool flat = blas->m < blas->n;
	const double shorter = (double)(flat ? blas->m : blas->n);
	const double first = side < shorter ? side : shorter;
	const double second = (elements - ab / 2 * slice * first) / (c * first + ab / 2 * slice);
	const struct panel_choice choice = {.order = PANEL_ORDER_BLOCKS,
	                                    .group = blocks_divide(blas->m, flat ? first : second),
	                                    .width = blocks_divide(blas->n, flat ? second : first),
	                                    .slice = (int64_t)slice};
	panel_search_try(search, &choice);
}

/* The rows of A over all of k that fit beside two blocks of B. */
static void blocks_try_rows(struct panel_search *search, double c, double a, double width)
{
	const struct blas_call *blas = &search->problem->blas;
	const double k = (double)blas->k, elements = blocks_count_elements(search) * 0.99;
	struct panel_choice choice = {.order = PANEL_ORDER_BLOCKS, .slice = blas->k};
	choice.width = blocks_divide(blas->n, width);
	const double rows = (elements - 2 * k * (double)choice.width) / (a * k + c * (double)choice.width);
	choice.group = blocks_divide(blas->m, rows);
	if (rows > PANEL_GRAIN)
		panel_search_try(search, &choice);
}

static void blocks_shrink(struct panel_search *search)
{
	struct panel_choice choice = {PANEL_ORDER_BLOCKS, BLOCKS_WIDTH, BLOCKS_WIDTH, 0, BLOCKS_SLICE};
	for (int i = 0; i < BLOCKS_HALVINGS && search->best->steps == NULL; i++) {
		if (panel_search_try(search, &choice))
			return;
		choice.slice = i % 2 == 0 ? choice.slice / 2 : choice.slice;
		choice.group = i % 2 == 1 ? choice.group / 2 : choice.group;
		choice.width = choice.group;
	}
}

void panel_search_blocks(struct panel_search *search)
{
	if ((search->orders & PANEL_BLOCKS) == 0)
		return;
	blocks_try_square(search, 1, 4);
	blocks_try_square(search, 2, 6);
	blocks_try_rows(search, 2, 2, BLOCKS_WIDTH);
	blocks_try_rows(search, 1, 1, BLOCKS_WIDTH);
	blocks_shrink(search);
}
