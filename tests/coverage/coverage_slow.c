/* coverage_slow.c - a BLAS, LAPACK, LINPACK and matmul whose calls last as long as they are told */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/coverage/coverage_slow.h"

#include <errno.h>
#include <time.h>

_Thread_local struct slow_span slow_span;

int64_t slow_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Waiting takes its time on a busy machine too, and needs no processor. */
void slow_wait(int ms)
{
	struct timespec rest = {ms / 1000, (long)(ms % 1000) * 1000000};
	while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
		;
}

/* m: how long it takes; n: how much longer, in a handler of errors that may not return. */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc)
{
	(void)transa, (void)transb, (void)k, (void)alpha, (void)a, (void)lda, (void)b, (void)ldb,
		(void)beta, (void)c, (void)ldc;
	slow_span.start_ns = slow_now_ns();
	slow_wait(*m);
	slow_span.end_ns = slow_now_ns();
	if (slow_handler != NULL)
		slow_handler(*n);
}

void (*slow_handler)(int ms);

static void slow_multiply(int ms)
{
	const double zero = 0;
	double c = 0;
	dgemm_("N", "N", &ms, &ms, &ms, &zero, &c, &ms, &c, &ms, &zero, &c, &ms);
}

double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy)
{
	(void)x, (void)incx, (void)y, (void)incy;
	slow_wait(*n);
	return 1;
}

/* Half of the time in a product. */
void dgecon_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info)
{
	(void)m, (void)a, (void)lda, (void)pivots;
	slow_wait(*n / 2);
	slow_multiply(*n - *n / 2);
	*info = 0;
}

void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t jobz_length, size_t uplo_length)
{
	(void)a, (void)lda, (void)w, (void)iwork, (void)liwork;
	*info = *jobz == 'V' && *uplo == 'L' && jobz_length == 1 && uplo_length == 1 ? 0 : -1;
	if (*lwork == -1)
		work[0] = *n;
	else
		slow_wait(*n);
}

/* All of the time in calls of level 1. */
void dqrls_(double *x, const int *n, const int *p)
{
	const int one = 1;
	(void)p;
	ddot_(n, x, &one, x, &one);
}

/* a: how long it takes. */
void _gfortran_matmul_r8(void *result, const int *a, const int *b)
{
	(void)result, (void)b;
	slow_wait(*a);
}
