/* update_blocks.c - plans of rank updates in little memory: blocks of the triangle, k innermost */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_update.h"

/*
 * C is cut into columns of width; each has a block on the diagonal, then blocks of group rows away
 * from it. A block loads its rows and columns of the factors in slices of k. If one slice is all of
 * k, the columns are loaded once for all blocks below each other. With N columns of widths w and
 * blocks of b rows, elements loaded of each factor (syr2k and her2k load both for rows and for
 * columns, gemmt one each) are
 *
 *   slices:    k x the sum over blocks of (b + w), on the diagonal w alone (gemmt: w of each)
 *   all of k:  k x the sum over columns of (w + the rows of the blocks off the diagonal)
 */
struct update_blocks {
	const struct update_state *update;
	int64_t group, width, slice;
	struct panel_ring rows[2], columns[2], c;
	struct update_product product;
};

enum { BLOCKS_SHRINK = 8 };

static double update_blocks_count_elements(const struct update_blocks *state)
{
	const double group = (double)state->group, width = (double)state->width,
		     slice = (double)state->slice;
	const double larger = group > width ? group : width;
	const double padding = 3.0 * PANEL_RING_BUFFERS * PANEL_ALIGNMENT_BYTES;
	const double loads = PANEL_RING_BUFFERS * (larger + width) * slice * state->update->factors;
	return loads + PANEL_RING_BUFFERS * larger * width + padding;
}

static int64_t update_blocks_shrink(int64_t size)
{
	const int64_t less = size - size / BLOCKS_SHRINK;
	return size <= BLOCKS_SHRINK ? size - (size > 1)
	       : less > PANEL_GRAIN  ? less / PANEL_GRAIN * PANEL_GRAIN
	                             : less;
}

static double update_blocks_room(const struct update_blocks *state)
{
	const struct panel_builder *builder = state->update->builder;
	const uint64_t elements =
		builder->memory_bytes / element_size_bytes(builder->problem->element);
	return (double)elements;
}

/*
 * Shrinks blocks as little as possible, and slices to a quarter of the sides of a block unless they
 * must be all of k.
 */
static bool update_blocks_fit(struct update_blocks *state, bool whole)
{
	while (update_blocks_count_elements(state) > update_blocks_room(state)) {
		int64_t *largest = state->group > state->width ? &state->group : &state->width;
		if (!whole && state->slice > *largest / 4 && state->slice > 1)
			largest = &state->slice;
		if (*largest == 1)
			return false;
		*largest = update_blocks_shrink(*largest);
	}
	return true;
}

/* Elements loaded of each factor, without ragged ends. */
static double update_blocks_count_loads(const struct update_blocks *state)
{
	const double n = (double)state->update->n, k = (double)state->update->k;
	const double across = n / (double)state->width, down = n / (double)state->group;
	if (state->slice >= state->update->k)
		return k * (n + across * n / 2);
	return k * (across * n / 2 + down * n / 2);
}

/*
 * Keeps the choice if it fits; otherwise takes the cheaper of slices and of few rows with all of k.
 */
static bool update_blocks_choose(struct update_blocks *state)
{
	struct update_blocks whole = *state;
	if (update_blocks_count_elements(state) <= update_blocks_room(state))
		return true;
	whole.slice = state->update->k;
	whole.group = state->group < PANEL_GRAIN ? state->group : PANEL_GRAIN;
	const bool fits = update_blocks_fit(state, false),
		   whole_fits = update_blocks_fit(&whole, true);
	if (whole_fits &&
	    (!fits || update_blocks_count_loads(&whole) < update_blocks_count_loads(state)))
		*state = whole;
	return fits || whole_fits;
}

/* Off the diagonal gemmt loads one factor for the rows and one for the columns. */
static void update_blocks_load(struct update_blocks *state, struct panel_ring rings[2],
                               struct panel_image images[2], struct panel_span i, bool both)
{
	const struct update_state *update = state->update;
	const int first = both || rings == state->rows ? 0 : update->factors - 1;
	const int end = both || rings == state->columns ? update->factors : 1;
	for (int number = first; number < end; number++) {
		const int buffer = panel_builder_take(update->builder, &rings[number], i.count,
		                                      state->product.p.count);
		images[number] = panel_update_load(update, &update->factor[number], buffer, false,
		                                   i, state->product.p);
	}
}

/* Writes one block of C, from its first slice to its store. */
static void update_blocks_write(struct update_blocks *state, struct panel_span i, bool diagonal)
{
	const struct update_state *update = state->update;
	struct update_product *product = &state->product;
	const int buffer =
		panel_builder_take(update->builder, &state->c, i.count, product->j.count);
	product->c = (struct panel_image){OPERAND_C, buffer, i.begin, product->j.begin, i.count};
	product->i = i;
	product->beta = PANEL_ZERO;
	for (int64_t begin = 0; begin < update->k; begin += state->slice) {
		const int64_t left = update->k - begin;
		product->p = (struct panel_span){begin, left < state->slice ? left : state->slice};
		if (diagonal || state->slice < update->k)
			update_blocks_load(state, state->columns, product->columns, product->j,
			                   diagonal || update->twice);
		if (diagonal)
			for (int number = 0; number < update->factors; number++)
				product->rows[number] = product->columns[number];
		else
			update_blocks_load(state, state->rows, product->rows, i, update->twice);
		if (diagonal)
			panel_update_diagonal(update, product);
		else
			panel_update_multiply(update, product);
		product->beta = PANEL_ONE;
	}
	panel_builder_store(update->builder, &product->c, i, product->j);
}

void panel_update_write_blocks(const struct update_state *update, const struct panel_choice *choice)
{
	struct update_blocks state = {.update = update,
	                              .group = choice->group,
	                              .width = choice->width,
	                              .slice = choice->slice};
	if (!update_blocks_choose(&state)) {
		update->builder->too_large = true;
		return;
	}
	const int64_t larger = state.group > state.width ? state.group : state.width;
	for (int number = 0; number < update->factors; number++) {
		const enum operand operand = update->factor[number].operand;
		const struct panel_ring rows = {.reuse = true,
		                                .operand = operand,
		                                .rows = state.group,
		                                .columns = state.slice};
		const struct panel_ring columns = {.reuse = true,
		                                   .operand = operand,
		                                   .rows = state.width,
		                                   .columns = state.slice};
		state.rows[number] = rows;
		state.columns[number] = columns;
	}
	state.c = (struct panel_ring){
		.reuse = true, .operand = OPERAND_C, .rows = larger, .columns = state.width};
	for (int64_t begin = 0; begin < update->n; begin += state.width) {
		const int64_t left = update->n - begin;
		const struct panel_span j = {begin, left < state.width ? left : state.width};
		const struct panel_span column = panel_update_column(update, j);
		const int64_t first = update->lower ? j.begin + j.count : 0;
		const int64_t end = update->lower ? column.begin + column.count : j.begin;
		state.product.j = j;
		update_blocks_write(&state, j, true);
		for (int64_t row = first; row < end; row += state.group) {
			const int64_t rest = end - row;
			update_blocks_write(
				&state,
				(struct panel_span){row, rest < state.group ? rest : state.group},
				false);
		}
	}
}
