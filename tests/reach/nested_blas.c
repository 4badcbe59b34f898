/* nested_blas.c - a BLAS whose cblas_dgemm calls dgemm_ through the loader, as the reference's */
/* SPDX-License-Identifier: Apache-2.0 */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc);

static double element(const double *x, int ld, char trans, int row, int column)
{
	return trans == 'N' ? x[row + column * ld] : x[column + row * ld];
}

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc)
{
	for (int j = 0; j < *n; j++) {
		for (int i = 0; i < *m; i++)
			c[i + j * *ldc] = *beta != 0 ? *beta * c[i + j * *ldc] : 0;
		for (int p = 0; p < *k; p++) {
			const double factor = *alpha * element(b, *ldb, *transb, p, j);
			for (int i = 0; i < *m; i++)
				c[i + j * *ldc] += element(a, *lda, *transa, i, p) * factor;
		}
	}
}

void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc)
{
	const char ta = transa == 111 ? 'N' : 'T', tb = transb == 111 ? 'N' : 'T';
	if (order == 102)
		dgemm_(&ta, &tb, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);
	else
		dgemm_(&tb, &ta, &n, &m, &k, &alpha, b, &ldb, a, &lda, &beta, c, &ldc);
	/* Uses the result of its nested call: the shim must run the nested call as well. */
	if (m > 0 && n > 0)
		c[0] = c[0] * 1;
}
