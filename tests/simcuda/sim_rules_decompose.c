/* sim_rules_decompose.c - the rules of cuSOLVER beyond LU and Cholesky */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "sim_rules.h"

enum {
	N = 5,
	ELEMENTS = N * N,
	BYTES = ELEMENTS * sizeof(double),
	D = SIM_TYPE_D,
	BAD = SIM_CUSOLVER_STATUS_INVALID_VALUE,
	SMALL = SIM_CUSOLVER_STATUS_INVALID_WORKSPACE
};

struct scene {
	void *handle, *params;
	double *a, *b, *w;
	int *info, *pivots;
	void *work;
	size_t work_bytes;
};

static double *matrix_of(double diagonal, double other)
{
	double host[ELEMENTS];
	for (int i = 0; i < ELEMENTS; i++)
		host[i] = i % (N + 1) ? other : diagonal;
	return rules_device_copy(host, BYTES);
}

static struct scene scene_open(void)
{
	struct scene s = {.a = matrix_of(N, 1),
	                  .b = matrix_of(N, 1),
	                  .w = rules_device_memory(BYTES),
	                  .info = rules_device_memory(sizeof(int)),
	                  .pivots = rules_device_memory(N * sizeof(int))};
	CHECK_IS(cuda.cusolverDnCreate(&s.handle), 0);
	CHECK_IS(cuda.cusolverDnCreateParams(&s.params), 0);
	return s;
}

/* Room for any of the calls here; each is told what it asked for. */
static void scene_take(struct scene *s, size_t bytes)
{
	s->work_bytes = bytes;
	s->work = rules_device_memory(bytes);
}

static int info_of(const struct scene *s)
{
	int info = -1;
	rules_read_back(&info, s->info, sizeof info);
	return info;
}

static double element_of(const double *matrix, int row, int column)
{
	double value = 0;
	rules_read_back(&value, matrix + row + column * N, sizeof value);
	return value;
}

static void every_function_exists(void)
{
#define SIM_TYPED(name, shape, element, real) CHECK(cuda.name &&cuda.name##_bufferSize);
#define SIM_TYPED_ALONE(name, shape, element, real) CHECK(cuda.name != NULL);
#include "sim_typed.def"
	CHECK(cuda.cusolverDnXtrtri && cuda.cusolverDnXgeqrf && cuda.cusolverDnXsyevd);
	CHECK(cuda.cusolverDnXsyevdx && cuda.cusolverDnXgesvd && cuda.cusolverDnXgesvdp);
	CHECK(cuda.major >= 13 || !cuda.cusolverDnXgeev);
}

