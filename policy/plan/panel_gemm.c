/* panel_gemm.c - plans of a product: one factor in slices of k beside a group of C, then panels */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_gemm.h"

struct gemm_factor panel_gemm_find_factor(const struct panel_builder *builder, enum operand operand)
{
	const struct blas_call *blas = &builder->problem->blas;
	if (operand == OPERAND_A)
		return (struct gemm_factor){OPERAND_A, blas->m, blas->k,
		                            blas->transa == TRANSPOSE_N};
	return (struct gemm_factor){OPERAND_B, blas->n, blas->k, blas->transb != TRANSPOSE_N};
}

int panel_gemm_add_buffer(struct panel_builder *builder, const struct gemm_factor *factor,
                          int64_t own, int64_t inner)
{
	return panel_builder_add_buffer_of(builder, factor->operand,
	                                   factor->k_is_column ? own : inner,
	                                   factor->k_is_column ? inner : own);
}

static struct panel_span panel_gemm_find_row(const struct gemm_factor *factor,
                                             struct gemm_part part)
{
	return factor->k_is_column ? part.own : part.inner;
}

static struct panel_span panel_gemm_find_column(const struct gemm_factor *factor,
                                                struct gemm_part part)
{
	return factor->k_is_column ? part.inner : part.own;
}

struct panel_image panel_gemm_place(const struct gemm_factor *factor, int buffer,
                                    struct gemm_part part)
{
	const struct panel_span row = panel_gemm_find_row(factor, part),
				column = panel_gemm_find_column(factor, part);
	return (struct panel_image){factor->operand, buffer, row.begin, column.begin, row.count};
}

struct panel_image panel_gemm_place_c(int buffer, struct panel_span row, struct panel_span column)
{
	return (struct panel_image){OPERAND_C, buffer, row.begin, column.begin, row.count};
}

void panel_gemm_load(struct panel_builder *builder, const struct gemm_factor *factor,
                     const struct panel_image *image, struct gemm_part part)
{
	panel_builder_load(builder, image, panel_gemm_find_row(factor, part),
	                   panel_gemm_find_column(factor, part));
}

static struct panel_block panel_gemm_find_block(const struct panel_builder *builder,
                                                const struct panel_image *image,
                                                struct panel_span own, struct panel_span inner)
{
	const struct gemm_factor factor = panel_gemm_find_factor(builder, image->operand);
	const struct gemm_part part = {own, inner};
	return panel_builder_find(builder, image, panel_gemm_find_row(&factor, part),
	                          panel_gemm_find_column(&factor, part));
}

void panel_gemm_multiply(struct panel_builder *builder, const struct gemm_product *product)
{
	const struct panel_problem *problem = builder->problem;
	const struct panel_work work = {
		.family = problem->family,
		.transx = problem->blas.transa,
		.transy = problem->blas.transb,
		.alpha = PANEL_ALPHA,
		.beta = product->more ? PANEL_ONE : PANEL_ZERO,
		.has_y = true,
		.x = panel_gemm_find_block(builder, &product->a, product->row, product->k),
		.y = panel_gemm_find_block(builder, &product->b, product->column, product->k),
		.z = panel_builder_find(builder, &product->c, product->row, product->column),
	};
	panel_builder_work(builder, &work, product->a.buffer, product->b.buffer, product->c.buffer);
}

/* The first slice is smaller than the others by this factor. */
enum { GEMM_RAMP = 8 };

struct panel_cut panel_gemm_cut_k(int64_t k, int64_t slice)
{
	const int64_t first = slice < k ? slice / GEMM_RAMP : slice;
	return (struct panel_cut){k, first, slice, slice / 2, true};
}

struct panel_cut panel_gemm_cut_tail(int64_t k, const struct panel_choice *choice, bool last)
{
	const int64_t slice = last ? choice->finish : choice->tail;
	return (struct panel_cut){k, slice, slice, slice / 2, false};
}

