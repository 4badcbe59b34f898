/* left_blas.c - zgemm_ of loops, cblas_dgemm; may be left by a jump or with its thread */
/* SPDX-License-Identifier: Apache-2.0 */
#include "../driver/blas_declared.h"

/* Of numbers whose imaginary parts are zero. Where beta is zero, C is not read. */
void zgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc)
{
	(void)transa, (void)transb;
	for (int j = 0; j < *n; j++)
		for (int i = 0; i < *m; i++) {
			double sum = 0, *at = c + 2 * (i + j * *ldc);
			for (int l = 0; l < *k; l++)
				sum += a[2 * (i + l * *lda)] * b[2 * (l + j * *ldb)];
			at[0] = *alpha * sum + (*beta != 0 ? *beta * at[0] : 0);
			at[1] = 0;
		}
}

/* As reference CBLAS does it: one name of the operation calls another. */
void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc)
{
	(void)order, (void)transa, (void)transb;
	dgemm_("N", "N", &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);
}
