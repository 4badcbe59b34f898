/* square_blocks.c - plans with a symmetric or triangular A in little memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_square.h"

/*
 * Panels, where the arena holds panels of the whole depth: the triangle of A comes once for each
 * panel, in slices. With N panels
 *
 *   elements = N x (the triangle, its diagonal slices whole) + depth x breadth
 *
 * Blocks of rows x columns of the result (in depth and breadth) otherwise, M rows of blocks and N
 * columns of them. For each block slices of E are loaded, and the part of x that they are
 * multiplied with: N x depth^2 + M x depth x breadth elements for symm and hemm, about half of that
 * for trmm and trsm. trsm loads what it has solved and stored. The sizes of the choice are reduced
 * to what the arena holds.
 */
enum { BLOCKS_Z_BUFFERS = 2, BLOCKS_SHRINK = 8 };

struct square_blocks {
	const struct panel_square *square;
	enum family family;
	int64_t rows, columns; /* of a block */
	struct square_factor factor;
	struct panel_ring x_ring;
	int z_buffers[BLOCKS_Z_BUFFERS];
	uint64_t written;
	uint32_t stores; /* stores written before the present column of blocks */
	bool backward;   /* blocks go from the end of the depth to its beginning */
	struct panel_span i, j;
	struct square_product product;
	bool first; /* the next product is the first one of the block */
};

static double square_blocks_room(const struct panel_square *square)
{
	const struct panel_builder *builder = square->builder;
	const int64_t parts = square->depth / square->slice + 1;
	const double padding =
		(double)PANEL_ALIGNMENT_BYTES * (3 * PANEL_RING_BUFFERS + (double)(parts > 0));
	return ((double)builder->memory_bytes - padding) /
	       (double)element_size_bytes(builder->problem->element);
}

static int64_t square_blocks_shrink(int64_t size)
{
	const int64_t less = size - size / BLOCKS_SHRINK;
	return size <= BLOCKS_SHRINK ? size - (size > 1)
	       : less > PANEL_GRAIN  ? less / PANEL_GRAIN * PANEL_GRAIN
	                             : less;
}

/*
 * Fits panels of the whole depth: count buffers of *columns columns, and slices of A. false if
 * there is no room for one.
 */
static bool square_blocks_fit_panels(struct panel_square *square, int count, int64_t *columns)
{
	const double room = square_blocks_room(square) / (double)square->depth;
	while (count * *columns + PANEL_RING_BUFFERS * square->slice > room) {
		int64_t *size = square->slice > *columns / BLOCKS_SHRINK && square->slice > 1
		                        ? &square->slice
		                        : columns;
		if (*size == 1)
			return false;
		*size = square_blocks_shrink(*size);
	}
	return true;
}

static bool square_blocks_fit(struct panel_square *square, int64_t *rows, int64_t *columns)
{
	const double room = square_blocks_room(square);
	for (;;) {
		const double r = (double)*rows, c = (double)*columns, s = (double)square->slice;
		int64_t *size = *rows > *columns ? rows : columns;
		if (BLOCKS_Z_BUFFERS * r * c + PANEL_RING_BUFFERS * (r + c) * s <= room)
			return true;
		if (square->slice > *size / BLOCKS_SHRINK && square->slice > 1)
			size = &square->slice;
		if (*size == 1)
			return false;
		*size = square_blocks_shrink(*size);
	}
}

static double square_blocks_count_parts(int64_t size, int64_t part)
{
	const int64_t parts = (size - 1) / part + 1;
	return (double)parts;
}

/* Elements that panels, or blocks, load, without those that both load. */
static double square_blocks_count_panels(const struct panel_square *square, int64_t columns)
{
	const double depth = (double)square->depth;
	return square_blocks_count_parts(square->breadth, columns) * depth * depth / 2;
}

static double square_blocks_count_blocks(const struct panel_square *square, enum family family,
                                         int64_t rows, int64_t columns)
{
	const double down = square_blocks_count_parts(square->depth, rows);
	const double across = square_blocks_count_parts(square->breadth, columns);
	const double depth = (double)square->depth, breadth = (double)square->breadth;
	return (across * depth * depth + down * depth * breadth) /
	       (family_is_in_place(family) ? 2 : 1);
}

/* The slice after the given one within a span, counted from its end if backward. */
static bool square_blocks_next(const struct panel_square *square, struct panel_span span,
                               bool backward, struct panel_span *slice)
{
	const int64_t seen = slice->count == 0 ? 0
	                     : backward        ? span.begin + span.count - slice->begin
	                                       : slice->begin + slice->count - span.begin;
	const int64_t left = span.count - seen, count = left < square->slice ? left : square->slice;
	if (left <= 0)
		return false;
	*slice = (struct panel_span){backward ? span.begin + left - count : span.begin + seen,
	                             count};
	return true;
}

