/* panel_square.h - products with a symmetric or triangular A on either side; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_SQUARE_H
#define GPUSHIM_POLICY_PLAN_PANEL_SQUARE_H

#include "policy/plan/panel_builder.h"

/*
 * Both sides are treated alike: E is op(A) if A is on the left, and its transpose if A is on the
 * right. E acts along the depth of the other matrices, their rows (left) or columns (right); along
 * their breadth all is independent.
 */
struct panel_square {
	struct panel_builder *builder;
	bool right;
	bool turned; /* E[i, p] is stored at A[p, i] */
	bool lower;  /* the blocks of E below its diagonal are those of A's named triangle */
	int64_t depth, breadth, slice;
};

/* A result of this many elements keeps a device busy; a slice of a narrow panel has less. */
static const int64_t panel_square_busy_elements = (int64_t)1 << 21;

struct panel_square panel_square_describe(struct panel_builder *builder,
                                          const struct panel_choice *choice);

/*
 * Moves *slice (zeroed at first) to the next slice of the depth, from its end if backward; false if
 * there is none.
 */
bool panel_square_next(const struct panel_square *square, bool backward, struct panel_span *slice);

/*
 * The part of the depth before the slice in the direction of travel (seen), and behind it (left).
 */
struct panel_span panel_square_seen(const struct panel_square *square, bool backward,
                                    struct panel_span slice);
struct panel_span panel_square_left(const struct panel_square *square, bool backward,
                                    struct panel_span slice);

/* Joins two neighbouring spans, in either order; either may be empty. */
struct panel_span panel_square_join(struct panel_span a, struct panel_span b);

/*
 * Memory for a matrix of `room` breadth, with a part (a buffer) for each slice of the depth: slices
 * of all matrices that take turns there have the same places.
 */
struct panel_sliced {
	int buffer, parts;
	int64_t room;
	struct panel_span breadth;
};
/* The operand that A is multiplied with: B, or the C that is overwritten. */
enum operand panel_square_find_second(const struct panel_square *square);

struct panel_sliced panel_square_add(const struct panel_square *square, int64_t breadth_count);

/* The matrix in that memory, ordered by the part of one slice or as a whole. */
struct panel_image panel_square_part(const struct panel_square *square,
                                     const struct panel_sliced *sliced, enum operand operand,
                                     struct panel_span slice);
struct panel_image panel_square_whole(const struct panel_square *square,
                                      const struct panel_sliced *sliced, enum operand operand);

/* Either all of A on the device (resident), or a few slices in turn. */
struct square_factor {
	bool resident;
	struct panel_sliced whole;
	struct panel_ring ring;
};

/*
 * Loads the block of A that is E[i, p] or its mirror image. number: the part of a resident A that
 * it becomes.
 */
struct panel_image panel_square_supply(const struct panel_square *square,
                                       struct square_factor *factor, struct panel_span i,
                                       struct panel_span p, struct panel_span number);

void panel_square_load(const struct panel_square *square, const struct panel_image *image,
                       struct panel_span depth, struct panel_span breadth);
void panel_square_store(const struct panel_square *square, const struct panel_image *image,
                        struct panel_span depth, struct panel_span breadth);

/*
 * z[i, j] := alpha E[i, p] x[p, j] + beta z[i, j]. panel_square_multiply, by gemm: the block of E
 * is on one side of the diagonal, or, of symm and hemm, its mirror image is.
 * panel_square_use_diagonal, by the routine of the family: i = p, a square on the diagonal (trmm:
 * beta is 0; trsm: no x). The images name the buffers that order the kernel.
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
 * Writes the steps, from loads to stores, for x->breadth of the matrices while A comes in slices.
 * trsm has z only.
 */
typedef void panel_group(const struct panel_square *square, struct square_factor *factor,
                         const struct panel_sliced *x, const struct panel_sliced *z);

/* Writers for symm and hemm, and for trmm and trsm. */
panel_writer panel_square_write_symmetric, panel_square_write_triangular;

/*
 * panel_square_write: a first group while A comes in, then panels of the breadth with all of A by
 * one kernel each (COLUMNS on the left, ROWS on the right). panel_square_write_blocks: BLOCKS.
 */
void panel_square_write(const struct panel_square *square, const struct panel_choice *choice,
                        panel_group *group);
void panel_square_write_blocks(const struct panel_square *square, const struct panel_choice *choice,
                               panel_group *group);

#endif
