/* panel_update.h - products of factors that share C's rows and columns, into one triangle of it; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_UPDATE_H
#define GPUSHIM_POLICY_PLAN_PANEL_UPDATE_H

#include "policy/plan/panel_builder.h"

/*
 * A factor has C's rows (or columns) and k; turned: it is stored with k along its columns' length.
 */
struct update_factor {
	enum operand operand;
	bool turned;
	enum transpose left, right; /* as the first and as the second factor of a product */
};

/*
 * C[i, j] := the sum over p of alpha L[i, p] R[j, p]' and, of syr2k and her2k (twice), of alpha'
 * R[i, p] L[j, p]'. syrk and herk have one factor, which is both.
 */
struct update_state {
	struct panel_builder *builder;
	struct update_factor factor[2];
	int factors;
	bool twice, lower;
	int64_t n, k;
};

struct update_state panel_update_describe(struct panel_builder *builder);

/* The span counted from the other end of C where backward. */
struct panel_span panel_update_turn(const struct update_state *state, struct panel_span span,
                                    bool backward);

/* The rows that the triangle has in these columns, their own included. */
struct panel_span panel_update_column(const struct update_state *state, struct panel_span slice);

/*
 * Loads a factor's block: to a part of an image of the whole factor that is in the buffer, or as
 * all that is there.
 */
struct panel_image panel_update_load(const struct update_state *state,
                                     const struct update_factor *factor, int buffer, bool whole,
                                     struct panel_span i, struct panel_span p);

/*
 * C[i, j] := ... + beta C[i, j], of a rectangle that may meet the diagonal (both sides of it are
 * written there), or of the triangle of i x i. rows and columns: the factors as they lie where C's
 * rows and where its columns ask for them.
 */
struct update_product {
	struct panel_image rows[2], columns[2], c;
	struct panel_span i, j, p;
	enum panel_scalar beta;
};
void panel_update_multiply(const struct update_state *state, const struct update_product *product);
void panel_update_diagonal(const struct update_state *state, const struct update_product *product);

/* syrk, herk, syr2k, her2k and gemmt. */
panel_writer panel_update_write;

void panel_update_write_rings(const struct update_state *state, const struct panel_choice *choice);
void panel_update_write_columns(const struct update_state *state,
                                const struct panel_choice *choice);
void panel_update_write_blocks(const struct update_state *state, const struct panel_choice *choice);

#endif