/*
 * The rows of the block behind the slice, on the side of the named triangle of E (or on the other
 * side).
 */
static struct panel_span square_blocks_behind(const struct square_blocks *blocks,
                                              struct panel_span slice, bool named)
{
	const struct panel_span i = blocks->i;
	const int64_t end = slice.begin + slice.count;
	if (blocks->square->lower == named)
		return (struct panel_span){end, i.begin + i.count - end};
	return (struct panel_span){i.begin, slice.begin - i.begin};
}

static void square_blocks_load_x(struct square_blocks *blocks, struct panel_span p)
{
	const struct panel_square *square = blocks->square;
	const enum operand operand = panel_square_find_second(square);
	struct panel_sliced x = {.room = blocks->j.count, .breadth = blocks->j};
	struct panel_image *image = &blocks->product.x;
	*image = panel_square_whole(square, &x, operand);
	image->buffer =
		panel_builder_take(square->builder, &blocks->x_ring, p.count, blocks->j.count);
	if (square->right) {
		image->first_column = p.begin;
	} else {
		image->first_row = p.begin;
		image->ld = p.count;
	}
	panel_square_load(square, image, p, blocks->j);
}

/* Makes the load that was written last wait for the store of its rows, which are solved by then. */
static void square_blocks_wait_for_solved(const struct square_blocks *blocks, struct panel_span p)
{
	const struct panel_square *square = blocks->square;
	struct panel_builder *builder = square->builder;
	const int64_t before = blocks->backward ? square->depth - p.begin : p.begin + p.count;
	const uint32_t stores = blocks->stores + (uint32_t)((before - 1) / blocks->rows + 1);
	if (builder->failed || builder->too_large)
		return;
	struct panel_step *step = &builder->plan->steps[builder->plan->count - 1];
	if (step->after[PANEL_STORE] < stores)
		step->after[PANEL_STORE] = stores;
}

/* The square of the block on the diagonal of E: a slice of its columns at a time. */
static void square_blocks_multiply_inside(struct square_blocks *blocks)
{
	const struct panel_square *square = blocks->square;
	struct square_product *product = &blocks->product;
	struct panel_span p = {0, 0};
	product->alpha = PANEL_ALPHA;
	while (square_blocks_next(square, blocks->i, square->lower, &p)) {
		const struct panel_span seen = square_blocks_behind(blocks, p, true),
					other = square_blocks_behind(blocks, p, false);
		const bool mirrors = blocks->family != FAMILY_TRMM && other.count > 0;
		product->factor = panel_square_supply(square, &blocks->factor,
		                                      panel_square_join(seen, p), p, p);
		square_blocks_load_x(blocks, p);
		product->i = product->p = p;
		product->beta =
			blocks->first || blocks->family == FAMILY_TRMM ? PANEL_ZERO : PANEL_ONE;
		panel_square_use_diagonal(square, product);
		product->i = seen;
		product->beta = PANEL_ONE;
		panel_square_multiply(square, product);
		if (mirrors) {
			product->i = other;
			product->beta = blocks->first ? PANEL_ZERO : PANEL_ONE;
			product->factor = panel_square_supply(square, &blocks->factor, other, p, p);
			panel_square_multiply(square, product);
		}
		blocks->first = false;
	}
}

/* Multiplies with x[p, j] for a span beside the block. */
static void square_blocks_multiply_outside(struct square_blocks *blocks, struct panel_span span,
                                           enum panel_scalar alpha)
{
	const struct panel_square *square = blocks->square;
	struct square_product *product = &blocks->product;
	struct panel_span p = {0, 0};
	while (square_blocks_next(square, span, blocks->backward, &p)) {
		product->factor = panel_square_supply(square, &blocks->factor, blocks->i, p, p);
		square_blocks_load_x(blocks, p);
		if (blocks->family == FAMILY_TRSM)
			square_blocks_wait_for_solved(blocks, p);
		product->i = blocks->i;
		product->p = p;
		product->alpha = alpha;
		product->beta = blocks->first ? PANEL_ALPHA : PANEL_ONE;
		panel_square_multiply(square, product);
		blocks->first = false;
	}
}

static void square_blocks_solve_inside(struct square_blocks *blocks)
{
	const struct panel_square *square = blocks->square;
	struct square_product *product = &blocks->product;
	enum panel_scalar scale = blocks->first ? PANEL_ALPHA : PANEL_ONE;
	struct panel_span p = {0, 0};
	product->x = product->z;
	while (square_blocks_next(square, blocks->i, blocks->backward, &p)) {
		const struct panel_span left = square_blocks_behind(blocks, p, true);
		product->factor = panel_square_supply(square, &blocks->factor,
		                                      panel_square_join(p, left), p, p);
		product->i = product->p = p;
		product->alpha = scale;
		panel_square_use_diagonal(square, product);
		product->i = left;
		product->alpha = PANEL_MINUS_ONE;
		product->beta = scale;
		panel_square_multiply(square, product);
		scale = PANEL_ONE;
	}
}

