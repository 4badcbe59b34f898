/* fortran_blas.c - a BLAS whose bare name is an alias of its Fortran routine */
/* SPDX-License-Identifier: Apache-2.0 */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void dgemm(const char *transa, const char *transb, const int *m, const int *n, const int *k,
           const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
           const double *beta, double *c, const int *ldc) __attribute__((alias("dgemm_")));

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc)
{
	if (*transa != 'N' || *transb != 'N')
		return;
	for (int j = 0; j < *n; j++)
		for (int i = 0; i < *m; i++) {
			double sum = 0;
			for (int p = 0; p < *k; p++)
				sum += a[i + p * *lda] * b[p + j * *ldb];
			c[i + j * *ldc] = *alpha * sum + (*beta != 0 ? *beta * c[i + j * *ldc] : 0);
		}
}
