/* cli_fake.c - a BLAS that computes nothing: the tests of the tool check counts, not numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/cli/cli_fake.h"

#include <time.h>

/* The BLAS names must be visible in spite of -fvisibility=hidden. */
#define FAKE_EXPORT __attribute__((visibility("default")))

FAKE_EXPORT void dgemm_(const char *transa, const char *transb, const int *m, const int *n,
                        const int *k, const double *alpha, const double *a, const int *lda,
                        const double *b, const int *ldb, const double *beta, double *c,
                        const int *ldc, size_t transa_length, size_t transb_length)
{
	(void)transa, (void)transb, (void)n, (void)k, (void)alpha, (void)a, (void)lda, (void)b,
		(void)ldb, (void)beta;
	(void)ldc, (void)transa_length, (void)transb_length;
	if (*m >= 100)
		nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
	c[0] = 42;
}

FAKE_EXPORT void dpotrf_(void)
{
}
