/* gpu_check_dense.c - small dense matrices in long double */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_dense.h"

#include <float.h>
#include <stdlib.h>

struct dense dense_make(int64_t rows, int64_t columns)
{
	const struct dense dense = {
		rows, columns, calloc((size_t)(rows * columns) + 1, sizeof(long double complex))};
	if (dense.x == NULL)
		abort();
	return dense;
}

void dense_free(struct dense *dense)
{
	free(dense->x);
	dense->x = NULL;
}

long double complex *dense_at(const struct dense *dense, int64_t row, int64_t column)
{
	return &dense->x[row + column * dense->rows];
}

static long double complex dense_get(const struct dense *a, enum transpose trans, int64_t row,
                                     int64_t column)
{
	if (trans == TRANSPOSE_N)
		return *dense_at(a, row, column);
	return trans == TRANSPOSE_C ? conjl(*dense_at(a, column, row)) : *dense_at(a, column, row);
}

struct dense dense_multiply(const struct dense *a, enum transpose trans, const struct dense *b)
{
	const bool plain = trans == TRANSPOSE_N;
	const int64_t rows = plain ? a->rows : a->columns, inner = plain ? a->columns : a->rows;
	const struct dense product = dense_make(rows, b->columns);
	for (int64_t j = 0; j < b->columns; j++)
		for (int64_t i = 0; i < rows; i++)
			for (int64_t l = 0; l < inner; l++)
				*dense_at(&product, i, j) +=
					dense_get(a, trans, i, l) * *dense_at(b, l, j);
	return product;
}

void dense_subtract(struct dense *a, const struct dense *b)
{
	for (int64_t i = 0; i < a->rows * a->columns; i++)
		a->x[i] -= b->x[i];
}

long double dense_norm(const struct dense *dense)
{
	long double most = 0;
	for (int64_t j = 0; j < dense->columns; j++) {
		long double sum = 0;
		for (int64_t i = 0; i < dense->rows; i++)
			sum += cabsl(*dense_at(dense, i, j));
		if (!(sum <= most))
			most = sum;
	}
	return most;
}

void dense_permute(struct dense *dense, const int64_t *pivots, int64_t count, bool back)
{
	for (int64_t step = 0; step < count; step++) {
		const int64_t row = back ? count - 1 - step : step, other = pivots[row] - 1;
		for (int64_t j = 0; j < dense->columns; j++) {
			const long double complex value = *dense_at(dense, row, j);
			*dense_at(dense, row, j) = *dense_at(dense, other, j);
			*dense_at(dense, other, j) = value;
		}
	}
}

long double dense_roundoff(enum element element)
{
	return element == ELEMENT_S || element == ELEMENT_C ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
}
