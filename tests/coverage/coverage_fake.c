/* coverage_fake.c - a BLAS whose LAPACK calls stay inside, but not with FAKE_REFERENCE */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/coverage/coverage_fake.h"

#include <stdio.h>
#include <stdlib.h>

static void fake_need(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "fake: %s did not arrive\n", what);
		_Exit(98);
	}
}

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length)
{
	fake_need(*transa == 'N' && *transb == 'T' && *m > 0 && *n > 0 && *k > 0,
	          "dgemm_'s registers");
	fake_need(*alpha == 2 && *lda == *m && *ldb == *n && *beta == 3 && *ldc == *m,
	          "dgemm_'s stack");
	fake_need(a == b && c == a && transa_length == 1 && transb_length == 1,
	          "dgemm_'s last arguments");
}

static void fake_multiply(int m, int n, int k, double *c)
{
	const double alpha = 2, beta = 3;
	dgemm_("N", "T", &m, &n, &k, &alpha, c, &m, c, &n, &beta, c, &m, 1, 1);
}

/* Takes its arguments by value: not the Fortran routine without its underscore. */
void dgemm(int m, int n, int k, double alpha)
{
	fake_need(m == 3 && n == 4 && k == 5 && alpha == 2, "dgemm's arguments");
}

void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc)
{
	fake_need(order == 102 && transa == 111 && transb == 112, "cblas_dgemm's flags");
	fake_need(alpha == 2 && beta == 3 && lda == m && ldb == n && ldc == m && a == b,
	          "cblas_dgemm's scalars");
#ifdef FAKE_REFERENCE
	fake_multiply(m, n, k, c);
#else
	(void)c, (void)k;
#endif
}

void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb)
{
	fake_need(*side == 'R' && *uplo == 'U' && *transa == 'N' && *diag == 'N', "dtrsm_'s flags");
	fake_need(*alpha == 2 && a != NULL && *lda == *n && b != NULL && *ldb == *m,
	          "dtrsm_'s arguments");
}

void dgemm_64_(const char *transa, const char *transb, const long *m, const long *n, const long *k,
               const double *alpha, const double *a, const long *lda, const double *b,
               const long *ldb, const double *beta, double *c, const long *ldc,
               size_t transa_length, size_t transb_length)
{
	fake_need(*transa == 'N' && *transb == 'T' && *m > 0 && *n > 0 && *k > 0 && *alpha == 2,
	          "dgemm_64_'s registers");
	fake_need(a == b && c == a && *lda == *m && *ldb == *n && *beta == 3 && *ldc == *m,
	          "dgemm_64_'s stack");
	fake_need(transa_length == 1 && transb_length == 1, "dgemm_64_'s last arguments");
}

void cblas_dtrsm(int order, int side, int uplo, int transa, int diag, int m, int n, double alpha,
                 const double *a, int lda, double *b, int ldb)
{
	fake_need(order == 101 && side == 142 && uplo == 121 && transa == 111 && diag == 131,
	          "cblas_dtrsm's flags");
	fake_need(m > 0 && lda == n && ldb == n && alpha == 2 && a == b, "cblas_dtrsm's arguments");
}

void cblas_dgemm_batch_strided(int order, int transa, int transb, int m, int n, int k, double alpha,
                               const double *a, int lda, int stridea, const double *b, int ldb,
                               int strideb, double beta, double *c, int ldc, int stridec, int batch)
{
	fake_need(order == 102 && transa == 111 && transb == 111 && n == 6 && k == 4,
	          "the batch's registers");
	fake_need(alpha == 2 && beta == 3 && a == b && c == a && lda == m && ldb == m && ldc == m,
	          "the batch's stack");
	fake_need(stridea == 1 && strideb == 2 && stridec == 3 && batch == 50,
	          "the batch's last arguments");
}

void cblas_zgemm_batch_strided(int order, int transa, int transb, int m, int n, int k,
                               const void *alpha, const void *a, int lda, int stridea,
                               const void *b, int ldb, int strideb, const void *beta, void *c,
                               int ldc, int stridec, int batch)
{
	fake_need(order == 102 && transa == 111 && transb == 111 && n == 6 && k == 4,
	          "the batch's registers");
	fake_need(alpha == beta && a == b && c == a && lda == m && ldb == m && ldc == m,
	          "the batch's stack");
	fake_need(stridea == 1 && strideb == 2 && stridec == 3 && batch == 50,
	          "the batch's last arguments");
}

void sgemm_batch_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                  const float *alpha, const float *const *a, const int *lda, const float *const *b,
                  const int *ldb, const float *beta, float *const *c, const int *ldc,
                  const int *groups, const int *group_sizes)
{
	fake_need(transa[0] == 'N' && transb[1] == 'N' && m == n && n == k && *alpha == 2,
	          "the groups' registers");
	fake_need(a != NULL && lda == m && b != NULL && ldb == m && *beta == 2 && c != NULL &&
	                  ldc == m,
	          "the groups' stack");
	fake_need(*groups == 2 && group_sizes[0] == 3 && group_sizes[1] == 5,
	          "the groups' last arguments");
}

double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy)
{
	fake_need(*n > 0 && x != NULL && *incx == 1 && y != NULL && *incy == 1,
	          "ddot_'s arguments");
	return 1.5;
}

double complex zdotc_(const int *n, const void *x, const int *incx, const void *y, const int *incy)
{
	fake_need(*n > 0 && x != NULL && *incx == 1 && y != NULL && *incy == 1,
	          "zdotc_'s arguments");
	return 2.5 - 3.5 * I;
}

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info)
{
	fake_need(*lda == *m && pivots != NULL, "dgetrf_'s arguments");
#ifdef FAKE_REFERENCE
	fake_multiply(*m / 2, *n / 2, *m / 2, a);
#else
	(void)n, (void)a;
#endif
	*info = 0;
}

/* In both builds its BLAS calls can be seen from outside. */
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t jobz_length, size_t uplo_length)
{
	fake_need(*jobz == 'V' && *uplo == 'L' && w != NULL && work != NULL && *lwork == 7,
	          "dsyev_'s arguments");
	fake_need(*lda == *n && jobz_length == 1 && uplo_length == 1, "dsyev_'s last arguments");
	fake_multiply(*n, *n, 10, a);
	*info = 0;
}

#ifndef FAKE_REFERENCE
const char *openblas_get_config(void);

const char *openblas_get_config(void)
{
	return "none";
}
#endif
