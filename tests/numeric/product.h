/* product.h - a routine's arithmetic as products of two factors, and their rounding errors */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_PRODUCT_H
#define GPUSHIM_TESTS_NUMERIC_PRODUCT_H

#include "grid.h"

/* One factor as it is used: op(grid). */
struct factor {
	struct grid grid;
	const char *base;
	bool turned, conjugated;
};

/* left times right, summed over terms. */
struct product {
	struct factor left, right;
	int64_t terms;
};

/*
 * The products that the elements of a result are alpha times the sum of; inputs are read from
 * before, and C of trmm too. Of trsm it is the product that gives C back, so its C is read from
 * solution. Returns how many.
 */
int product_find(const struct trial *t, int problem, const char *before, const char *solution,
                 struct product product[2]);

double complex product_read(const struct factor *factor, int64_t i, int64_t j);

/* Whether the element lies outside the triangle. */
bool product_is_void(const struct factor *factor, int64_t i, int64_t j);

/* The Euclidean norm of row i of left, or of column j of right. */
double product_norm(const struct product *product, bool left, int64_t index);

/* Sum of the products of row i and column j. */
long double complex product_sum(const struct product *product, int64_t i, int64_t j);

#endif
