/* panel_update.c - plans of rank updates and gemmt, which compute one triangle of C */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_update.h"

static struct update_factor panel_update_describe_factor(const struct panel_problem *problem,
                                                         enum operand operand)
{
	const struct blas_call *blas = &problem->blas;
	const enum transpose turning =
		family_is_hermitian(problem->family) ? TRANSPOSE_C : TRANSPOSE_T;
	struct update_factor factor = {.operand = operand, .turned = blas->transa != TRANSPOSE_N};
	factor.left = factor.turned ? turning : TRANSPOSE_N;
	factor.right = factor.turned ? TRANSPOSE_N : turning;
	if (problem->family != FAMILY_GEMMT)
		return factor;
	factor.left = blas->transa;
	factor.right = blas->transb;
	if (operand == OPERAND_B)
		factor.turned = blas->transb == TRANSPOSE_N;
	return factor;
}

struct update_state panel_update_describe(struct panel_builder *builder)
{
	const struct panel_problem *problem = builder->problem;
	struct update_state state = {
		.builder = builder, .factors = 1, .n = problem->blas.n, .k = problem->blas.k};
	state.twice = family_is_twice(problem->family);
	state.lower = problem->blas.uplo == UPLO_LOWER;
	if (state.twice || problem->family == FAMILY_GEMMT)
		state.factors = 2;
	for (int number = 0; number < state.factors; number++)
		state.factor[number] =
			panel_update_describe_factor(problem, number == 0 ? OPERAND_A : OPERAND_B);
	return state;
}

struct panel_span panel_update_turn(const struct update_state *state, struct panel_span span,
                                    bool backward)
{
	if (backward)
		span.begin = state->n - span.begin - span.count;
	return span;
}

struct panel_span panel_update_column(const struct update_state *state, struct panel_span slice)
{
	const int64_t end = slice.begin + slice.count;
	return state->lower ? (struct panel_span){slice.begin, state->n - slice.begin}
	                    : (struct panel_span){0, end};
}

struct panel_image panel_update_load(const struct update_state *state,
                                     const struct update_factor *factor, int buffer, bool whole,
                                     struct panel_span i, struct panel_span p)
{
	const struct panel_span row = factor->turned ? p : i, column = factor->turned ? i : p;
	struct panel_image image = {factor->operand, buffer, row.begin, column.begin, row.count};
	if (whole) {
		image.buffer = panel_builder_add_part(state->builder, buffer);
		image.first_row = image.first_column = 0;
		image.ld = factor->turned ? state->k : state->n;
	}
	panel_builder_load(state->builder, &image, row, column);
	return image;
}

static struct panel_block panel_update_find(const struct update_state *state,
                                            const struct update_factor *factor,
                                            const struct panel_image *image, struct panel_span i,
                                            struct panel_span p)
{
	return factor->turned ? panel_builder_find(state->builder, image, p, i)
	                      : panel_builder_find(state->builder, image, i, p);
}

static void panel_update_multiply_once(const struct update_state *state,
                                       const struct update_product *product, int left,
                                       enum panel_scalar alpha, enum panel_scalar beta)
{
	const int right = state->factors - 1 - left;
	const struct update_factor *x = &state->factor[left], *y = &state->factor[right];
	const struct panel_image *rows = &product->rows[left], *columns = &product->columns[right];
	struct panel_work work = {
		.family = FAMILY_GEMM, .alpha = alpha, .beta = beta, .has_y = true};
	work.transx = x->left;
	work.transy = y->right;
	work.x = panel_update_find(state, x, rows, product->i, product->p);
	work.y = panel_update_find(state, y, columns, product->j, product->p);
	work.z = panel_builder_find(state->builder, &product->c, product->i, product->j);
	panel_builder_work(state->builder, &work, rows->buffer, columns->buffer, product->c.buffer);
}

void panel_update_multiply(const struct update_state *state, const struct update_product *product)
{
	const bool conjugate = family_is_hermitian(state->builder->problem->family);
	panel_update_multiply_once(state, product, 0, PANEL_ALPHA, product->beta);
	if (state->twice)
		panel_update_multiply_once(state, product, 1,
		                           conjugate ? PANEL_ALPHA_CONJUGATE : PANEL_ALPHA,
		                           PANEL_ONE);
}

/*
 * gemmt has no kernel on the device: the square is cut into pieces of columns, each with the rows
 * on its side of the diagonal.
 */
enum { UPDATE_PIECES = 16, UPDATE_PIECE_LEAST = 1024 };

static void panel_update_multiply_pieces(const struct update_state *state,
                                         const struct update_product *product)
{
	const int64_t end = product->i.begin + product->i.count;
	const int64_t share = (product->i.count / UPDATE_PIECES / PANEL_GRAIN + 1) * PANEL_GRAIN;
	const int64_t piece = share > UPDATE_PIECE_LEAST ? share : UPDATE_PIECE_LEAST;
	struct update_product part = *product;
	for (int64_t begin = product->i.begin; begin < end; begin += piece) {
		part.j = (struct panel_span){begin, end - begin < piece ? end - begin : piece};
		part.i = part.j;
		part.i.begin = state->lower ? begin : product->i.begin;
		part.i.count = state->lower ? end - begin : begin + part.j.count - product->i.begin;
		panel_update_multiply(state, &part);
	}
}

void panel_update_diagonal(const struct update_state *state, const struct update_product *product)
{
	const struct panel_problem *problem = state->builder->problem;
	struct panel_work work = {.family = problem->family,
	                          .transx = problem->blas.transa,
	                          .transy = problem->blas.transa,
	                          .alpha = PANEL_ALPHA,
	                          .beta = product->beta,
	                          .has_y = state->twice};
	if (problem->family == FAMILY_GEMMT) {
		panel_update_multiply_pieces(state, product);
		return;
	}
	work.x = panel_update_find(state, &state->factor[0], &product->rows[0], product->i,
	                           product->p);
	if (state->twice)
		work.y = panel_update_find(state, &state->factor[1], &product->rows[1], product->i,
		                           product->p);
	work.z = panel_builder_find(state->builder, &product->c, product->i, product->i);
	panel_builder_work(state->builder, &work, product->rows[0].buffer,
	                   product->rows[state->factors - 1].buffer, product->c.buffer);
}

void panel_update_write(struct panel_builder *builder, const struct panel_choice *choice)
{
	const struct update_state state = panel_update_describe(builder);
	if (choice->order == PANEL_ORDER_RINGS)
		panel_update_write_rings(&state, choice);
	else if (choice->order == PANEL_ORDER_COLUMNS)
		panel_update_write_columns(&state, choice);
	else
		panel_update_write_blocks(&state, choice);
}
