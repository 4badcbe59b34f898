/* tune_library.c - a BLAS of known speed: computes nothing and advances a clock of the process */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/tune/tune_library.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const double library_flops_per_ns = 800, library_call_ns = 500;
static _Atomic uint64_t library_cpu_ns;
static unsigned long long (*library_gpu_ns)(void);

void tune_library_set_clock(unsigned long long (*gpu_ns)(void))
{
	library_gpu_ns = gpu_ns;
}

uint64_t tune_library_now(void)
{
	return atomic_load(&library_cpu_ns) + (library_gpu_ns != NULL ? library_gpu_ns() : 0);
}

/*
 * The shim reads this clock too, so its log has virtual times. Waiting for a time of day uses the
 * real clock.
 */
int clock_gettime(clockid_t id, struct timespec *now)
{
	if (id != CLOCK_MONOTONIC)
		return (int)syscall(SYS_clock_gettime, id, now);
	const uint64_t time_ns = tune_library_now();
	now->tv_sec = (time_t)(time_ns / 1000000000);
	now->tv_nsec = (long)(time_ns % 1000000000);
	return 0;
}

static void library_spend(int m, int n, int k)
{
	const double work = 2.0 * m * n * k;
	atomic_fetch_add(&library_cpu_ns,
	                 (uint64_t)(library_call_ns + work / library_flops_per_ns));
}

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc)
{
	(void)transa, (void)transb, (void)alpha, (void)a, (void)lda, (void)b, (void)ldb, (void)beta,
		(void)c, (void)ldc;
	library_spend(*m, *n, *k);
}

void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
            const float *beta, float *c, const int *ldc)
{
	(void)transa, (void)transb, (void)alpha, (void)a, (void)lda, (void)b, (void)ldb, (void)beta,
		(void)c, (void)ldc;
	library_spend(*m, *n, *k);
}
