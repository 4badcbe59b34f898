/* cli_fake.c - a BLAS that computes nothing: the tests of the tool check counts, not numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/cli/cli_fake.h"

#include <dirent.h>
#include <stdlib.h>
#include <time.h>

/* The BLAS names must be visible in spite of -fvisibility=hidden. */
#define FAKE_EXPORT __attribute__((visibility("default")))

static int fake_count_threads(void)
{
	int entries = 0;
	DIR *list = opendir("/proc/self/task");
	for (; list != NULL && readdir(list) != NULL; entries++)
		;
	if (list != NULL)
		closedir(list);
	return entries - 2; /* without . and .. */
}

FAKE_EXPORT void fake_outlive_threads(void)
{
	while (fake_count_threads() > 1)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* A large product lasts 30 ms, or as long as FAKE_OUTLIVES says: until other threads have ended. */
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
	if (*m >= 100 && getenv("FAKE_OUTLIVES") != NULL)
		fake_outlive_threads();
	c[0] = 42;
}

FAKE_EXPORT void dgecon_(void)
{
}
