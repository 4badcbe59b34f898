/* coverage_probe.c - a program whose first argument selects its calls, for `gpushim coverage` */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/coverage/coverage_fake.h"
#include "tests/driver/acts.h"

enum { PROBE_THREADS = 4, PROBE_THREAD_CALLS = 500 };

typedef void probe_gemm(const char *transa, const char *transb, const int *m, const int *n,
                        const int *k, const double *alpha, const double *a, const int *lda,
                        const double *b, const int *ldb, const double *beta, double *c,
                        const int *ldc, size_t transa_length, size_t transb_length);

static double probe_matrix[4];
static char *probe_self;

static void probe_multiply_by(probe_gemm *gemm, int m, int n, int k, int times)
{
	const double alpha = 2, beta = 3;
	double *c = probe_matrix;
	while (times-- > 0)
		gemm("N", "T", &m, &n, &k, &alpha, c, &m, c, &n, &beta, c, &m, 1, 1);
}

static void probe_multiply(int n, int times)
{
	const double alpha = 2, beta = 3;
	double *c = probe_matrix;
	while (times-- > 0)
		dgemm_("N", "T", &n, &n, &n, &alpha, c, &n, c, &n, &beta, c, &n, 1, 1);
}

static int probe_blas(void)
{
	const int one = 1, n = 30, square = 60, workspace = 7;
	double *c = probe_matrix, dot = 0;
	int pivots[1], info = 1;
	probe_multiply(100, 2);
	probe_multiply(10, 5);
	for (int i = 0; i < 3; i++)
		cblas_dgemm(102, 111, 112, 2000, 1000, 500, 2, c, 2000, c, 1000, 3, c, 2000);
	for (int i = 0; i < 1000; i++)
		dot += ddot_(&n, c, &one, c, &one);
	const double complex product = zdotc_(&n, c, &one, c, &one);
	dgetrf_(&square, &square, c, &square, pivots, &info);
	dsyev_("V", "L", &square, c, &square, c, c, &workspace, &info, 1, 1);
	dgemm(3, 4, 5, 2);
	printf("dots %.1f %.1f %.1f info %d\n", dot, creal(product), cimag(product), info);
	return 3;
}

/*
 * A is n x n and on the right. Then wide integers, batches of one size, and groups of different
 * sizes.
 */
static int probe_shapes(void)
{
	const int m = 20, n = 30, groups = 2, group_sizes[] = {3, 5}, sizes[] = {10, 20};
	const long wide = 50;
	const double alpha = 2, beta = 3;
	const float two = 2;
	double *c = probe_matrix;
	const float *operands[8] = {NULL};
	float *results[8] = {NULL};
	dtrsm_("R", "U", "N", "N", &m, &n, &alpha, c, &n, c, &m);
	cblas_dtrsm(101, 142, 121, 111, 131, m, n, 2, c, n, c, n);
	dgemm_64_("N", "T", &wide, &wide, &wide, &alpha, c, &wide, c, &wide, &beta, c, &wide, 1, 1);
	cblas_dgemm_batch_strided(102, 111, 111, 8, 6, 4, 2, c, 8, 1, c, 8, 2, 3, c, 8, 3, 50);
	cblas_zgemm_batch_strided(102, 111, 111, 8, 6, 4, &alpha, c, 8, 1, c, 8, 2, &alpha, c, 8, 3,
	                          50);
	sgemm_batch_("NN", "NN", sizes, sizes, sizes, &two, operands, sizes, operands, sizes, &two,
	             results, sizes, &groups, group_sizes);
	return 0;
}

/* Planners with other argument lists; each plan is executed once. */
static int probe_planners(void)
{
	const int rank = 2, n[] = {8, 4}, howmany = 9, one = 1, distance = 32, sign = -1,
		  flags = 64;
	const struct fake_dim dim = {16, 1, 1}, loops[] = {{3, 1, 1}, {5, 1, 1}};
	const struct fake_dim64 dims[] = {{16, 1, 1}, {8, 1, 1}, {4, 1, 1}, {2, 1, 1}};
	double *array = probe_matrix;
	void *plan = NULL;
	dfftw_plan_many_dft_(&plan, &rank, n, &howmany, array, n, &one, &distance, array, n, &one,
	                     &distance, &sign, &flags);
	dfftw_execute_(&plan);
	fftwf_execute(fftwf_plan_guru_dft(1, &dim, 2, loops, array, array + 1, -1, 64));
	fftw_execute(fftw_plan_guru64_dft_c2r(4, dims, 0, NULL, array, array, 64));
	return 0;
}

