/* panel_symm.c - plans of symm and hemm: one triangle of A comes in, and serves for both */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_square.h"

/*
 * A growing square of A: a slice of columns of the named triangle, from its end to the diagonal, is
 * multiplied with the slice's rows of B and, mirrored, with those that came before. The mirrored
 * product names the first part of x, which the next panel in this memory begins with; the other two
 * kernels have waited for the slice itself.
 */
static void panel_symm_grow(const struct panel_square *square, struct panel_factor *factor,
                            const struct panel_sliced *x, const struct panel_sliced *z)
{
	struct panel_product product = {.j = z->breadth, .alpha = PANEL_ALPHA};
	struct panel_image first = panel_square_whole(square, x, OPERAND_B);
	struct panel_span slice = {0, 0};
	product.z = panel_square_whole(square, z, OPERAND_C);
	while (panel_square_next(square, square->lower, &slice)) {
		const struct panel_span seen = panel_square_seen(square, square->lower, slice);
		product.factor = panel_square_supply(square, factor, panel_square_join(seen, slice),
		                                     slice, slice);
		product.x = panel_square_part(square, x, OPERAND_B, slice);
		if (seen.count == 0)
			first = product.x;
		panel_square_load(square, &product.x, slice, x->breadth);
		product.i = product.p = slice;
		product.beta = PANEL_ZERO;
		panel_square_use_diagonal(square, &product);
		product.beta = PANEL_ONE;
		product.i = seen;
		panel_square_multiply(square, &product);
		product.x = first;
		product.i = slice;
		product.p = seen;
		panel_square_multiply(square, &product);
	}
	panel_square_store(square, &product.z, (struct panel_span){0, square->depth}, z->breadth);
}

/*
 * The same slices from the other end: their rows of B are multiplied with whole columns of A, of
 * which earlier slices have brought the mirrored part. So no kernel has only a slice's rows, and
 * the last slice is the shortest.
 */
static void panel_symm_shrink(const struct panel_square *square, struct panel_factor *factor,
                              const struct panel_sliced *x, const struct panel_sliced *z)
{
	struct panel_product product = {.j = z->breadth, .alpha = PANEL_ALPHA, .beta = PANEL_ZERO};
	struct panel_span slice = {0, 0};
	product.z = panel_square_whole(square, z, OPERAND_C);
	while (panel_square_next(square, !square->lower, &slice)) {
		const struct panel_span left = panel_square_left(square, !square->lower, slice);
		product.factor = panel_square_supply(square, factor, panel_square_join(slice, left),
		                                     slice, slice);
		product.x = panel_square_part(square, x, OPERAND_B, slice);
		panel_square_load(square, &product.x, slice, x->breadth);
		product.i = product.p = slice;
		panel_square_use_diagonal(square, &product);
		product.i = left;
		panel_square_multiply(square, &product);
		product.i = panel_square_seen(square, !square->lower, slice);
		panel_square_multiply(square, &product);
		product.beta = PANEL_ONE;
	}
	panel_square_store(square, &product.z, (struct panel_span){0, square->depth}, z->breadth);
}

static void panel_symm_write_group(const struct panel_square *square, struct panel_factor *factor,
                                   const struct panel_sliced *x, const struct panel_sliced *z)
{
	if (factor->resident && square->slice * z->breadth.count < panel_square_busy_elements)
		panel_symm_shrink(square, factor, x, z);
	else
		panel_symm_grow(square, factor, x, z);
}

void panel_symm_write(struct panel_builder *builder, const struct panel_choice *choice)
{
	const struct panel_square square = panel_square_describe(builder, choice);
	panel_square_write(&square, choice, panel_symm_write_group);
}
