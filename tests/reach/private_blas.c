/* private_blas.c - a BLAS that writes VALUE instead of a product; INTEGER is its integer width */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

typedef INTEGER blas_int;

void dgemm_(const char *transa, const char *transb, const blas_int *m, const blas_int *n,
            const blas_int *k, const double *alpha, const double *a, const blas_int *lda,
            const double *b, const blas_int *ldb, const double *beta, double *c,
            const blas_int *ldc);
void cblas_dgemm(int order, int transa, int transb, blas_int m, blas_int n, blas_int k,
                 double alpha, const double *a, blas_int lda, const double *b, blas_int ldb,
                 double beta, double *c, blas_int ldc);
blas_int isamax_(const blas_int *n, const float *x, const blas_int *step);

/* c[0] has VALUE; the elements show whether every argument was read at its true width. */
void dgemm_(const char *transa, const char *transb, const blas_int *m, const blas_int *n,
            const blas_int *k, const double *alpha, const double *a, const blas_int *lda,
            const double *b, const blas_int *ldb, const double *beta, double *c,
            const blas_int *ldc)
{
	const double letters = (*transa == 'N') + 2 * (*transb == 'T');
	c[0] = VALUE + letters / 8 + *alpha * a[0] * b[0] + *beta;
	c[1] = (double)*m + 1e3 * (double)*n + 1e6 * (double)*k;
	c[2] = (double)(*lda + *ldb + *ldc);
}

void cblas_dgemm(int order, int transa, int transb, blas_int m, blas_int n, blas_int k,
                 double alpha, const double *a, blas_int lda, const double *b, blas_int ldb,
                 double beta, double *c, blas_int ldc)
{
	c[0] = -VALUE - order - transa - transb + alpha * a[0] * b[0] + beta;
	c[1] = (double)m + 1e3 * (double)n + 1e6 * (double)k;
	c[2] = (double)(lda + ldb + ldc);
}

blas_int isamax_(const blas_int *n, const float *x, const blas_int *step)
{
	blas_int best = 0;
	if (*n < 1 || *step < 1)
		return 0;
	for (blas_int i = 1; i < *n; i++)
		if (x[i * *step] > x[best * *step])
			best = i;
	return best + 1;
}