static int probe_fftw(void)
{
	const int n[] = {64}, length = 16, sign = -1, flags = 64;
	double *array = probe_matrix;
	void *legacy = NULL, *plane = fftw_plan_dft_2d(64, 32, array, array, -1, 64);
	fftw_execute(plane);
	fftw_execute_dft(plane, array, array);
	fftw_execute(
		fftw_plan_many_dft(1, n, 20000, array, NULL, 1, 64, array, NULL, 1, 64, -1, 64));
	fftwf_execute(fftwf_plan_dft_r2c_1d(256, (float *)array, array, 64));
	fftw_execute(fftw_plan_r2r_1d(128, array, array, 3, 64));
	dfftw_plan_dft_1d_(&legacy, &length, array, array, &sign, &flags);
	dfftw_execute_(&legacy);
	return 0;
}

/* By a handle of dlopen, as ctypes does, and by the default scope. */
static int probe_dlsym(void)
{
	void *handle = dlopen("libcoverage_fake.so", RTLD_NOW | RTLD_NOLOAD);
	probe_gemm *gemm = (probe_gemm *)dlsym(handle, "dgemm_");
	if (handle == NULL || gemm == NULL)
		return 90;
	probe_multiply_by(gemm, 50, 50, 50, 4);
	probe_multiply(10, 1);
	return dlclose(handle);
}

static int probe_namespace(void)
{
	void *handle = dlmopen(LM_ID_NEWLM, getenv("COVERAGE_MODULE"), RTLD_NOW);
	int (*act)(void) = handle != NULL ? (int (*)(void))dlsym(handle, "module_multiply") : NULL;
	probe_multiply(10, 1);
	return act != NULL ? act() : 91;
}

/* A library that is opened and closed repeatedly is listed once. */
static int probe_reload(void)
{
	for (int i = 0; i < 3; i++) {
		void *handle = dlopen(getenv("COVERAGE_MODULE"), RTLD_NOW);
		int (*act)(void) =
			handle != NULL ? (int (*)(void))dlsym(handle, "module_multiply") : NULL;
		if (act == NULL || act() != 0 || dlclose(handle) != 0)
			return 92;
	}
	return 0;
}

static int probe_fork(void)
{
	int status = 1;
	probe_multiply(10, 2);
	if (fork() == 0) {
		const int n = 30, one = 1;
		probe_multiply(20, 3);
		_exit(ddot_(&n, probe_matrix, &one, probe_matrix, &one) == 1.5 ? 0 : 1);
	}
	wait(&status);
	probe_multiply(10, 1);
	return status;
}

static int probe_exec(void)
{
	probe_multiply(10, 2);
	execl(probe_self, probe_self, "single", (char *)NULL);
	return 93;
}

static int probe_single(void)
{
	probe_multiply(20, 1);
	return 0;
}

static void *probe_run_thread(void *unused)
{
	(void)unused;
	probe_multiply(10, PROBE_THREAD_CALLS);
	return NULL;
}

static int probe_threads(void)
{
	pthread_t threads[PROBE_THREADS];
	for (int i = 0; i < PROBE_THREADS; i++)
		if (pthread_create(&threads[i], NULL, probe_run_thread, NULL) != 0)
			return 94;
	for (int i = 0; i < PROBE_THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static int probe_killed(void)
{
	probe_multiply(10, 7);
	raise(SIGKILL);
	return 0;
}

static int probe_nothing(void)
{
	puts("nothing is called");
	return 0;
}

int main(int count, char **words)
{
	static const struct act acts[] = {
		{"blas", probe_blas},       {"shapes", probe_shapes},
		{"fftw", probe_fftw},       {"planners", probe_planners},
		{"dlsym", probe_dlsym},     {"namespace", probe_namespace},
		{"reload", probe_reload},   {"fork", probe_fork},
		{"exec", probe_exec},       {"single", probe_single},
		{"threads", probe_threads}, {"killed", probe_killed},
		{"nothing", probe_nothing},
	};
	probe_self = words[0];
	return acts_run(acts, sizeof acts / sizeof acts[0], count, words);
}
