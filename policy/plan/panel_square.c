/* panel_square.c - products with a symmetric or triangular A on either side */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_square.h"

struct panel_square panel_square_describe(struct panel_builder *builder,
                                          const struct panel_choice *choice)
{
	const struct blas_call *blas = &builder->problem->blas;
	struct panel_square square = {
		.builder = builder, .right = blas->side == SIDE_RIGHT, .slice = choice->slice};
	square.turned = square.right != (blas->transa != TRANSPOSE_N);
	square.lower = square.turned != (blas->uplo == UPLO_LOWER);
	square.depth = square.right ? blas->n : blas->m;
	square.breadth = square.right ? blas->m : blas->n;
	return square;
}

/* Slices end at multiples of their size, whichever end they are counted from. */
bool panel_square_next(const struct panel_square *square, bool backward, struct panel_span *slice)
{
	const int64_t size = square->slice, last = (square->depth - 1) / size;
	int64_t number = slice->begin / size + (backward ? -1 : 1);
	if (slice->count == 0)
		number = backward ? last : 0;
	if (number < 0 || number > last)
		return false;
	*slice = (struct panel_span){number * size,
	                             number == last ? square->depth - number * size : size};
	return true;
}

struct panel_span panel_square_left(const struct panel_square *square, bool backward,
                                    struct panel_span slice)
{
	const int64_t end = slice.begin + slice.count;
	return backward ? (struct panel_span){0, slice.begin}
	                : (struct panel_span){end, square->depth - end};
}

struct panel_span panel_square_seen(const struct panel_square *square, bool backward,
                                    struct panel_span slice)
{
	return panel_square_left(square, !backward, slice);
}

struct panel_span panel_square_join(struct panel_span a, struct panel_span b)
{
	if (a.count <= 0 || b.count <= 0)
		return a.count <= 0 ? b : a;
	return (struct panel_span){a.begin < b.begin ? a.begin : b.begin, a.count + b.count};
}

struct panel_sliced panel_square_add(const struct panel_square *square, int64_t breadth_count)
{
	struct panel_sliced sliced = {
		.buffer = panel_builder_add_buffer(square->builder, square->depth, breadth_count)};
	sliced.parts = sliced.buffer + 1;
	for (int64_t begin = 0; begin < square->depth; begin += square->slice)
		panel_builder_add_part(square->builder, sliced.buffer);
	sliced.breadth.count = sliced.room = breadth_count;
	return sliced;
}

struct panel_image panel_square_whole(const struct panel_square *square,
                                      const struct panel_sliced *sliced, enum operand operand)
{
	const struct panel_span breadth = sliced->breadth;
	if (square->right && operand != OPERAND_A)
		return (struct panel_image){operand, sliced->buffer, breadth.begin, 0,
		                            sliced->room};
	return (struct panel_image){operand, sliced->buffer, 0, breadth.begin, square->depth};
}

struct panel_image panel_square_part(const struct panel_square *square,
                                     const struct panel_sliced *sliced, enum operand operand,
                                     struct panel_span slice)
{
	struct panel_image image = panel_square_whole(square, sliced, operand);
	image.buffer = sliced->parts + (int)(slice.begin / square->slice);
	return image;
}

void panel_square_load(const struct panel_square *square, const struct panel_image *image,
                       struct panel_span depth, struct panel_span breadth)
{
	if (square->right)
		panel_builder_load(square->builder, image, breadth, depth);
	else
		panel_builder_load(square->builder, image, depth, breadth);
}

void panel_square_store(const struct panel_square *square, const struct panel_image *image,
                        struct panel_span depth, struct panel_span breadth)
{
	if (square->right)
		panel_builder_store(square->builder, image, breadth, depth);
	else
		panel_builder_store(square->builder, image, depth, breadth);
}

static bool panel_square_is_named(const struct panel_square *square, struct panel_span i,
                                  struct panel_span p)
{
	return i.begin == p.begin || (i.begin > p.begin) == square->lower;
}

/* The block of A that holds E[i, p] or, of symm and hemm, its mirror image. */
static void panel_square_find_factor(const struct panel_square *square, struct panel_span i,
                                     struct panel_span p, struct panel_span *row,
                                     struct panel_span *column)
{
	const bool exchange = panel_square_is_named(square, i, p) == square->turned;
	*row = exchange ? p : i;
	*column = exchange ? i : p;
}

struct panel_image panel_square_supply(const struct panel_square *square,
                                       struct square_factor *factor, struct panel_span i,
                                       struct panel_span p, struct panel_span number)
{
	struct panel_image image;
	struct panel_span row, column;
	panel_square_find_factor(square, i, p, &row, &column);
	if (factor->resident) {
		image = panel_square_part(square, &factor->whole, OPERAND_A, number);
	} else {
		image = (struct panel_image){OPERAND_A, 0, row.begin, column.begin, row.count};
		image.buffer =
			panel_builder_take(square->builder, &factor->ring, row.count, column.count);
	}
	panel_builder_load(square->builder, &image, row, column);
	return image;
}

static struct panel_block panel_square_find(const struct panel_square *square,
                                            const struct panel_image *image,
                                            struct panel_span depth, struct panel_span breadth)
{
	return square->right ? panel_builder_find(square->builder, image, breadth, depth)
	                     : panel_builder_find(square->builder, image, depth, breadth);
}

static struct panel_block panel_square_find_operator(const struct panel_square *square,
                                                     const struct square_product *product)
{
	struct panel_span row, column;
	panel_square_find_factor(square, product->i, product->p, &row, &column);
	return panel_builder_find(square->builder, &product->factor, row, column);
}

