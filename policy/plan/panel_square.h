/* panel_square.h - products with a symmetric or triangular A on either side of a matrix; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_SQUARE_H
#define GPUSHIM_POLICY_PLAN_PANEL_SQUARE_H

#include "policy/plan/panel_builder.h"

/*
 * Both sides are one: E is op(A) with A on the left, its transpose with A on the right. E works
 * along the depth of the other matrices, their rows (left) or columns (right); along their breadth
 * everything is independent.
 */
struct panel_square {
	struct panel_builder *builder;
	bool right;
	bool turned; /* E[i, p] is stored at A[p, i] */
	bool lower;  /* the blocks of E below its diagonal are those of A's named triangle */
	int64_t depth, breadth, slice;
};

/* Results of so many elements keep a device busy; a slice of a narrow panel has less. */
static const int64_t panel_square_busy_elements = (int64_t)1 << 21;

struct panel_square panel_square_describe(struct panel_builder *builder,
                                          const struct panel_choice *choice);

/*
 * The next slice of the depth, counted from its other end where backward (begin with zeros); false:
 * there is none.
 */
bool panel_square_next(const struct panel_square *square, bool backward, struct panel_span *slice);

/* What lies behind or before a slice, on the side that it comes from (seen) or goes to (left). */
struct panel_span panel_square_seen(const struct panel_square *square, bool backward,
                                    struct panel_span slice);
struct panel_span panel_square_left(const struct panel_square *square, bool backward,
                                    struct panel_span slice);

/* Two neighbours as one, in either order; either may be empty. */
struct panel_span panel_square_join(struct panel_span a, struct panel_span b);

/*
 * Memory for a matrix or room of its breadth, with a part (a buffer of its own) for each slice of
 * the depth: so the slices of all that takes turns there lie in the same places.
 */
struct panel_sliced {
	int buffer, parts;
	int64_t room;
	struct panel_span breadth;
};
struct panel_sliced panel_square_add(const struct panel_square *square, int64_t breadth_count);

/* The matrix as it lies there, for use together with that slice, or with all of it. */
struct panel_image panel_square_part(const struct panel_square *square,
                                     const struct panel_sliced *sliced, enum operand operand,
                                     struct panel_span slice);
struct panel_image panel_square_whole(const struct panel_square *square,
                                      const struct panel_sliced *sliced, enum operand operand);

/* All of A, or a few of its slices in turn. */
struct square_factor {
	bool resident;
	struct panel_sliced whole;
	struct panel_ring ring;
};

/*
 * Loads the block of A that is E[i, p], or whose mirror image it is. number: whose part of a
 * resident A it becomes.
 */
struct panel_image panel_square_supply(const struct panel_square *square,
                                       struct square_factor *factor, struct panel_span i,
                                       struct panel_span p, struct panel_span number);

void panel_square_load(const struct panel_square *square, const struct panel_image *image,
                       struct panel_span depth, struct panel_span breadth);
void panel_square_store(const struct panel_square *square, const struct panel_image *image,
                        struct panel_span depth, struct panel_span breadth);

/*
 * z[i, j] := alpha E[i, p] x[p, j] + beta z[i, j], where the block of E lies on one side of the
 * diagonal (by gemm; of symm and hemm it may be the mirrored one) or is i = p, a square on it (by
 * the family's kernel; trmm: beta is 0, trsm: no x). Images name the buffers that the kernel is
 * ordered by.
 */
struct square_product {
	struct panel_image factor, x, z;
	struct panel_span i, p, j;
	enum panel_scalar alpha, beta;
};
void panel_square_multiply(const struct panel_square *square, const struct square_product *product);
void panel_square_use_diagonal(const struct panel_square *square,
                               const struct square_product *product);

/*
 * Writes the steps for x->breadth of the matrices, from the loads to the stores, while A comes in
 * slices. trsm has only z.
 */
typedef void panel_group(const struct panel_square *square, struct square_factor *factor,
                         const struct panel_sliced *x, const struct panel_sliced *z);

/* symm and hemm; trmm and trsm. */
panel_writer panel_square_write_symmetric, panel_square_write_triangular;

/*
 * Writes a plan: a first group while A comes in, then panels of the breadth with all of A by one
 * kernel each (COLUMNS on the left, ROWS on the right); or all panels as groups (BLOCKS).
 */
void panel_square_write(const struct panel_square *square, const struct panel_choice *choice,
                        panel_group *group);
void panel_square_write_blocks(const struct panel_square *square, const struct panel_choice *choice,
                               panel_group *group);

#endif