/* Each function of one element, with a workspace of what it asked for and of one element less. */
static void elements_are_counted(void)
{
	struct scene s = scene_open();
	int lwork = 0;
#define TRY(name, ...)                                                                             \
	CHECK_IS(cuda.name##_bufferSize(s.handle, __VA_ARGS__, &lwork), 0);                        \
	CHECK(lwork > 1);                                                                          \
	scene_take(&s, (size_t)lwork * sizeof(double));                                            \
	CHECK_IS(cuda.name(s.handle, __VA_ARGS__, s.work, lwork - 1, s.info), SMALL);              \
	CHECK_IS(cuda.name(s.handle, __VA_ARGS__, s.work, -1, s.info), BAD);                       \
	CHECK_IS(cuda.name(s.handle, __VA_ARGS__, NULL, lwork, s.info), BAD);                      \
	CHECK_IS(cuda.name(s.handle, __VA_ARGS__, s.work, lwork, s.info), 0);                      \
	CHECK_IS(info_of(&s), 0);
	TRY(cusolverDnDpotri, SIM_UPLO_LOWER, N, s.a, N)
	TRY(cusolverDnDorgqr, N, N, 0, s.a, N, s.w)
	TRY(cusolverDnDormqr, SIM_SIDE_LEFT, SIM_TRANS_T, N, N, 0, s.a, N, s.w, s.b, N)
	s.a = matrix_of(N, 1);
	s.b = matrix_of(N, 1);
	TRY(cusolverDnDsygvd, 1, SIM_EIG_VECTORS, SIM_UPLO_LOWER, N, s.a, N, s.b, N, s.w)
#undef TRY
	CHECK(fabs(element_of(s.w, 0, 0) - 1) < 1e-12);
}

static int try_ormqr(const struct scene *s, int side, int trans, int m, int n, int k, int ldc)
{
	int lwork = 0;
	return cuda.cusolverDnDormqr_bufferSize(s->handle, side, trans, m, n, k, s->a, N, s->w,
	                                        s->b, ldc, &lwork);
}

static void qr_arguments_are_checked(void)
{
	const struct scene s = scene_open();
	int lwork = 0;
	CHECK_IS(cuda.cusolverDnDorgqr_bufferSize(s.handle, 2, 3, 1, s.a, N, s.w, &lwork), BAD);
	CHECK_IS(cuda.cusolverDnDorgqr_bufferSize(s.handle, 3, 2, 3, s.a, N, s.w, &lwork), BAD);
	CHECK_IS(cuda.cusolverDnDorgqr_bufferSize(s.handle, 3, 2, 2, s.a, 2, s.w, &lwork), BAD);
	CHECK_IS(cuda.cusolverDnDorgqr_bufferSize(s.handle, 3, 2, 2, s.a, N, s.w, NULL), BAD);
	CHECK_IS(try_ormqr(&s, 2, SIM_TRANS_N, N, N, N, N), BAD);
	CHECK_IS(try_ormqr(&s, SIM_SIDE_LEFT, SIM_TRANS_C, N, N, N, N), BAD);
	CHECK_IS(try_ormqr(&s, SIM_SIDE_LEFT, SIM_TRANS_N, N, N, N + 1, N), BAD);
	CHECK_IS(try_ormqr(&s, SIM_SIDE_RIGHT, SIM_TRANS_N, N, 2, 3, N), BAD);
	CHECK_IS(try_ormqr(&s, SIM_SIDE_LEFT, SIM_TRANS_N, N, N, N, N - 1), BAD);
	CHECK_IS(try_ormqr(&s, SIM_SIDE_LEFT, SIM_TRANS_T, N, N, N, N), 0);
}

/* A of m x n; sizes are asked for and then used, all in one type. */
static int try_gesvd(struct scene *s, int job, int m, int n, int ldu, int ldv)
{
	size_t device_bytes = 0, host_bytes = 0;
	int status = cuda.cusolverDnXgesvd_bufferSize(
		s->handle, s->params, (signed char)job, (signed char)job, m, n, D, s->a, N, D, s->w,
		D, s->b, ldu, D, s->b, ldv, D, &device_bytes, &host_bytes);
	if (status)
		return status;
	scene_take(s, device_bytes);
	void *host = malloc(host_bytes);
	double *u = rules_device_memory(BYTES), *v = rules_device_memory(BYTES);
	for (int less = 1; less >= 0; less--)
		status = cuda.cusolverDnXgesvd(
			s->handle, s->params, (signed char)job, (signed char)job, m, n, D, s->a, N,
			D, s->w, D, u, ldu, D, v, ldv, D, s->work, device_bytes - (size_t)less,
			host, host_bytes, s->info);
	free(host);
	return status;
}

static void singular_arguments_are_checked(void)
{
	struct scene s = scene_open();
	CHECK_IS(try_gesvd(&s, 'S', 3, 4, N, N), BAD);
	CHECK_IS(try_gesvd(&s, 'O', N, N, N, N), BAD);
	CHECK_IS(try_gesvd(&s, 'S', N, N, N - 1, N), BAD);
	CHECK_IS(try_gesvd(&s, 'S', N, 3, N, 2), BAD);
	CHECK_IS(try_gesvd(&s, 'N', N, N, 1, 1), 0);
	/* N + 4 once and N - 1 otherwise */
	CHECK(fabs(element_of(s.w, 0, 0) - (N + 4)) < 1e-12);
	CHECK(fabs(element_of(s.w, 1, 0) - (N - 1)) < 1e-12);
	CHECK(isnan(element_of(s.a, 0, 0)) && isnan(element_of(s.a, N - 1, N - 1)));
}

static int scene_syevd(struct scene *s, int vectors, int short_bytes)
{
	size_t device_bytes = 0, host_bytes = 0;
	CHECK_IS(cuda.cusolverDnXsyevd_bufferSize(s->handle, s->params, vectors, SIM_UPLO_UPPER, N,
	                                          D, s->a, N, D, s->w, D, &device_bytes,
	                                          &host_bytes),
	         0);
	scene_take(s, device_bytes);
	void *host = malloc(host_bytes);
	int status = cuda.cusolverDnXsyevd(s->handle, s->params, vectors, SIM_UPLO_UPPER, N, D,
	                                   s->a, N, D, s->w, D, s->work, device_bytes, host,
	                                   host_bytes - (size_t)short_bytes, s->info);
	free(host);
	return status;
}

/* A call that blocks has its results when it returns, and needs its workspace no longer. */
static void eigenvalues_block(void)
{
	struct scene s = scene_open();
	s.info = rules_pinned(sizeof *s.info);
	*s.info = 9;
	CHECK_IS(cuda.cusolverDnSetStream(s.handle, rules_stream(SIM_STREAM_NON_BLOCKING)), 0);
	CHECK_IS(scene_syevd(&s, SIM_EIG_NO_VECTORS, 1), SMALL);
	CHECK_IS(*s.info, 9);
	CHECK_IS(scene_syevd(&s, SIM_EIG_NO_VECTORS, 0), 0);
	CHECK_IS(*s.info, 0);
	CHECK(isnan(element_of(s.a, 0, 0)));
	CHECK(fabs(element_of(s.w, N - 1, 0) - (N + 4)) < 1e-12);
}

static void *syevd_thread(void *data)
{
	return (void *)(long)scene_syevd(data, SIM_EIG_VECTORS, 0);
}

/* It hangs with its kernel; only the death of the device ends that. */
static void blocking_calls_hang(void)
{
	struct scene s = scene_open();
	size_t free_bytes, total_bytes;
	void *status = NULL;
	pthread_t thread;
	CHECK(!pthread_create(&thread, NULL, syevd_thread, &s));
	while (!cuda.simcuda_count("kernel"))
		;
	CHECK_IS(cuda.cudaMemGetInfo(&free_bytes, &total_bytes), SIM_cudaErrorLaunchFailure);
	pthread_join(thread, &status);
	CHECK_IS((long)status, SIM_CUSOLVER_STATUS_EXECUTION_FAILED);
}

/* B is the identity but for one element of its diagonal. */
static void pencils_of_bad_matrices_have_a_number(void)
{
	struct scene s = scene_open();
	const double bad = -1;
	int lwork = 0;
	CHECK_IS(cuda.cusolverDnDsygvd_bufferSize(s.handle, 2, SIM_EIG_VECTORS, SIM_UPLO_UPPER, N,
	                                          s.a, N, s.b, N, s.w, &lwork),
	         0);
	scene_take(&s, (size_t)lwork * sizeof(double));
	for (int i = 0; i < N; i++) {
		s.a = matrix_of(N, 1);
		s.b = matrix_of(1, 0);
		CHECK_IS(cuda.cudaMemcpy(s.b + i * (N + 1), &bad, sizeof bad, SIM_COPY_H2D), 0);
		CHECK_IS(cuda.cusolverDnDsygvd(s.handle, 2, SIM_EIG_VECTORS, SIM_UPLO_UPPER, N, s.a,
		                               N, s.b, N, s.w, s.work, lwork, s.info),
		         0);
		CHECK_IS(info_of(&s), N + i + 1);
	}
	CHECK_IS(cuda.cusolverDnDsygvd_bufferSize(s.handle, 4, SIM_EIG_VECTORS, SIM_UPLO_UPPER, N,
	                                          s.a, N, s.b, N, s.w, &lwork),
	         BAD);
}

static void triangles_with_a_zero_have_a_number(void)
{
	struct scene s = scene_open();
	size_t device_bytes = 0, host_bytes = 0;
	const double zero = 0;
	CHECK_IS(cuda.cusolverDnXtrtri_bufferSize(s.handle, SIM_UPLO_UPPER, SIM_DIAG_NON_UNIT, N, D,
	                                          s.a, N, &device_bytes, &host_bytes),
	         0);
	scene_take(&s, device_bytes);
	void *host = malloc(host_bytes);
	CHECK_IS(cuda.cudaMemcpy(s.a + 2 * (N + 1), &zero, sizeof zero, SIM_COPY_H2D), 0);
	CHECK_IS(cuda.cusolverDnXtrtri(s.handle, SIM_UPLO_UPPER, SIM_DIAG_NON_UNIT, N, D, s.a, N,
	                               s.work, device_bytes, host, host_bytes - 1, s.info),
	         SMALL);
	CHECK_IS(cuda.cusolverDnXtrtri(s.handle, SIM_UPLO_UPPER, SIM_DIAG_NON_UNIT, N, D, s.a, N,
	                               s.work, device_bytes, host, host_bytes, s.info),
	         0);
	CHECK_IS(info_of(&s), 3);
	s.a = matrix_of(0, 0);
	CHECK_IS(cuda.cusolverDnXtrtri(s.handle, SIM_UPLO_UPPER, SIM_DIAG_UNIT, N, D, s.a, N,
	                               s.work, device_bytes, host, host_bytes, s.info),
	         0);
	CHECK_IS(info_of(&s), 0);
	free(host);
}

static void rows_are_exchanged_by_number(void)
{
	const int pivots[N] = {3, 2, 5, 4, 5};
	double host[ELEMENTS];
	struct scene s = scene_open();
	for (int i = 0; i < ELEMENTS; i++)
		host[i] = i % N;
	s.a = rules_device_copy(host, BYTES);
	s.pivots = rules_device_copy(pivots, sizeof pivots);
	CHECK_IS(cuda.cusolverDnDlaswp(s.handle, N, s.a, N, 1, 3, s.pivots, 1), 0);
	CHECK(element_of(s.a, 0, 0) == 2 && element_of(s.a, 2, 1) == 4 &&
	      element_of(s.a, 4, N - 1) == 0);
	CHECK_IS(cuda.cusolverDnDlaswp(s.handle, N, s.a, N, 1, 3, s.pivots, -1), 0);
	for (int i = 0; i < N; i++)
		CHECK(element_of(s.a, i, 2) == i);
	CHECK_IS(cuda.cusolverDnDlaswp(s.handle, N, s.a, N, 0, 3, s.pivots, 1), BAD);
	CHECK_IS(cuda.cusolverDnDlaswp(s.handle, N, s.a, N, 1, 3, s.pivots, 0), BAD);
	/* Pivots that nobody wrote. */
	CHECK_IS(cuda.cusolverDnDlaswp(s.handle, N, s.a, N, 1, 3, rules_device_memory(64), 1), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorLaunchFailure);
}

static void general_arguments_are_checked(void)
{
	const struct scene s = scene_open();
	size_t device_bytes = 0, host_bytes = 0;
	if (!cuda.cusolverDnXgeev)
		return;
#define TRY(left, right, type, values, ld)                                                         \
	cuda.cusolverDnXgeev_bufferSize(s.handle, s.params, left, right, N, type, s.a, N, values,  \
	                                s.w, type, NULL, 1, type, s.b, ld, type, &device_bytes,    \
	                                &host_bytes)
	CHECK_IS(TRY(SIM_EIG_VECTORS, SIM_EIG_VECTORS, D, D, N), BAD);
	CHECK_IS(TRY(SIM_EIG_NO_VECTORS, 2, D, D, N), BAD);
	CHECK_IS(TRY(SIM_EIG_NO_VECTORS, SIM_EIG_VECTORS, D, D, N - 1), BAD);
	CHECK_IS(TRY(SIM_EIG_NO_VECTORS, SIM_EIG_VECTORS, D, SIM_TYPE_C, N), BAD);
	CHECK_IS(TRY(SIM_EIG_NO_VECTORS, SIM_EIG_VECTORS, SIM_TYPE_Z, D, N), BAD);
	CHECK_IS(TRY(SIM_EIG_NO_VECTORS, SIM_EIG_VECTORS, D, SIM_TYPE_Z, N), 0);
	CHECK_IS(TRY(SIM_EIG_NO_VECTORS, SIM_EIG_NO_VECTORS, D, D, 1), 0);
#undef TRY
}

/* 12 us for each of 5 columns, 4/3 n^3 bytes at 1 GB/s, 2/3 n^3 operations at 1 GFLOP/s. */
static void eigenvalues_take_time(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "dgemm_tflops_s = 0.001\nmemory_gbytes_s = 1\n"
	                                   "solver_tridiagonal_us = 12\n");
	struct scene s = scene_open();
	unsigned long long before = cuda.simcuda_clock_ns();
	CHECK_IS(scene_syevd(&s, SIM_EIG_NO_VECTORS, 0), 0);
	CHECK_IS(cuda.simcuda_clock_ns() - before, 12000 * N + 2 * N * N * N);
}

