/* wheels_module.c - a module of a Python program that brings along the system's BLAS */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BLAS_INTEGER
#define BLAS_INTEGER int
#endif

void dgemm_(const char *transa, const char *transb, const BLAS_INTEGER *m, const BLAS_INTEGER *n,
            const BLAS_INTEGER *k, const double *alpha, const double *a, const BLAS_INTEGER *lda,
            const double *b, const BLAS_INTEGER *ldb, const double *beta, double *c,
            const BLAS_INTEGER *ldc);
void cblas_dsyrk(int order, int uplo, int trans, BLAS_INTEGER n, BLAS_INTEGER k, double alpha,
                 const double *a, BLAS_INTEGER lda, double beta, double *c, BLAS_INTEGER ldc);

void wheels_multiply(int size, const double *a, const double *b, double *c);
void wheels_multiply(int size, const double *a, const double *b, double *c)
{
	const BLAS_INTEGER n = size;
	const double one = 1, zero = 0;
	dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
}

/* By rows, the lower triangle, from the transpose of a. */
void wheels_update(int size, const double *a, double *c);
void wheels_update(int size, const double *a, double *c)
{
	cblas_dsyrk(101, 122, 112, size, size, -1, a, size, 1, c, size);
}
