/* panel_kernel.c - the kernels of plans as plain loops */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "panel_run.h"

#undef I

/* Columns that are added at once. */
enum { KERNEL_MANY = 4 };

/* How a matrix is read as a factor. */
enum kernel_shape { KERNEL_GENERAL, KERNEL_SYMMETRIC, KERNEL_HERMITIAN, KERNEL_TRIANGULAR };

static bool kernel_is_named(enum uplo uplo, int64_t row, int64_t column)
{
	return uplo == UPLO_UPPER ? row <= column : row >= column;
}

static double complex kernel_read(const struct panel_kernel *kernel, const struct panel_matrix *x,
                                  enum kernel_shape shape, int64_t row, int64_t column)
{
	const bool named =
		shape == KERNEL_GENERAL || kernel_is_named(kernel->flags.uplo, row, column);
	if (shape == KERNEL_TRIANGULAR && row == column && kernel->flags.diag == DIAG_UNIT)
		return 1;
	if (!named && shape == KERNEL_TRIANGULAR)
		return 0;
	const double complex value =
		named ? x->element[row + column * x->ld] : x->element[column + row * x->ld];
	if (shape == KERNEL_HERMITIAN && row == column)
		return creal(value);
	return shape == KERNEL_HERMITIAN && !named ? conj(value) : value;
}

/* op(x) with all its elements, in memory of its own. */
static struct panel_matrix kernel_expand(const struct panel_kernel *kernel,
                                         const struct panel_matrix *x, enum kernel_shape shape,
                                         enum transpose transpose)
{
	const bool turned = transpose != TRANSPOSE_N;
	struct panel_matrix full = {turned ? x->columns : x->rows, turned ? x->rows : x->columns, 0,
	                            NULL};
	full.ld = full.rows;
	full.element =
		malloc(((size_t)full.rows * (size_t)full.columns + 1) * sizeof *full.element);
	for (int64_t column = 0; column < full.columns && full.element != NULL; column++)
		for (int64_t row = 0; row < full.rows; row++) {
			const double complex value = kernel_read(
				kernel, x, shape, turned ? column : row, turned ? row : column);
			full.element[row + column * full.ld] =
				transpose == TRANSPOSE_C ? conj(value) : value;
		}
	return full;
}

/*
 * z[, column] += scale x[, p], with separate real products: complex products in C handle infinities
 * specially.
 */
static void kernel_add_column(double complex *z, const double complex *x, double complex scale,
                              int64_t count)
{
	double *restrict to = (double *)z;
	const double *restrict from = (const double *)x;
	const double real = creal(scale), imaginary = cimag(scale);
	for (int64_t i = 0; i < 2 * count; i += 2) {
		to[i] += real * from[i] - imaginary * from[i + 1];
		to[i + 1] += real * from[i + 1] + imaginary * from[i];
	}
}

/* The same of KERNEL_MANY columns of x from p on, so that z is read and written once for all. */
static void kernel_add_columns(double complex *z, const struct panel_matrix *x, int64_t p,
                               const double complex scale[KERNEL_MANY])
{
	double *restrict to = (double *)z;
	const double *from[KERNEL_MANY];
	double real[KERNEL_MANY], imaginary[KERNEL_MANY];
	for (int each = 0; each < KERNEL_MANY; each++) {
		from[each] = (const double *)&x->element[(p + each) * x->ld];
		real[each] = creal(scale[each]);
		imaginary[each] = cimag(scale[each]);
	}
	for (int64_t i = 0; i < 2 * x->rows; i += 2) {
		double sum_real = to[i], sum_imaginary = to[i + 1];
		for (int each = 0; each < KERNEL_MANY; each++) {
			const double a = from[each][i], b = from[each][i + 1];
			sum_real += real[each] * a - imaginary[each] * b;
			sum_imaginary += real[each] * b + imaginary[each] * a;
		}
		to[i] = sum_real;
		to[i + 1] = sum_imaginary;
	}
}

static void kernel_multiply_column(double complex *z, double complex alpha,
                                   const struct panel_matrix *x, const double complex *y)
{
	int64_t p = 0;
	for (; p + KERNEL_MANY <= x->columns; p += KERNEL_MANY) {
		double complex scale[KERNEL_MANY];
		for (int each = 0; each < KERNEL_MANY; each++)
			scale[each] = alpha * y[p + each];
		kernel_add_columns(z, x, p, scale);
	}
	for (; p < x->columns; p++)
		kernel_add_column(z, &x->element[p * x->ld], alpha * y[p], x->rows);
}

/* z += alpha x y, of expanded factors. Frees both. */
static void kernel_multiply(const struct panel_matrix *z, double complex alpha,
                            struct panel_matrix x, struct panel_matrix y)
{
	for (int64_t column = 0; column < z->columns; column++)
		kernel_multiply_column(&z->element[column * z->ld], alpha, &x,
		                       &y.element[column * y.ld]);
	free(x.element);
	free(y.element);
}

