/* loops_dgemm.c - a dgemm_ of plain loops that calls nothing, for libraries that the tests build */
/* SPDX-License-Identifier: Apache-2.0 */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

/* Without transposition alone. Where beta is zero, C is not read. */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc)
{
	(void)transa, (void)transb;
	for (int j = 0; j < *n; j++)
		for (int i = 0; i < *m; i++) {
			double sum = 0, *at = c + i + j * *ldc;
			for (int l = 0; l < *k; l++)
				sum += a[i + l * *lda] * b[l + j * *ldb];
			*at = *alpha * sum + (*beta != 0 ? *beta * *at : 0);
		}
}