/* Writes one block, from its first load to its store. */
static void square_blocks_write(struct square_blocks *blocks)
{
	const struct panel_square *square = blocks->square;
	const struct panel_span i = blocks->i, j = blocks->j;
	const struct panel_span above = {0, i.begin},
				below = {i.begin + i.count, square->depth - i.begin - i.count};
	const int buffer = blocks->z_buffers[blocks->written++ % BLOCKS_Z_BUFFERS];
	blocks->product.z =
		square->right ? (struct panel_image){OPERAND_C, buffer, j.begin, i.begin, j.count}
			      : (struct panel_image){OPERAND_C, buffer, i.begin, j.begin, i.count};
	blocks->product.j = j;
	blocks->first = true;
	if (blocks->family == FAMILY_TRSM) {
		panel_square_load(square, &blocks->product.z, i, j);
		square_blocks_multiply_outside(blocks, square->lower ? above : below,
		                               PANEL_MINUS_ONE);
		square_blocks_solve_inside(blocks);
	} else {
		square_blocks_multiply_inside(blocks);
		if (blocks->family != FAMILY_TRMM || square->lower)
			square_blocks_multiply_outside(blocks, above, PANEL_ALPHA);
		if (blocks->family != FAMILY_TRMM || !square->lower)
			square_blocks_multiply_outside(blocks, below, PANEL_ALPHA);
	}
	panel_square_store(square, &blocks->product.z, i, j);
}

/*
 * Writes all blocks. Rows of blocks are in the order in which results that overwrite an operand
 * must be stored.
 */
static void square_blocks_write_all(const struct panel_square *square, int64_t rows,
                                    int64_t columns)
{
	struct square_blocks blocks = {.square = square,
	                               .family = square->builder->problem->family,
	                               .rows = rows,
	                               .columns = columns,
	                               .factor.ring = {.reuse = true,
	                                               .operand = OPERAND_A,
	                                               .rows = rows,
	                                               .columns = square->slice},
	                               .x_ring = {.reuse = true,
	                                          .operand = panel_square_find_second(square),
	                                          .rows = square->slice,
	                                          .columns = columns}};
	blocks.backward = blocks.family == FAMILY_TRMM ? square->lower : !square->lower;
	for (int i = 0; i < BLOCKS_Z_BUFFERS; i++)
		blocks.z_buffers[i] = panel_builder_add_buffer(square->builder, rows, columns);
	for (int64_t begin = 0; begin < square->breadth; begin += columns) {
		const int64_t rest = square->breadth - begin;
		blocks.j = (struct panel_span){begin, rest < columns ? rest : columns};
		blocks.stores = square->builder->plan->kind_count[PANEL_STORE];
		for (int64_t seen = 0; seen < square->depth; seen += rows) {
			const int64_t left = square->depth - seen,
				      count = left < rows ? left : rows;
			blocks.i =
				(struct panel_span){blocks.backward ? left - count : seen, count};
			square_blocks_write(&blocks);
		}
	}
}

static void square_blocks_write_panels(const struct panel_square *square, int64_t columns,
                                       panel_group *group)
{
	const bool one = square->builder->problem->family == FAMILY_TRSM;
	struct square_factor factor = {
		.ring = {.reuse = true, .rows = square->depth, .columns = square->slice}};
	struct panel_sliced x = panel_square_add(square, columns),
			    z = one ? x : panel_square_add(square, columns);
	for (int64_t begin = 0; begin < square->breadth; begin += columns) {
		const int64_t left = square->breadth - begin;
		x.breadth = z.breadth = (struct panel_span){begin, left < columns ? left : columns};
		group(square, &factor, &x, &z);
	}
}

void panel_square_write_blocks(const struct panel_square *square, const struct panel_choice *choice,
                               panel_group *group)
{
	const enum family family = square->builder->problem->family;
	const int64_t rows = square->right ? choice->width : choice->group;
	const int64_t columns = square->right ? choice->group : choice->width;
	struct panel_square panels = *square, blocks = *square;
	int64_t panel_columns = columns, block_rows = rows, block_columns = columns;
	const bool fits_panels =
		rows >= square->depth &&
		square_blocks_fit_panels(&panels, family == FAMILY_TRSM ? 1 : 2, &panel_columns);
	const bool fits = square_blocks_fit(&blocks, &block_rows, &block_columns);
	if (fits_panels && (!fits || square_blocks_count_panels(&panels, panel_columns) <=
	                                     square_blocks_count_blocks(&blocks, family, block_rows,
	                                                                block_columns)))
		square_blocks_write_panels(&panels, panel_columns, group);
	else if (fits)
		square_blocks_write_all(&blocks, block_rows, block_columns);
	else
		square->builder->too_large = true;
}