const struct rule decompose_rules[] = {
	{"cusolver: every function exists", RULE_SIM_ONLY, NULL, every_function_exists},
	{"cusolver: workspaces in elements", RULE_SIM_ONLY, NULL, elements_are_counted},
	{"cusolver: arguments of QR", RULE_SIM_ONLY, NULL, qr_arguments_are_checked},
	{"cusolver: arguments of gesvd", RULE_SIM_ONLY, NULL, singular_arguments_are_checked},
	{"cusolver: arguments of geev", RULE_SIM_ONLY, NULL, general_arguments_are_checked},
	{"cusolver: eigenvalues block", RULE_SIM_ONLY, NULL, eigenvalues_block},
	{"cusolver: blocking calls hang", RULE_SIM_ONLY,
         "SIMCUDA_FAIL=kernel:1:hang,cudaMemGetInfo:1:719", blocking_calls_hang},
	{"cusolver: pencils", RULE_WITH_SOLVER, NULL, pencils_of_bad_matrices_have_a_number},
	{"cusolver: triangles", RULE_SIM_ONLY, NULL, triangles_with_a_zero_have_a_number},
	{"cusolver: rows", RULE_SIM_ONLY, NULL, rows_are_exchanged_by_number},
	{"cusolver: time of eigenvalues", RULE_SIM_ONLY, NULL, eigenvalues_take_time},
	{0},
};
