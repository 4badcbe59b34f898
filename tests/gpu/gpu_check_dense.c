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

/* Whether all imaginary parts are 0. */
static bool dense_is_real(const struct dense *dense)
{
	bool real = true;
	for (int64_t i = 0; real && i < dense->rows * dense->columns; i++)
		real = cimagl(dense->x[i]) == 0;
	return real;
}

/*
 * The sum of a[i * step] b[i], with separate real products: complex products in C handle
 * infinities specially. sign: -1 where A is to be conjugated.
 */
static long double complex dense_sum(const long double complex *a, int64_t step, long double sign,
                                     const long double complex *b, int64_t count)
{
	long double real = 0, imaginary = 0;
	for (int64_t i = 0; i < count; i++, a += step) {
		const long double x = creall(*a), y = sign * cimagl(*a);
		real += x * creall(b[i]) - y * cimagl(b[i]);
		imaginary += x * cimagl(b[i]) + y * creall(b[i]);
	}
	return CMPLXL(real, imaginary);
}

/* The sums of a[r * apart + i * step] b[i], r from 0 to 3: four at once wait less for memory. */
static void dense_sum_real(const long double complex *a, int64_t apart, int64_t step,
                           const long double complex *b, int64_t count, long double complex *to)
{
	long double sum[4] = {0, 0, 0, 0};
	for (int64_t i = 0; i < count; i++, a += step) {
		const long double x = creall(b[i]);
		sum[0] += creall(a[0]) * x;
		sum[1] += creall(a[apart]) * x;
		sum[2] += creall(a[2 * apart]) * x;
		sum[3] += creall(a[3 * apart]) * x;
	}
	for (int r = 0; r < 4; r++)
		to[r] = sum[r];
}

struct dense dense_multiply(const struct dense *a, enum transpose trans, const struct dense *b)
{
	const bool plain = trans == TRANSPOSE_N, real = dense_is_real(a) && dense_is_real(b);
	const int64_t rows = plain ? a->rows : a->columns, inner = plain ? a->columns : a->rows;
	const int64_t apart = plain ? 1 : a->rows, step = plain ? a->rows : 1;
	const long double sign = trans == TRANSPOSE_C ? -1 : 1;
	const struct dense product = dense_make(rows, b->columns);
	for (int64_t j = 0; j < b->columns; j++) {
		const long double complex *column = &b->x[j * b->rows];
		int64_t i = 0;
		for (; real && i + 4 <= rows; i += 4)
			dense_sum_real(&a->x[i * apart], apart, step, column, inner,
			               dense_at(&product, i, j));
		for (; i < rows; i++)
			*dense_at(&product, i, j) =
				dense_sum(&a->x[i * apart], step, sign, column, inner);
	}
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
