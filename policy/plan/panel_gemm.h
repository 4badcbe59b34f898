/* panel_gemm.h - what the orders of a matrix product share: the two factors, and blocks of factors and of C; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_GEMM_H
#define GPUSHIM_POLICY_PLAN_PANEL_GEMM_H

#include "policy/plan/panel_builder.h"

/* op(A) or op(B): its own dimension, which is C's too (m or n), and k. */
struct gemm_factor {
	enum operand operand;
	int64_t size, k;
	bool k_is_column; /* as it is stored */
};

/* A rectangle of a factor, or of C, by the spans of its two dimensions. */
struct gemm_part {
	struct panel_span own, inner;
};

struct gemm_factor panel_gemm_find_factor(const struct panel_builder *builder,
                                          enum operand operand);

/* A buffer for own x inner elements of the factor. */
int panel_gemm_add_buffer(struct panel_builder *builder, const struct gemm_factor *factor,
                          int64_t own, int64_t inner);

/* The part as a tight block in a buffer. */
struct panel_image panel_gemm_place(const struct gemm_factor *factor, int buffer,
                                    struct gemm_part part);

/* The same for C. */
struct panel_image panel_gemm_place_c(int buffer, struct panel_span row, struct panel_span column);

/* Loads what the image begins with. */
void panel_gemm_load(struct panel_builder *builder, const struct gemm_factor *factor,
                     const struct panel_image *image, struct gemm_part part);

/*
 * C[row, column] := alpha op(A)[row, k] op(B)[k, column], or with more += so much. The images'
 * buffers are what the kernel waits for; what it reads may lie in front of them, in neighbours.
 */
struct gemm_product {
	struct panel_image a, b, c;
	struct panel_span row, column, k;
	bool more;
};
void panel_gemm_multiply(struct panel_builder *builder, const struct gemm_product *product);

/*
 * What blocks of such a choice, whose sizes are in bounds, come to, as if all were whole: elements
 * and steps that go up, blocks, the pieces (of so many columns) and slices of one, and whether
 * there is room for one block beside another and for slices ahead of the kernels. false where the
 * memory does not hold them.
 */
struct gemm_blocks_count {
	double load_elements, loads, blocks, pieces, piece, slices;
	bool beside, ahead;
};
bool panel_gemm_count_blocks(const struct panel_problem *problem, uint64_t memory_bytes,
                             const struct panel_choice *choice, struct gemm_blocks_count *count);

/* The orders; panel_gemm_write is for all of them. */
panel_writer panel_gemm_write, panel_gemm_write_rings, panel_gemm_write_blocks;

#endif
