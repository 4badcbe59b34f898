/* product.c - a routine's arithmetic as products of two factors */
/* SPDX-License-Identifier: Apache-2.0 */
#include "product.h"

#include <math.h>

static struct factor product_make_factor(const struct trial *t, int problem, enum operand operand,
                                         const char *arena, enum transpose transpose)
{
	struct factor factor = {.base = arena + t->offset[operand][problem],
	                        .turned = transpose != TRANSPOSE_N,
	                        .conjugated = transpose == TRANSPOSE_C};
	grid_find(t, &t->group[t->group_of[problem]], operand, &factor.grid);
	return factor;
}

/*
 * A A' and A' A, or with another second factor; of Hermitian updates ' is the conjugate transpose.
 */
static int product_find_update(const struct trial *t, int problem, const char *before,
                               struct product product[2])
{
	const struct trial_group *g = &t->group[t->group_of[problem]];
	const bool hermitian = t->row->family == FAMILY_HERK || t->row->family == FAMILY_HER2K;
	const bool twice = t->row->family == FAMILY_SYR2K || t->row->family == FAMILY_HER2K;
	const enum transpose other = hermitian ? TRANSPOSE_C : TRANSPOSE_T;
	const enum transpose left = g->transa == TRANSPOSE_N ? TRANSPOSE_N : other;
	const enum transpose right = g->transa == TRANSPOSE_N ? other : TRANSPOSE_N;
	const enum operand second = twice ? OPERAND_B : OPERAND_A;
	for (int i = 0; i < 1 + twice; i++)
		product[i] = (struct product){
			product_make_factor(t, problem, i == 0 ? OPERAND_A : OPERAND_B, before,
		                            left),
			product_make_factor(t, problem, i == 0 ? second : OPERAND_A, before, right),
			g->k};
	return 1 + twice;
}

int product_find(const struct trial *t, int problem, const char *before, const char *solution,
                 struct product product[2])
{
	const struct trial_group *g = &t->group[t->group_of[problem]];
	const enum family family = t->row->family;
	if (family == FAMILY_SYRK || family == FAMILY_HERK || family == FAMILY_SYR2K ||
	    family == FAMILY_HER2K)
		return product_find_update(t, problem, before, product);
	const bool in_place = family_is_in_place(family),
		   square = in_place || t->row->shape == SHAPE_SYMM;
	const struct factor a = product_make_factor(t, problem, OPERAND_A, before, g->transa);
	const struct factor b =
		in_place ? product_make_factor(t, problem, OPERAND_C,
	                                       family == FAMILY_TRSM ? solution : before,
	                                       TRANSPOSE_N)
			 : product_make_factor(t, problem, OPERAND_B, before, g->transb);
	const bool right = square && t->side == SIDE_RIGHT;
	product[0] = (struct product){right ? b : a, right ? a : b, g->k};
	return 1;
}

double complex product_read(const struct factor *factor, int64_t i, int64_t j)
{
	const double complex value = factor->turned ? grid_read(&factor->grid, factor->base, j, i)
	                                            : grid_read(&factor->grid, factor->base, i, j);
	return factor->conjugated ? conj(value) : value;
}

bool product_is_void(const struct factor *factor, int64_t i, int64_t j)
{
	const struct grid *grid = &factor->grid;
	const int64_t row = factor->turned ? j : i, column = factor->turned ? i : j;
	return grid->kind == GRID_TRIANGULAR && (grid->upper ? row > column : row < column);
}

double product_norm(const struct product *product, bool left, int64_t index)
{
	double sum = 0;
	for (int64_t l = 0; l < product->terms; l++) {
		const double complex value = left ? product_read(&product->left, index, l)
		                                  : product_read(&product->right, l, index);
		sum += creal(value) * creal(value) + cimag(value) * cimag(value);
	}
	return sqrt(sum);
}

long double complex product_sum(const struct product *product, int64_t i, int64_t j)
{
	long double re = 0, im = 0;
	for (int64_t l = 0; l < product->terms; l++) {
		const double complex x = product_read(&product->left, i, l),
				     y = product_read(&product->right, l, j);
		re += (long double)creal(x) * creal(y) - (long double)cimag(x) * cimag(y);
		im += (long double)creal(x) * cimag(y) + (long double)cimag(x) * creal(y);
	}
	return CMPLXL(re, im);
}
