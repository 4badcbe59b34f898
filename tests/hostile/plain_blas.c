/* plain_blas.c - a BLAS of loops, which take hardly any stack */
/* SPDX-License-Identifier: Apache-2.0 */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc)
{
	if (*transa != 'N' || *transb != 'N')
		return;
	for (int j = 0; j < *n; j++) {
		for (int i = 0; i < *m; i++)
			c[i + j * *ldc] = *beta != 0 ? *beta * c[i + j * *ldc] : 0;
		for (int p = 0; p < *k; p++) {
			const double factor = *alpha * b[p + j * *ldb];
			for (int i = 0; i < *m; i++)
				c[i + j * *ldc] += factor * a[i + p * *lda];
		}
	}
}
