/* panel_update.h - products into one triangle of C; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_UPDATE_H
#define GPUSHIM_POLICY_PLAN_PANEL_UPDATE_H

#include "policy/plan/panel_builder.h"

/*
 * A factor has the rows (or columns) of C, and k. turned: it is stored as k x n. left, right: its
 * transposition as the first and as the second factor of a product.
 */
struct update_factor {
	enum operand operand;
	bool turned;
	enum transpose left, right;
};

/*
 * C[i, j] := sum over p of alpha L[i, p] R[j, p]', and of syr2k and her2k (twice) alpha' R[i, p]
 * L[j, p]' too. syrk and herk have one factor, which is both L and R.
 */
struct update_state {
	struct panel_builder *builder;
	struct update_factor factor[2];
	int factors;
	bool twice, lower;
	int64_t n, k;
};

struct update_state panel_update_describe(struct panel_builder *builder);

/* The span, counted from the other end of C if backward. */
struct panel_span panel_update_turn(const struct update_state *state, struct panel_span span,
                                    bool backward);

/* The rows of the triangle in these columns, the columns' own rows included. */
struct panel_span panel_update_column(const struct update_state *state, struct panel_span slice);

/*
 * Loads a block of a factor: whole: as a part of the image of the whole factor in the buffer; else
 * as the only content of the buffer.
 */
struct panel_image panel_update_load(const struct update_state *state,
                                     const struct update_factor *factor, int buffer, bool whole,
                                     struct panel_span i, struct panel_span p);

/*
 * C[i, j] := product + beta C[i, j]: panel_update_multiply for a rectangle that may meet the
 * diagonal (both of its sides are written), panel_update_diagonal for the triangle of i x i. rows
 * and columns: the images of the factors for the rows and for the columns of C.
 */
struct update_product {
	struct panel_image rows[2], columns[2], c;
	struct panel_span i, j, p;
	enum panel_scalar beta;
};
void panel_update_multiply(const struct update_state *state, const struct update_product *product);
void panel_update_diagonal(const struct update_state *state, const struct update_product *product);

/* The writer for syrk, herk, syr2k, her2k and gemmt; then those of its orders. */
panel_writer panel_update_write;

void panel_update_write_rings(const struct update_state *state, const struct panel_choice *choice);
void panel_update_write_columns(const struct update_state *state,
                                const struct panel_choice *choice);
void panel_update_write_blocks(const struct update_state *state, const struct panel_choice *choice);

#endif
