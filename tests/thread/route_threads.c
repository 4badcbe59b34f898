/* route_threads.c - many threads take the gate and the route at once; every call is counted once */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/thread/thread_check.h"
#include "tests/thread/thread_counters.h"

enum { THREADS = 8, CALLS = 3000, PLANS = 200 };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length);
void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc);
void *fftw_plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags);
void fftw_execute_dft(void *plan, void *in, void *out);
void fftw_destroy_plan(void *plan);

static void *worker(void *context)
{
	const int n = 4,
		  big = 2000; /* big: 96 MB of operands, which the fake library never reads */
	const double one = 1, zero = 0, a[16] = {2};
	double c[16] = {0};
	long wrong = 0;
	for (int i = 0; i < CALLS; i++) {
		dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n, 1, 1);
		wrong += c[0] != 6;
		cblas_dgemm(102, 111, 111, 4, 4, 4, 1, a, 4, a, 4, 0, c, 4);
		wrong += c[0] != 6;
	}
	for (int i = 0; i < PLANS; i++) {
		/*
		 * Both sides of the threshold, so that plans come into the table and go at the same
		 * addresses.
		 */
		const int length = i % 2 != 0 ? 8 : 4 << 20;
		void *plan = fftw_plan_dft_1d(length, (void *)a, c, -1, 64);
		fftw_execute_dft(plan, (void *)a, c);
		wrong += c[0] != length;
		fftw_destroy_plan(plan);
	}
	dgemm_("N", "N", &big, &big, &big, &one, a, &big, a, &big, &zero, c, &big, 1, 1);
	wrong += c[0] != 2002;
	*(long *)context = wrong;
	return NULL;
}

static void run_threads(void)
{
	pthread_t thread[THREADS];
	long wrong[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, worker, &wrong[i]);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		thread_check("wrong results of a thread", wrong[i], 0);
	}
}

static void fork_once(void)
{
	long wrong = 1;
	const pid_t pid = fork();
	if (pid == 0) {
		worker(&wrong);
		_exit(wrong != 0);
	}
	int status = -1;
	waitpid(pid, &status, 0);
	thread_check("status of a fork child", status, 0);
}

int main(void)
{
	char folder[] = "/tmp/gpushim-route-threads-XXXXXX";
	if (mkdtemp(folder) == NULL)
		return 1;
	setenv("EPOCHLY_GPU_COUNTERS", folder, 1);
	setenv("EPOCHLY_GPU_CUDA_PATH", folder, 1); /* holds no CUDA */
	run_threads();
	fork_once();
	const struct counters_file *file = thread_counters_map(folder);
	if (file == NULL) {
		printf("no counters file in %s\n", folder);
		return 1;
	}
	const long long each = (long long)THREADS * CALLS;
	thread_check("dgemm_ below the threshold", thread_counters_forwarded(file, SYMBOL_dgemm_),
	             each);
	thread_check("cblas_dgemm, its nested dgemm_ not counted",
	             thread_counters_forwarded(file, SYMBOL_cblas_dgemm), each);
	thread_check("dgemm_ past the gate", thread_counters_decided(file, SYMBOL_dgemm_), THREADS);
	thread_check("plans", thread_counters_forwarded(file, SYMBOL_fftw_plan_dft_1d),
	             (long long)THREADS * PLANS);
	thread_check("executions below the threshold",
	             thread_counters_forwarded(file, SYMBOL_fftw_execute_dft),
	             (long long)THREADS * PLANS / 2);
	thread_check("executions past the gate",
	             thread_counters_decided(file, SYMBOL_fftw_execute_dft),
	             (long long)THREADS * PLANS / 2);
	thread_check("plans destroyed", thread_counters_forwarded(file, SYMBOL_fftw_destroy_plan),
	             (long long)THREADS * PLANS);
	thread_counters_empty_folder(folder);
	return thread_check_end();
}
