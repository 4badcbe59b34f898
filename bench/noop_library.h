/* noop_library.h - the routines that overhead_loop.c calls */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_NOOP_LIBRARY_H
#define GPUSHIM_BENCH_NOOP_LIBRARY_H

#include <stddef.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *b, const int *ldb, const double *beta, double *c,
            const int *ldc, size_t transa_length, size_t transb_length);
void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha, const double *a, int lda,
                 const double *b, int ldb, double beta, double *c, int ldc);
void *fftw_plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags);
void fftw_execute(void *plan);
void fftw_execute_dft(void *plan, void *in, void *out);

#endif
