/* lapack_dense.c - dense matrices of the tests' own: products, norms, reflections */
/* SPDX-License-Identifier: Apache-2.0 */
#include "lapack_dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DENSE_ELEMENTS = 4 << 20 };

static double complex *dense_pool;
static size_t dense_used;

void dense_reset(void)
{
	dense_used = 0;
}

struct dense dense_make(int64_t rows, int64_t columns)
{
	const size_t count = (size_t)(rows * columns);
	if (dense_pool == NULL)
		dense_pool = malloc(DENSE_ELEMENTS * sizeof *dense_pool);
	if (dense_pool == NULL || dense_used + count > DENSE_ELEMENTS) {
		fprintf(stderr, "no memory for a matrix\n");
		exit(3);
	}
	struct dense x = {rows, columns, dense_pool + dense_used};
	dense_used += count;
	for (size_t i = 0; i < count; i++)
		x.at[i] = 0;
	return x;
}

struct dense dense_identity(int64_t rows, int64_t columns)
{
	struct dense x = dense_make(rows, columns);
	for (int64_t i = 0; i < rows && i < columns; i++)
		*dense_at(x, i, i) = 1;
	return x;
}

struct dense dense_take(struct dense x, int64_t columns)
{
	x.columns = columns;
	return x;
}

struct dense dense_transpose(struct dense x, bool conjugates)
{
	struct dense y = dense_make(x.columns, x.rows);
	for (int64_t j = 0; j < x.columns; j++)
		for (int64_t i = 0; i < x.rows; i++)
			*dense_at(y, j, i) =
				conjugates ? conj(*dense_at(x, i, j)) : *dense_at(x, i, j);
	return y;
}

struct dense dense_multiply(struct dense x, enum form form_x, struct dense y, enum form form_y)
{
	if (form_x == FORM_ADJOINT)
		x = dense_transpose(x, true);
	if (form_y == FORM_ADJOINT)
		y = dense_transpose(y, true);
	struct dense z = dense_make(x.rows, y.columns);
	for (int64_t j = 0; j < y.columns; j++)
		for (int64_t l = 0; l < x.columns; l++) {
			const double complex factor = *dense_at(y, l, j);
			const double complex *from = dense_at(x, 0, l);
			double complex *to = dense_at(z, 0, j);
			for (int64_t i = 0; i < x.rows; i++)
				to[i] += from[i] * factor;
		}
	return z;
}

struct dense dense_subtract(struct dense x, struct dense y)
{
	struct dense z = dense_make(x.rows, x.columns);
	for (int64_t i = 0; i < x.rows * x.columns; i++)
		z.at[i] = x.at[i] - y.at[i];
	return z;
}

/* A NaN makes the norm NaN. */
double dense_norm(struct dense x)
{
	double norm = 0;
	for (int64_t j = 0; j < x.columns; j++) {
		double sum = 0;
		for (int64_t i = 0; i < x.rows; i++)
			sum += hypot(creal(*dense_at(x, i, j)), cimag(*dense_at(x, i, j)));
		if (isnan(sum) || sum > norm)
			norm = sum;
		if (isnan(norm))
			break;
	}
	return norm;
}

bool dense_is_finite(struct dense x)
{
	for (int64_t i = 0; i < x.rows * x.columns; i++)
		if (!isfinite(creal(x.at[i])) || !isfinite(cimag(x.at[i])))
			return false;
	return true;
}

void dense_scale_columns(struct dense x, const double *values)
{
	for (int64_t j = 0; j < x.columns; j++)
		for (int64_t i = 0; i < x.rows; i++)
			*dense_at(x, i, j) *= values[j];
}

void dense_reflect(struct dense x, int64_t first, const double complex *v, double complex tau)
{
	for (int64_t j = 0; j < x.columns; j++) {
		double complex sum = *dense_at(x, first, j);
		for (int64_t i = first + 1; i < x.rows; i++)
			sum += conj(v[i - first]) * *dense_at(x, i, j);
		sum *= tau;
		*dense_at(x, first, j) -= sum;
		for (int64_t i = first + 1; i < x.rows; i++)
			*dense_at(x, i, j) -= v[i - first] * sum;
	}
}

struct dense dense_read(const struct trial *t, enum copy copy, enum slot slot)
{
	const struct operand *o = &t->operand[slot];
	struct dense x = dense_make(o->rows, o->columns);
	for (int64_t j = 0; j < x.columns; j++)
		for (int64_t i = 0; i < x.rows; i++)
			*dense_at(x, i, j) = memory_get(t, copy, slot, i, j);
	return x;
}

struct dense dense_read_triangle(const struct trial *t, enum copy copy, enum slot slot, bool upper,
                                 bool unit)
{
	const struct operand *o = &t->operand[slot];
	struct dense x = dense_make(o->rows, o->columns);
	for (int64_t j = 0; j < x.columns; j++)
		for (int64_t i = 0; i < x.rows; i++)
			if (i == j && unit)
				*dense_at(x, i, j) = 1;
			else if (upper ? i <= j : i >= j)
				*dense_at(x, i, j) = memory_get(t, copy, slot, i, j);
	return x;
}

struct dense dense_read_hermitian(const struct trial *t, enum copy copy, enum slot slot, bool upper)
{
	struct dense x = dense_read_triangle(t, copy, slot, upper, false);
	for (int64_t j = 0; j < x.columns; j++) {
		*dense_at(x, j, j) = creal(*dense_at(x, j, j));
		for (int64_t i = 0; i < j; i++)
			if (upper)
				*dense_at(x, j, i) = conj(*dense_at(x, i, j));
			else
				*dense_at(x, i, j) = conj(*dense_at(x, j, i));
	}
	return x;
}
