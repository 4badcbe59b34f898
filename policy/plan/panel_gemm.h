/* panel_gemm.h - factors and blocks of a matrix product; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_GEMM_H
#define GPUSHIM_POLICY_PLAN_PANEL_GEMM_H

#include "policy/plan/panel_builder.h"

/* op(A) or op(B): its own dimension, which it shares with C (m or n), and k. */
struct gemm_factor {
	enum operand operand;
	int64_t size, k;
	bool k_is_column; /* k is the column index of the stored matrix */
};

/* A rectangle of a factor: a span of its own dimension and one of k (inner). */
struct gemm_part {
	struct panel_span own, inner;
};

struct gemm_factor panel_gemm_find_factor(const struct panel_builder *builder,
                                          enum operand operand);

/* Adds a buffer for own x inner elements of the factor and returns its number. */
int panel_gemm_add_buffer(struct panel_builder *builder, const struct gemm_factor *factor,
                          int64_t own, int64_t inner);

/*
 * Slices of k. The first ones are smaller, because no kernel runs before they are loaded, and so
 * are the last ones, because what follows waits for their kernels.
 */
struct panel_cut panel_gemm_cut_k(int64_t k, int64_t slice);
/* Slices of k of a panel or ring behind the first group; last: no other one follows. */
struct panel_cut panel_gemm_cut_tail(int64_t k, const struct panel_choice *choice, bool last);

/* The part as a block without gaps at the beginning of a buffer. */
struct panel_image panel_gemm_place(const struct gemm_factor *factor, int buffer,
                                    struct gemm_part part);

/* The same for C. */
struct panel_image panel_gemm_place_c(int buffer, struct panel_span row, struct panel_span column);

/* Adds the load of a part that an image begins with. */
void panel_gemm_load(struct panel_builder *builder, const struct gemm_factor *factor,
                     const struct panel_image *image, struct gemm_part part);

/*
 * C[row, column] := alpha op(A)[row, k] op(B)[k, column], or += if more. The kernel waits for the
 * buffers of the images; it may read neighbouring buffers before them too.
 */
struct gemm_product {
	struct panel_image a, b, c;
	struct panel_span row, column, k;
	bool more;
};
void panel_gemm_multiply(struct panel_builder *builder, const struct gemm_product *product);

/*
 * Totals of a plan in blocks, as if all blocks were whole: elements and steps that go up, blocks,
 * pieces per block (of `piece` columns) and slices per block; whether there is room for a second
 * block (beside), and for slices ahead of the kernels. The choice is in bounds. false if the memory
 * does not hold one block.
 */
struct gemm_blocks_count {
	double load_elements, loads, blocks, pieces, piece, slices;
	bool beside, ahead;
};
bool panel_gemm_count_blocks(const struct panel_problem *problem, uint64_t memory_bytes,
                             const struct panel_choice *choice, struct gemm_blocks_count *count);

/* Writers: panel_gemm_write for every order; the others for RINGS and BLOCKS. */
panel_writer panel_gemm_write, panel_gemm_write_rings, panel_gemm_write_blocks;

#endif