/*
 * State of COLUMNS and ROWS. stream: the factor that comes in slices of k and stays (A or B);
 * panel: the other one, which comes in panels. The slices of stream are in neighbouring buffers
 * from number `slices` on. Where k is the column index of stream they form one image; if A and B
 * are the same (shared), panels are read from this image too. last: the last slice.
 */
struct gemm_state {
	struct panel_builder *builder;
	const struct panel_choice *choice;
	struct gemm_factor stream, panel;
	struct panel_cut cut_k;
	int slices;
	bool reuse, shared, sliced;
	struct panel_image last;
};

static struct gemm_product panel_gemm_arrange(const struct gemm_state *state,
                                              struct panel_image stream, struct panel_image panel)
{
	const bool columns = state->stream.operand == OPERAND_A;
	return (struct gemm_product){.a = columns ? stream : panel, .b = columns ? panel : stream};
}

static struct panel_image panel_gemm_place_slice(const struct gemm_state *state, int number,
                                                 struct panel_span slice)
{
	const struct gemm_part part = {{0, state->stream.size}, slice};
	return panel_gemm_place(&state->stream, state->slices + number, part);
}

/* The rectangle of C that belongs to a panel. */
static void panel_gemm_find_rectangle(const struct gemm_state *state, struct panel_span panel,
                                      struct panel_span *row, struct panel_span *column)
{
	const struct panel_span whole = {0, state->stream.size};
	const bool columns = state->stream.operand == OPERAND_A;
	*row = columns ? whole : panel;
	*column = columns ? panel : whole;
}

/*
 * The part of C of the first group: pieces of columns in neighbouring buffers, which form one
 * image; each piece is stored when it is complete.
 */
struct gemm_group {
	struct panel_span own, row, column;
	struct panel_cut cut;
	int pieces;
};

static struct gemm_group panel_gemm_start_group(struct gemm_state *state)
{
	const struct panel_choice *choice = state->choice;
	struct gemm_group group = {.own = {0, 0}};
	const struct panel_cut own = {state->panel.size, choice->group, choice->width, choice->last,
	                              false};
	panel_builder_next(&own, &group.own);
	panel_gemm_find_rectangle(state, group.own, &group.row, &group.column);
	const double share = (double)choice->width / (double)choice->group;
	const int64_t width = (int64_t)((double)group.column.count * (share < 1 ? share : 1)) + 1;
	group.cut = (struct panel_cut){group.column.count, width, width, width, false};
	int number = 0;
	for (struct panel_span piece = {0, 0}; panel_builder_next(&group.cut, &piece); number++) {
		const int buffer = panel_builder_add_buffer_of(state->builder, OPERAND_C,
		                                               group.row.count, piece.count);
		group.pieces = number == 0 ? buffer : group.pieces;
	}
	return group;
}

/* The last slice completes one piece of the group after the other. */
static void panel_gemm_finish_group(struct gemm_state *state, const struct gemm_group *group,
                                    struct gemm_product product)
{
	int number = group->pieces;
	for (struct panel_span piece = {0, 0}; panel_builder_next(&group->cut, &piece); number++) {
		product.c = panel_gemm_place_c(number, group->row, piece);
		product.column = piece;
		panel_gemm_multiply(state->builder, &product);
		panel_builder_store(state->builder, &product.c, group->row, piece);
	}
}

/* The panel inside the last slice of the other factor, which is the same matrix. */
static struct panel_image panel_gemm_share(const struct gemm_state *state)
{
	struct panel_image image = state->last;
	image.operand = state->panel.operand;
	return image;
}

