/* fake_library.c - a BLAS and an FFTW of a few lines: the route is tested, not the arithmetic */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length);
void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc);
void *fftw_plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags);
void fftw_execute_dft(void *plan, void *in, void *out);
void fftw_destroy_plan(void *plan);

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length)
{
	(void)transa, (void)transb, (void)n, (void)k, (void)lda, (void)b, (void)ldb, (void)beta,
		(void)ldc;
	(void)transa_length, (void)transb_length;
	c[0] = *m * *alpha + a[0];
}

/* As reference CBLAS does it. */
void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc)
{
	(void)order, (void)transa, (void)transb;
	dgemm_("N", "N", &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);
}

void *fftw_plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags)
{
	double *plan = malloc(sizeof *plan);
	(void)in, (void)out, (void)sign, (void)flags;
	if (plan != NULL)
		*plan = n;
	return plan;
}

void fftw_execute_dft(void *plan, void *in, void *out)
{
	(void)in;
	*(double *)out = *(const double *)plan;
}

void fftw_destroy_plan(void *plan)
{
	free(plan);
}
