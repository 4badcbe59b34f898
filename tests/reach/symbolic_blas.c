/* symbolic_blas.c - a BLAS linked with -Bsymbolic: its own calls bind to itself */
/* SPDX-License-Identifier: Apache-2.0 */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void outer_gemm(double *c);

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc)
{
	c[0] = 77 + *m + *n + *k + *alpha + *beta + a[0] + b[0] + *lda + *ldb + *ldc + *transa -
	       *transb;
}

void outer_gemm(double *c)
{
	const int two = 2;
	const double one = 1, x[4] = {1};
	dgemm_("N", "N", &two, &two, &two, &one, x, &two, x, &two, &one, c, &two);
}
