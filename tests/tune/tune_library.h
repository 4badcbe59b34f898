/* tune_library.h - a BLAS of a known speed on virtual clocks */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_TUNE_TUNE_LIBRARY_H
#define GPUSHIM_TESTS_TUNE_TUNE_LIBRARY_H

#include <stdint.h>

/* The clock of the simulated GPU. It advances beside the CPU's, as a call is on one of them. */
void tune_library_set_clock(unsigned long long (*gpu_ns)(void));

/* Both clocks, in nanoseconds. */
uint64_t tune_library_now(void);

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
            const float *beta, float *c, const int *ldc);

#endif
