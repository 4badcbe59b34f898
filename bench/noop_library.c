/* noop_library.c - routines that do nothing, so that what is left of a call is what stands in front of it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/noop_library.h"

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *b, const int *ldb, const double *beta, double *c,
            const int *ldc, size_t transa_length, size_t transb_length)
{
	(void)transa, (void)transb, (void)m, (void)n, (void)k, (void)alpha, (void)a, (void)lda, (void)b, (void)ldb;
	(void)beta, (void)c, (void)ldc, (void)transa_length, (void)transb_length;
}

void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha, const double *a, int lda,
                 const double *b, int ldb, double beta, double *c, int ldc)
{
	(void)order, (void)transa, (void)transb, (void)m, (void)n, (void)k, (void)alpha, (void)a, (void)lda, (void)b;
	(void)ldb, (void)beta, (void)c, (void)ldc;
}

void *fftw_plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags)
{
	static int plan;
	(void)n, (void)in, (void)out, (void)sign, (void)flags;
	return &plan;
}

void fftw_execute(void *plan)
{
	(void)plan;
}

void fftw_execute_dft(void *plan, void *in, void *out)
{
	(void)plan, (void)in, (void)out;
}
