/* cli_fake.h - a BLAS of the tests' own */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_CLI_CLI_FAKE_H
#define GPUSHIM_TESTS_CLI_CLI_FAKE_H

#include <stddef.h>

/*
 * Does not multiply: writes 42 into the first element, and takes a few milliseconds if the matrices
 * are large.
 */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length);
void dgecon_(void);

/* Waits until the process has no thread but the caller's. */
void fake_outlive_threads(void);

#endif
