/* lapack_dense.h - dense matrices of the tests' own: products, norms, reflections */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_LAPACK_DENSE_H
#define GPUSHIM_TESTS_LAPACK_DENSE_H

#include "lapack_trial.h"

/* By columns, without gaps. The memory is the trial's: dense_reset gives all of it back. */
struct dense {
	int64_t rows, columns;
	double complex *at;
};

enum form { FORM_PLAIN, FORM_ADJOINT };

void dense_reset(void);

/* Zeros. */
struct dense dense_make(int64_t rows, int64_t columns);
struct dense dense_identity(int64_t rows, int64_t columns);

/* The first columns of a matrix. */
struct dense dense_take(struct dense x, int64_t columns);

static inline double complex *dense_at(struct dense x, int64_t row, int64_t column)
{
	return &x.at[column * x.rows + row];
}

struct dense dense_multiply(struct dense x, enum form form_x, struct dense y, enum form form_y);
struct dense dense_subtract(struct dense x, struct dense y);
struct dense dense_transpose(struct dense x, bool conjugates);

/* The largest sum of a column. */
double dense_norm(struct dense x);

bool dense_is_finite(struct dense x);

/* Scales column j by the real number values[j]. */
void dense_scale_columns(struct dense x, const double *values);

/*
 * Applies I - tau v v^H from the left to the rows from `first` on; v has as many elements, the
 * first one is 1 and not read.
 */
void dense_reflect(struct dense x, int64_t first, const double complex *v, double complex tau);

/* The operand of a slot: all of it. */
struct dense dense_read(const struct trial *t, enum copy copy, enum slot slot);

/* A triangle, the rest zero; a unit diagonal where that is asked for. */
struct dense dense_read_triangle(const struct trial *t, enum copy copy, enum slot slot, bool upper,
                                 bool unit);

/* The Hermitian matrix that a triangle stands for; imaginary parts of the diagonal do not count. */
struct dense dense_read_hermitian(const struct trial *t, enum copy copy, enum slot slot,
                                  bool upper);

#endif
