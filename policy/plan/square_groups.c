/* square_groups.c - plans of symm, hemm, trmm and trsm: kernels while slices of A come in */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_square.h"

/*
 * A growing square of A: a slice of columns of the named triangle, from its end to the diagonal, is
 * multiplied with the rows of B of the slice and, mirrored, with the rows that came before. The
 * mirrored product names the first part of x, which the next panel in this memory begins with; the
 * other two kernels have waited for the slice itself.
 */
static void square_groups_grow(const struct panel_square *square, struct square_factor *factor,
                               const struct panel_sliced *x, const struct panel_sliced *z)
{
	struct square_product product = {.j = z->breadth, .alpha = PANEL_ALPHA};
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
 * The same slices from the other end: their rows of B are multiplied with whole columns of A, whose
 * mirrored part came with earlier slices. So no kernel has only the rows of a slice, and the last
 * slice is the shortest.
 */
static void square_groups_shrink(const struct panel_square *square, struct square_factor *factor,
                                 const struct panel_sliced *x, const struct panel_sliced *z)
{
	struct square_product product = {.j = z->breadth, .alpha = PANEL_ALPHA, .beta = PANEL_ZERO};
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

static void square_groups_add_symmetric(const struct panel_square *square,
                                        struct square_factor *factor, const struct panel_sliced *x,
                                        const struct panel_sliced *z)
{
	if (factor->resident && square->slice * z->breadth.count < panel_square_busy_elements)
		square_groups_shrink(square, factor, x, z);
	else
		square_groups_grow(square, factor, x, z);
}

void panel_square_write_symmetric(struct panel_builder *builder, const struct panel_choice *choice)
{
	const struct panel_square square = panel_square_describe(builder, choice);
	panel_square_write(&square, choice, square_groups_add_symmetric);
}

/*
 * From the wide end of the triangle: a slice of columns of E adds to all rows that were begun. No
 * row is complete before the last slice, and then all are stored at once, because rows must be
 * committed from the widest on.
 */
static void square_groups_multiply_by_columns(const struct panel_square *square,
                                              struct square_factor *factor,
                                              const struct panel_sliced *x,
                                              const struct panel_sliced *z)
{
	struct square_product product = {.j = z->breadth, .alpha = PANEL_ALPHA};
	struct panel_span slice = {0, 0};
	product.z = panel_square_whole(square, z, OPERAND_C);
	while (panel_square_next(square, square->lower, &slice)) {
		const struct panel_span seen = panel_square_seen(square, square->lower, slice);
		product.factor = panel_square_supply(square, factor, panel_square_join(seen, slice),
		                                     slice, slice);
		product.x = panel_square_part(square, x, OPERAND_C, slice);
		panel_square_load(square, &product.x, slice, x->breadth);
		product.p = product.i = slice;
		product.beta = PANEL_ZERO;
		panel_square_use_diagonal(square, &product);
		product.i = seen;
		product.beta = PANEL_ONE;
		panel_square_multiply(square, &product);
	}
	panel_square_store(square, &product.z, (struct panel_span){0, square->depth}, z->breadth);
}

/*
 * Loads all rows and returns the part of the last slice: whatever waits for it waits for all rows.
 */
static struct panel_image square_groups_load_panel(const struct panel_square *square,
                                                   const struct panel_sliced *x, bool backward)
{
	struct panel_image image = panel_square_whole(square, x, OPERAND_C);
	struct panel_span slice = {0, 0};
	while (panel_square_next(square, backward, &slice)) {
		image = panel_square_part(square, x, OPERAND_C, slice);
		panel_square_load(square, &image, slice, x->breadth);
	}
	return image;
}

/*
 * If all of B is narrow it comes first: then each slice of rows of E, from the widest on, completes
 * its rows.
 */
static void square_groups_multiply_by_rows(const struct panel_square *square,
                                           struct square_factor *factor,
                                           const struct panel_sliced *x,
                                           const struct panel_sliced *z)
{
	const struct panel_image last = square_groups_load_panel(square, x, square->lower);
	struct square_product product = {.j = z->breadth, .alpha = PANEL_ALPHA};
	struct panel_span slice = {0, 0};
	while (panel_square_next(square, square->lower, &slice)) {
		const struct panel_span left = panel_square_left(square, square->lower, slice);
		product.factor = panel_square_supply(square, factor, slice,
		                                     panel_square_join(slice, left), slice);
		product.x = panel_square_part(square, x, OPERAND_C, slice);
		product.z = panel_square_part(square, z, OPERAND_C, slice);
		product.i = product.p = slice;
		product.beta = PANEL_ZERO;
		panel_square_use_diagonal(square, &product);
		product.x = last;
		product.p = left;
		product.beta = PANEL_ONE;
		panel_square_multiply(square, &product);
		panel_square_store(square, &product.z, slice, z->breadth);
	}
}

/* The rows of a slice, times all that is left of them, must be worth a kernel of their own. */
enum { TRIANGLE_SLICE = 512 };

static void square_groups_multiply(const struct panel_square *square, struct square_factor *factor,
                                   const struct panel_sliced *x, const struct panel_sliced *z)
{
	const bool narrow = square->slice * z->breadth.count < panel_square_busy_elements;
	if (narrow && square->slice >= TRIANGLE_SLICE && z->breadth.count == square->breadth)
		square_groups_multiply_by_rows(square, factor, x, z);
	else
		square_groups_multiply_by_columns(square, factor, x, z);
}

/*
 * A slice of rows of E, from its tip on: the solved rows are subtracted from those of the slice,
 * which are then solved and complete. The products name the first part of z, which the next panel
 * in this memory begins with; the kernels of the slice have waited for the others.
 */
static void square_groups_solve_by_rows(const struct panel_square *square,
                                        struct square_factor *factor, const struct panel_sliced *z)
{
	struct square_product product = {.j = z->breadth, .beta = PANEL_ALPHA};
	struct panel_span slice = {0, 0};
	enum panel_scalar scale = PANEL_ALPHA;
	while (panel_square_next(square, !square->lower, &slice)) {
		const struct panel_span seen = panel_square_seen(square, !square->lower, slice);
		product.factor = panel_square_supply(square, factor, slice,
		                                     panel_square_join(seen, slice), slice);
		product.z = panel_square_part(square, z, OPERAND_C, slice);
		panel_square_load(square, &product.z, slice, z->breadth);
		product.i = slice;
		product.p = seen;
		product.alpha = PANEL_MINUS_ONE;
		if (seen.count == 0)
			product.x = product.z; /* x stays the first part */
		panel_square_multiply(square, &product);
		product.p = slice;
		product.alpha = scale;
		panel_square_use_diagonal(square, &product);
		panel_square_store(square, &product.z, slice, z->breadth);
		scale = PANEL_ONE;
	}
}

/*
 * A slice of columns of E: its rows are solved and complete, and are subtracted from all rows that
 * follow.
 */
static void square_groups_solve_by_columns(const struct panel_square *square,
                                           struct square_factor *factor,
                                           const struct panel_sliced *z)
{
	const struct panel_image last = square_groups_load_panel(square, z, !square->lower);
	struct square_product product = {.j = z->breadth};
	struct panel_span slice = {0, 0};
	enum panel_scalar scale = PANEL_ALPHA;
	while (panel_square_next(square, !square->lower, &slice)) {
		const struct panel_span left = panel_square_left(square, !square->lower, slice);
		product.factor = panel_square_supply(square, factor, panel_square_join(slice, left),
		                                     slice, slice);
		product.x = product.z = panel_square_part(square, z, OPERAND_C, slice);
		product.i = product.p = slice;
		product.alpha = scale;
		panel_square_use_diagonal(square, &product);
		panel_square_store(square, &product.z, slice, z->breadth);
		product.z = last;
		product.i = left;
		product.alpha = PANEL_MINUS_ONE;
		product.beta = scale;
		panel_square_multiply(square, &product);
		scale = PANEL_ONE;
	}
}

static void square_groups_solve(const struct panel_square *square, struct square_factor *factor,
                                const struct panel_sliced *x, const struct panel_sliced *z)
{
	(void)x;
	if (square->slice * z->breadth.count < panel_square_busy_elements)
		square_groups_solve_by_columns(square, factor, z);
	else
		square_groups_solve_by_rows(square, factor, z);
}

void panel_square_write_triangular(struct panel_builder *builder, const struct panel_choice *choice)
{
	const struct panel_square square = panel_square_describe(builder, choice);
	panel_square_write(&square, choice,
	                   builder->problem->family == FAMILY_TRSM ? square_groups_solve
	                                                           : square_groups_multiply);
}