static void kernel_scale(const struct panel_matrix *z, double complex beta)
{
	for (int64_t column = 0; column < z->columns; column++)
		for (int64_t row = 0; row < z->rows; row++) {
			double complex *at = &z->element[row + column * z->ld];
			*at = beta == 0 ? 0 : beta * *at;
		}
}

/* Solves for the rows of z (left) or its columns, in the order of their dependencies. */
static void kernel_solve(const struct panel_kernel *kernel)
{
	const struct panel_matrix *z = &kernel->z;
	const bool left = kernel->flags.side == SIDE_LEFT;
	const bool lower =
		(kernel->flags.uplo == UPLO_LOWER) == (kernel->flags.transa == TRANSPOSE_N);
	const struct panel_matrix x =
		kernel_expand(kernel, &kernel->x, KERNEL_TRIANGULAR, kernel->flags.transa);
	kernel_scale(z, kernel->alpha);
	for (int64_t number = 0; number < x.rows; number++) {
		const int64_t p = left == lower ? number : x.rows - 1 - number;
		const double complex pivot = x.element[p + p * x.ld];
		for (int64_t column = 0; column < z->columns && left; column++) {
			double complex *at = &z->element[column * z->ld], value = at[p] / pivot;
			kernel_add_column(at, &x.element[p * x.ld], -value, z->rows);
			at[p] = value;
		}
		for (int64_t row = 0; row < z->rows && !left; row++)
			z->element[row + p * z->ld] /= pivot;
		for (int64_t column = 0; column < z->columns && !left; column++)
			if (column != p)
				kernel_add_column(&z->element[column * z->ld],
				                  &z->element[p * z->ld],
				                  -x.element[p + column * x.ld], z->rows);
	}
	free(x.element);
}

static bool kernel_is_hermitian(enum family family)
{
	return family == FAMILY_HERK || family == FAMILY_HER2K;
}

/*
 * Rank updates: both triangles, because the other one is not read; as the product of x and y and
 * its mirror image.
 */
static void kernel_update(const struct panel_kernel *kernel)
{
	const enum transpose turning =
		kernel_is_hermitian(kernel->family) ? TRANSPOSE_C : TRANSPOSE_T;
	const bool turned = kernel->flags.transa != TRANSPOSE_N;
	const enum transpose left = turned ? turning : TRANSPOSE_N,
			     right = turned ? TRANSPOSE_N : turning;
	const struct panel_matrix *x = &kernel->x, *y = kernel->y.rows > 0 ? &kernel->y : x;
	kernel_multiply(&kernel->z, kernel->alpha, kernel_expand(kernel, x, KERNEL_GENERAL, left),
	                kernel_expand(kernel, y, KERNEL_GENERAL, right));
	if (y != x)
		kernel_multiply(&kernel->z,
		                kernel->family == FAMILY_HER2K ? conj(kernel->alpha)
		                                               : kernel->alpha,
		                kernel_expand(kernel, y, KERNEL_GENERAL, left),
		                kernel_expand(kernel, x, KERNEL_GENERAL, right));
}

/* Multiplies y by a square x, on x's side. */
static void kernel_use_square(const struct panel_kernel *kernel, enum kernel_shape shape)
{
	struct panel_matrix x = kernel_expand(kernel, &kernel->x, shape, kernel->flags.transa);
	struct panel_matrix y = kernel_expand(kernel, &kernel->y, KERNEL_GENERAL, TRANSPOSE_N);
	kernel_scale(&kernel->z, kernel->beta);
	if (kernel->flags.side == SIDE_LEFT)
		kernel_multiply(&kernel->z, kernel->alpha, x, y);
	else
		kernel_multiply(&kernel->z, kernel->alpha, y, x);
}

void panel_kernel_run(const struct panel_kernel *kernel)
{
	switch (kernel->family) {
	case FAMILY_TRSM: kernel_solve(kernel); break;
	case FAMILY_TRMM: kernel_use_square(kernel, KERNEL_TRIANGULAR); break;
	case FAMILY_SYMM: kernel_use_square(kernel, KERNEL_SYMMETRIC); break;
	case FAMILY_HEMM: kernel_use_square(kernel, KERNEL_HERMITIAN); break;
	case FAMILY_SYRK:
	case FAMILY_HERK:
	case FAMILY_SYR2K:
	case FAMILY_HER2K:
		kernel_scale(&kernel->z, kernel->beta);
		kernel_update(kernel);
		break;
	default:
		kernel_scale(&kernel->z, kernel->beta);
		kernel_multiply(
			&kernel->z, kernel->alpha,
			kernel_expand(kernel, &kernel->x, KERNEL_GENERAL, kernel->flags.transa),
			kernel_expand(kernel, &kernel->y, KERNEL_GENERAL, kernel->flags.transb));
	}
}