static void panel_gemm_write_group(struct gemm_state *state)
{
	struct panel_builder *builder = state->builder;
	const struct gemm_group group = panel_gemm_start_group(state);
	const int64_t own = group.own.count, inner = state->cut_k.width;
	const bool k_is_column = state->panel.k_is_column;
	struct panel_ring ring = {.reuse = state->reuse,
	                          .operand = state->panel.operand,
	                          .rows = k_is_column ? own : inner,
	                          .columns = k_is_column ? inner : own};
	int number = 0;
	for (struct panel_span slice = {0, 0}; panel_builder_next(&state->cut_k, &slice);
	     number++) {
		const struct gemm_part part = {group.own, slice},
				       all = {{0, state->stream.size}, slice};
		const int64_t rows = k_is_column ? own : slice.count,
			      columns = k_is_column ? slice.count : own;
		const bool shared = state->shared && !state->sliced;
		const int buffer = shared ? state->last.buffer
		                          : panel_builder_take(builder, &ring, rows, columns);
		const struct panel_image stream = panel_gemm_place_slice(state, number, slice);
		const struct panel_image panel =
			shared ? panel_gemm_share(state)
			       : panel_gemm_place(&state->panel, buffer, part);
		struct gemm_product product = panel_gemm_arrange(state, stream, panel);
		product.row = group.row;
		product.column = group.column;
		product.k = slice;
		product.more = slice.begin > 0;
		panel_gemm_load(builder, &state->stream, &stream, all);
		if (!shared)
			panel_gemm_load(builder, &state->panel, &panel, part);
		product.c = panel_gemm_place_c(group.pieces, group.row, group.column);
		if (slice.begin + slice.count < state->stream.k)
			panel_gemm_multiply(builder, &product);
		else
			panel_gemm_finish_group(state, &group, product);
	}
}

/* Multiplies one panel with all of k: one kernel if the slices form one image. */
static void panel_gemm_write_products(struct gemm_state *state, struct gemm_product product,
                                      struct panel_image panel)
{
	int number = 0;
	for (struct panel_span slice = {0, 0}; panel_builder_next(&state->cut_k, &slice);
	     number++) {
		const bool last = slice.begin + slice.count == state->stream.k;
		const struct gemm_product factors = panel_gemm_arrange(
			state, panel_gemm_place_slice(state, number, slice), panel);
		product.a = factors.a;
		product.b = factors.b;
		if (state->stream.k_is_column && !last)
			continue;
		product.k =
			state->stream.k_is_column ? (struct panel_span){0, state->stream.k} : slice;
		panel_gemm_multiply(state->builder, &product);
		product.more = true;
	}
}

/*
 * A panel that comes in slices of k, each of which is multiplied as it comes: no kernel over all of
 * k is behind the last slice.
 */
static void panel_gemm_write_sliced(struct gemm_state *state, struct gemm_product product,
                                    struct panel_image panel, struct panel_span own)
{
	const bool whole = state->stream.k_is_column || !state->sliced;
	const bool last = own.begin + own.count == state->panel.size;
	const struct panel_cut even = panel_gemm_cut_tail(state->stream.k, state->choice, last);
	const struct panel_cut *cut = whole ? &even : &state->cut_k;
	const int buffer = panel.buffer;
	int number = 0;
	for (struct panel_span slice = {0, 0}; panel_builder_next(cut, &slice); number++) {
		panel.buffer = panel_builder_add_part(state->builder, buffer);
		const struct gemm_product factors = panel_gemm_arrange(
			state, whole ? state->last : panel_gemm_place_slice(state, number, slice),
			panel);
		product.a = factors.a;
		product.b = factors.b;
		product.k = slice;
		panel_gemm_load(state->builder, &state->panel, &panel,
		                (struct gemm_part){own, slice});
		panel_gemm_multiply(state->builder, &product);
		product.more = true;
	}
}

