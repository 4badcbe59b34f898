/* coverage_slow.h - routines of coverage_slow.c; sizes are milliseconds */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_COVERAGE_COVERAGE_SLOW_H
#define GPUSHIM_TESTS_COVERAGE_COVERAGE_SLOW_H

#include <stddef.h>
#include <stdint.h>

void slow_wait(int ms);

/* When the last dgemm_ of the thread began and ended, by CLOCK_MONOTONIC. */
struct slow_span {
	int64_t start_ns, end_ns;
};
extern _Thread_local struct slow_span slow_span;

int64_t slow_now_ns(void);

/* Called by dgemm_ with its n. */
extern void (*slow_handler)(int ms);

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy);
void dgecon_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t jobz_length, size_t uplo_length);
void dqrls_(double *x, const int *n, const int *p);
void _gfortran_matmul_r8(void *result, const int *a, const int *b);

/* Of coverage_pocketfft.c: computes for so much processor time. */
void pocketfft_compute(int ms);

#endif
