/* gpu_check_dense.h - small dense matrices in long double, for residuals */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHECK_DENSE_H
#define GPUSHIM_TESTS_GPU_GPU_CHECK_DENSE_H

#include "gpu_check.h"

/* Column-major without gaps; on the heap. */
struct dense {
	int64_t rows, columns;
	long double complex *x;
};

struct dense dense_make(int64_t rows, int64_t columns);
void dense_free(struct dense *dense);
long double complex *dense_at(const struct dense *dense, int64_t row, int64_t column);

/* The product of op(A) and B, as a new matrix. */
struct dense dense_multiply(const struct dense *a, enum transpose trans, const struct dense *b);
void dense_subtract(struct dense *a, const struct dense *b);

/* The largest sum of a column's absolute values. Not a number where an element is none. */
long double dense_norm(const struct dense *dense);

/* Exchanges rows as LAPACK's pivots say (from 1 on), from the first to the last, or back. */
void dense_permute(struct dense *dense, const int64_t *pivots, int64_t count, bool back);

/* Unit roundoff as LAPACK's lamch('E'). */
long double dense_roundoff(enum element element);

#endif