/* Loads a panel and multiplies it. */
static void panel_gemm_write_panel(struct gemm_state *state, struct gemm_product product,
                                   struct panel_image panel, struct panel_span own)
{
	const int64_t k = state->panel.k;
	const bool last = own.begin + own.count == state->panel.size;
	if (panel_gemm_cut_tail(k, state->choice, last).width < k && !state->shared &&
	    !state->reuse) {
		panel_gemm_write_sliced(state, product, panel, own);
		return;
	}
	if (!state->shared)
		panel_gemm_load(state->builder, &state->panel, &panel,
		                (struct gemm_part){own, {0, k}});
	panel_gemm_write_products(state, product, panel);
}

static void panel_gemm_write_panels(struct gemm_state *state)
{
	struct panel_builder *builder = state->builder;
	const struct panel_choice *choice = state->choice;
	const struct panel_cut cut = {state->panel.size, choice->group, choice->width, choice->last,
	                              false};
	const int64_t width = choice->width, k = state->panel.k, size = state->stream.size;
	const bool columns = state->stream.operand == OPERAND_A,
		   k_is_column = state->panel.k_is_column;
	struct panel_ring ring = {.reuse = state->reuse,
	                          .operand = state->panel.operand,
	                          .rows = k_is_column ? width : k,
	                          .columns = k_is_column ? k : width};
	struct panel_ring ring_c = {.reuse = state->reuse,
	                            .operand = OPERAND_C,
	                            .rows = columns ? size : width,
	                            .columns = columns ? width : size};
	struct panel_span own = {0, 0};
	panel_builder_next(&cut, &own);
	while (panel_builder_next(&cut, &own)) {
		const struct gemm_part part = {own, {0, k}};
		const int64_t rows = k_is_column ? own.count : k,
			      across = k_is_column ? k : own.count;
		const struct panel_image panel =
			state->shared
				? panel_gemm_share(state)
				: panel_gemm_place(&state->panel,
		                                   panel_builder_take(builder, &ring, rows, across),
		                                   part);
		struct gemm_product product = {.more = false};
		panel_gemm_find_rectangle(state, own, &product.row, &product.column);
		const int buffer = panel_builder_take(builder, &ring_c, product.row.count,
		                                      product.column.count);
		product.c = panel_gemm_place_c(buffer, product.row, product.column);
		panel_gemm_write_panel(state, product, panel, own);
		panel_builder_store(builder, &product.c, product.row, product.column);
	}
}

static void panel_gemm_write_panelled(struct panel_builder *builder,
                                      const struct panel_choice *choice)
{
	const bool columns = choice->order == PANEL_ORDER_COLUMNS;
	const int64_t k = builder->problem->blas.k, slice = choice->slice;
	struct gemm_state state = {
		.builder = builder,
		.choice = choice,
		.stream = panel_gemm_find_factor(builder, columns ? OPERAND_A : OPERAND_B),
		.panel = panel_gemm_find_factor(builder, columns ? OPERAND_B : OPERAND_A),
		.cut_k = panel_gemm_cut_k(k, slice),
		.reuse = !panel_builder_fit(builder, 0),
		.sliced = slice < k,
	};
	state.shared = builder->problem->same && (state.stream.k_is_column || !state.sliced);
	int number = 0;
	for (struct panel_span part = {0, 0}; panel_builder_next(&state.cut_k, &part); number++) {
		const int buffer = panel_gemm_add_buffer(builder, &state.stream, state.stream.size,
		                                         part.count);
		state.slices = number == 0 ? buffer : state.slices;
		state.last = panel_gemm_place_slice(&state, number, part);
	}
	panel_gemm_write_group(&state);
	panel_gemm_write_panels(&state);
}

void panel_gemm_write(struct panel_builder *builder, const struct panel_choice *choice)
{
	switch (choice->order) {
	case PANEL_ORDER_RINGS: panel_gemm_write_rings(builder, choice); return;
	case PANEL_ORDER_BLOCKS: panel_gemm_write_blocks(builder, choice); return;
	case PANEL_ORDER_COLUMNS:
	case PANEL_ORDER_ROWS:
	case PANEL_ORDER_COUNT: panel_gemm_write_panelled(builder, choice); return;
	}
}
