/* release_blas.c - a BLAS of one routine, for processors that this machine has no BLAS of */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

/* No operand transposed, beta 0. */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc)
{
	(void)transa;
	(void)transb;
	(void)beta;
	for (ptrdiff_t j = 0; j < *n; j++)
		for (ptrdiff_t i = 0; i < *m; i++) {
			double sum = 0;
			for (ptrdiff_t l = 0; l < *k; l++)
				sum += a[i + l * *lda] * b[l + j * *ldb];
			c[i + j * *ldc] = *alpha * sum;
		}
}