void panel_square_multiply(const struct panel_square *square, const struct square_product *product)
{
	const struct panel_problem *problem = square->builder->problem;
	struct panel_work work = {.family = FAMILY_GEMM,
	                          .alpha = product->alpha,
	                          .beta = product->beta,
	                          .has_y = true};
	enum transpose transpose = problem->blas.transa;
	if (product->i.count <= 0 || product->p.count <= 0)
		return;
	if (!panel_square_is_named(square, product->i, product->p))
		transpose = family_is_hermitian(problem->family) ? TRANSPOSE_C : TRANSPOSE_T;
	const struct panel_block factor = panel_square_find_operator(square, product);
	const struct panel_block x = panel_square_find(square, &product->x, product->p, product->j);
	const int factor_buffer = product->factor.buffer, x_buffer = product->x.buffer;
	work.x = square->right ? x : factor;
	work.y = square->right ? factor : x;
	work.transx = square->right ? TRANSPOSE_N : transpose;
	work.transy = square->right ? transpose : TRANSPOSE_N;
	work.z = panel_square_find(square, &product->z, product->i, product->j);
	panel_builder_work(square->builder, &work, square->right ? x_buffer : factor_buffer,
	                   square->right ? factor_buffer : x_buffer, product->z.buffer);
}

void panel_square_use_diagonal(const struct panel_square *square,
                               const struct square_product *product)
{
	const struct panel_problem *problem = square->builder->problem;
	struct panel_work work = {.family = problem->family,
	                          .transx = problem->blas.transa,
	                          .alpha = product->alpha,
	                          .beta = product->beta,
	                          .has_y = problem->family != FAMILY_TRSM};
	work.x = panel_square_find_operator(square, product);
	work.z = panel_square_find(square, &product->z, product->i, product->j);
	if (work.has_y)
		work.y = panel_square_find(square, &product->x, product->p, product->j);
	panel_builder_work(square->builder, &work, product->factor.buffer, product->x.buffer,
	                   product->z.buffer);
}

enum operand panel_square_find_second(const struct panel_square *square)
{
	const enum family family = square->builder->problem->family;
	return family_is_in_place(family) ? OPERAND_C : OPERAND_B;
}

/* Computes a panel of the breadth with all of A. */
static void panel_square_write_panel(const struct panel_square *square,
                                     const struct panel_sliced *factor,
                                     const struct panel_sliced *x, const struct panel_sliced *z)
{
	const enum family family = square->builder->problem->family;
	const struct panel_span all = {0, square->depth};
	struct square_product product = {
		.i = all, .p = all, .j = z->breadth, .alpha = PANEL_ALPHA, .beta = PANEL_ZERO};
	product.z = panel_square_whole(square, z, OPERAND_C);
	product.x = panel_square_whole(square, x, panel_square_find_second(square));
	product.factor = panel_square_whole(square, factor, OPERAND_A);
	panel_square_load(square, family == FAMILY_TRSM ? &product.z : &product.x, all, z->breadth);
	panel_square_use_diagonal(square, &product);
	panel_square_store(square, &product.z, all, z->breadth);
}

/* Buffers for the panels; they take turns if the arena does not hold all of them. */
static struct panel_ring panel_square_add_ring(const struct panel_square *square, int64_t width)
{
	const struct panel_problem *problem = square->builder->problem;
	struct panel_ring ring = {.operand = OPERAND_C,
	                          .rows = square->depth,
	                          .columns = (width + PANEL_GRAIN - 1) / PANEL_GRAIN * PANEL_GRAIN};
	struct matrix result;
	uint64_t extra_bytes = 0;
	if (ring.columns > square->breadth)
		ring.columns = square->breadth;
	if (problem->family == FAMILY_TRMM &&
	    operand_find(problem->family, &problem->blas, OPERAND_C, &result))
		extra_bytes = operand_size_bytes(&result, problem->element);
	ring.reuse = !panel_builder_fit(square->builder, extra_bytes);
	return ring;
}

static void panel_square_write_panels(const struct panel_square *square,
                                      const struct panel_choice *choice, panel_group *group)
{
	const bool one = square->builder->problem->family == FAMILY_TRSM;
	const struct panel_cut cut = {.size = square->breadth,
	                              .first = choice->group,
	                              .width = choice->width,
	                              .last = choice->last};
	struct square_factor factor = {.resident = true,
	                               .whole = panel_square_add(square, square->depth)};
	struct panel_ring z_ring = panel_square_add_ring(square, choice->width), x_ring = z_ring;
	struct panel_span span = {0, 0};
	x_ring.operand = panel_square_find_second(square);
	panel_builder_next(&cut, &span);
	struct panel_sliced x = panel_square_add(square, span.count);
	struct panel_sliced z = one ? x : panel_square_add(square, span.count);
	group(square, &factor, &x, &z);
	while (panel_builder_next(&cut, &span)) {
		x.breadth = z.breadth = span;
		x.room = z.room = span.count;
		x.buffer = z.buffer =
			panel_builder_take(square->builder, &x_ring, square->depth, span.count);
		if (!one)
			z.buffer = panel_builder_take(square->builder, &z_ring, square->depth,
			                              span.count);
		panel_square_write_panel(square, &factor.whole, &x, &z);
	}
}

void panel_square_write(const struct panel_square *square, const struct panel_choice *choice,
                        panel_group *group)
{
	if (choice->order == PANEL_ORDER_BLOCKS)
		panel_square_write_blocks(square, choice, group);
	else if (choice->order == (square->right ? PANEL_ORDER_ROWS : PANEL_ORDER_COLUMNS))
		panel_square_write_panels(square, choice, group);
	else
		square->builder->failed = true;
}
