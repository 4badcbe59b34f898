/* spelling.c - a library of one routine, with the names and integers of SciPy's wheels */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

#include "shim/table/shapes.h"

/* The arguments of the last call. */
int64_t spelling_n, spelling_k;
char spelling_uplo;

void scipy_dsyrk_64_(PARAMS_f77(SYRK, D));
void scipy_cblas_dsyrk64_(PARAMS_cblas(SYRK, D));

void scipy_dsyrk_64_(PARAMS_f77(SYRK, D))
{
	const double *x = a, *by = alpha, *old = beta;
	double *z = c;
	spelling_n = *(const int64_t *)n;
	spelling_k = *(const int64_t *)k;
	spelling_uplo = *uplo;
	z[0] = by[0] * x[0] * x[0] + old[0] * z[0];
	(void)trans, (void)lda, (void)ldc, (void)length1, (void)length2;
}

/* Present, but part of its work is asked of the other routine. */
void scipy_cblas_dsyrk64_(PARAMS_cblas(SYRK, D))
{
	(void)order, (void)uplo, (void)trans, (void)n, (void)k, (void)alpha, (void)a, (void)lda,
		(void)beta;
	*(double *)c = -1;
	(void)ldc;
}
