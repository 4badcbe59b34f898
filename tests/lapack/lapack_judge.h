/* lapack_judge.h - what the judges of equations and of spectra share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_LAPACK_JUDGE_H
#define GPUSHIM_TESTS_LAPACK_JUDGE_H

#include "lapack_dense.h"

enum { JUDGE_THRESHOLD = 30 };

/* Whose results are judged. */
extern enum copy judge_copy;

/* error / (size scale eps); zero where there is no error. */
double judge_ratio(const struct trial *t, double error, double size, double scale);

/* The larger one, or a NaN. */
double judge_worse(double x, double y);

/* |I - Q^H Q| / (rows eps) */
double judge_orthogonality(const struct trial *t, struct dense q);

/* That of the Cholesky factor in B. */
double judge_factor_of_pair(const struct trial *t);

/* Eigenvalues of Hermitian matrices and pairs; singular values, and eigenvalues of general ones. */
const char *judge_symmetric(const struct trial *t, double *ratio);
const char *judge_spectral(const struct trial *t, double *ratio);

#endif
