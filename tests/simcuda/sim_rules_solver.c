/* sim_rules_solver.c - the rules of LU and Cholesky in cuSOLVER: arguments, workspaces, info */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_rules.h"

enum {
	N = 6,
	ELEMENTS = N * N,
	BYTES = ELEMENTS * sizeof(double),
	D = SIM_TYPE_D,
	LOWER = SIM_UPLO_LOWER,
	UPPER = SIM_UPLO_UPPER,
	BAD = SIM_CUSOLVER_STATUS_INVALID_VALUE,
	SMALL = SIM_CUSOLVER_STATUS_INVALID_WORKSPACE
};

/* Everything that one factorisation of an N x N matrix needs, on the device but for the host's. */
struct scene {
	void *handle, *params;
	double *a;
	int64_t *pivots;
	int *info;
	void *device, *host;
	size_t device_bytes, host_bytes;
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
	                  .pivots = rules_device_memory(N * sizeof(int64_t)),
	                  .info = rules_device_memory(sizeof(int))};
	CHECK_IS(cuda.cusolverDnCreate(&s.handle), 0);
	CHECK_IS(cuda.cusolverDnCreateParams(&s.params), 0);
	CHECK_IS(cuda.cusolverDnXgetrf_bufferSize(s.handle, s.params, N, N, D, s.a, N, D,
	                                          &s.device_bytes, &s.host_bytes),
	         0);
	s.device = rules_device_memory(s.device_bytes);
	s.host = malloc(s.host_bytes);
	return s;
}

static int scene_getrf(const struct scene *s)
{
	return cuda.cusolverDnXgetrf(s->handle, s->params, N, N, D, s->a, N, s->pivots, D,
	                             s->device, s->device_bytes, s->host, s->host_bytes, s->info);
}

static int scene_potrf(const struct scene *s, int uplo)
{
	size_t device_bytes = 0, host_bytes = 0;
	CHECK_IS(cuda.cusolverDnXpotrf_bufferSize(s->handle, s->params, uplo, N, D, s->a, N, D,
	                                          &device_bytes, &host_bytes),
	         0);
	void *device = rules_device_memory(device_bytes), *host = malloc(host_bytes + 1);
	int status = cuda.cusolverDnXpotrf(s->handle, s->params, uplo, N, D, s->a, N, D, device,
	                                   device_bytes, host, host_bytes, s->info);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	free(host);
	return status;
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

static int try_getrf(const struct scene *s, int64_t m, int64_t n, int type, int64_t lda,
                     int compute)
{
	size_t device_bytes, host_bytes;
	int status = cuda.cusolverDnXgetrf_bufferSize(s->handle, s->params, m, n, type, s->a, lda,
	                                              compute, &device_bytes, &host_bytes);
	CHECK_IS(cuda.cusolverDnXgetrf(s->handle, s->params, m, n, type, s->a, lda, s->pivots,
	                               compute, s->device, s->device_bytes, s->host, s->host_bytes,
	                               s->info),
	         status);
	return status;
}

static void lu_arguments_are_checked(void)
{
	const struct scene s = scene_open();
	CHECK_IS(try_getrf(&s, -1, 2, D, 2, D), BAD);
	CHECK_IS(try_getrf(&s, 2, -1, D, 2, D), BAD);
	CHECK_IS(try_getrf(&s, 3, 2, D, 2, D), BAD);
	CHECK_IS(try_getrf(&s, 0, 0, D, 0, D), BAD);
	CHECK_IS(try_getrf(&s, 2, 2, 2, 2, 2), BAD);
	CHECK_IS(try_getrf(&s, 2, 2, D, 2, SIM_TYPE_S), BAD);
	CHECK_IS(try_getrf(&s, 2, 2, D, 2, D), 0);
	CHECK_IS(try_getrf(&s, 0, 0, D, 1, D), 0);
	CHECK_IS(info_of(&s), 0);
	struct scene other = s;
	other.a = NULL;
	CHECK_IS(scene_getrf(&other), BAD);
	other = s;
	other.info = NULL;
	CHECK_IS(scene_getrf(&other), BAD);
	other = s;
	other.handle = NULL;
	CHECK_IS(scene_getrf(&other), SIM_CUSOLVER_STATUS_NOT_INITIALIZED);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

static void solving_arguments_are_checked(void)
{
	const struct scene s = scene_open();
	double *b = matrix_of(1, 1);
	CHECK_IS(scene_getrf(&s), 0);
#define TRY(trans, n, columns, lda, type, ldb)                                                     \
	cuda.cusolverDnXgetrs(s.handle, s.params, trans, n, columns, D, s.a, lda, s.pivots, type,  \
	                      b, ldb, s.info)
	CHECK_IS(TRY(3, N, 2, N, D, N), BAD);
	CHECK_IS(TRY(0, -1, 2, N, D, N), BAD);
	CHECK_IS(TRY(0, N, -2, N, D, N), BAD);
	CHECK_IS(TRY(0, N, 2, N - 1, D, N), BAD);
	CHECK_IS(TRY(0, N, 2, N, SIM_TYPE_S, N), BAD);
	CHECK_IS(TRY(0, N, 2, N, D, N - 1), BAD);
	CHECK_IS(TRY(0, N, 2, N, D, N), 0);
	CHECK_IS(TRY(0, N, 0, N, D, N), 0);
#undef TRY
	CHECK_IS(cuda.cusolverDnXpotrs(s.handle, s.params, SIM_UPLO_FULL, N, 2, D, s.a, N, D, b, N,
	                               s.info),
	         BAD);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

/* Parameters of SetAdvOptions belong to each call that takes them. */
static void parameters_are_checked(void)
{
	struct scene s = scene_open();
	size_t device_bytes = 0, host_bytes = 0;
	CHECK_IS(cuda.cusolverDnSetAdvOptions(s.params, SIM_DN_GETRF, 3), BAD);
	CHECK_IS(cuda.cusolverDnSetAdvOptions(s.params, 3, SIM_ALG_0), BAD);
	CHECK_IS(cuda.cusolverDnSetAdvOptions(s.params, SIM_DN_GETRF, SIM_ALG_1), 0);
	CHECK_IS(cuda.cusolverDnXgetrf_bufferSize(s.handle, s.params, N, N, D, s.a, N, D,
	                                          &device_bytes, &host_bytes),
	         0);
	CHECK(device_bytes < s.device_bytes);
	s.params = NULL;
	CHECK_IS(scene_getrf(&s), BAD);
}

/* Exactly what was asked for will do, and not a byte less. */
static void workspaces_are_checked_to_the_byte(void)
{
	struct scene s = scene_open();
	CHECK(s.device_bytes > 0 && s.host_bytes > 0);
	CHECK_IS(scene_getrf(&s), 0);
	s.device_bytes--;
	CHECK_IS(scene_getrf(&s), SMALL);
	s.device_bytes++;
	s.host_bytes--;
	CHECK_IS(scene_getrf(&s), SMALL);
	s.host_bytes++;
	void *kept = s.device;
	s.device = NULL;
	CHECK_IS(scene_getrf(&s), BAD);
	s.device = kept;
	s.host = NULL;
	CHECK_IS(scene_getrf(&s), BAD);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK_IS(info_of(&s), 0);
}

/* A lie about its size shows at the first use. */
static void workspaces_must_exist(void)
{
	struct scene s = scene_open();
	s.device = (char *)rules_device_memory(s.device_bytes + 256) + 512;
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
}

static void workspaces_are_aligned(void)
{
	struct scene s = scene_open();
	s.device = (char *)rules_device_memory(s.device_bytes + 256) + 64;
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorMisalignedAddress);
}

/* The host's workspace is in use until the stream is done. */
static void host_workspaces_are_used_late(void)
{
	struct scene s = scene_open();
	unsigned char *host = s.host;
	memset(host, 7, s.host_bytes);
	CHECK_IS(scene_getrf(&s), 0);
	CHECK(host[0] == 7 && host[s.host_bytes - 1] == 7);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK(host[0] != 7 && host[s.host_bytes - 1] != 7);
}

/* One workspace on two streams without order: one of the factors is garbage. */
static void workspaces_are_not_shared(void)
{
	struct scene s = scene_open();
	double *first = s.a, *second = matrix_of(N, 1);
	CHECK_IS(cuda.cusolverDnSetStream(s.handle, rules_stream(SIM_STREAM_NON_BLOCKING)), 0);
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(cuda.cusolverDnSetStream(s.handle, rules_stream(SIM_STREAM_NON_BLOCKING)), 0);
	s.a = second;
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK(isnan(element_of(first, 0, 0)) || isnan(element_of(second, 0, 0)));
}

/* Nothing is known of a factorisation before its stream was waited for. */
static void info_is_written_late(void)
{
	const struct scene s = scene_open();
	void *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	int *info = rules_pinned(sizeof *info);
	*info = 77;
	CHECK_IS(cuda.cusolverDnSetStream(s.handle, stream), 0);
	CHECK_IS(cuda.cusolverDnXgetrf(s.handle, s.params, N, N, D, s.a, N, s.pivots, D, s.device,
	                               s.device_bytes, s.host, s.host_bytes, info),
	         0);
	CHECK_IS(*info, 77);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK_IS(*info, 0);
}

/* Column 3 is the double of column 1; what then is in A is open. */
static void singular_matrices_have_a_number(void)
{
	double host[ELEMENTS];
	struct scene s = scene_open();
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			host[i + j * N] = j == 3 ? 2 * host[i + N] : i == j ? 4 : 0;
	s.a = rules_device_copy(host, BYTES);
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(info_of(&s), 4);
	CHECK(isnan(element_of(s.a, 0, 0)));
	s.a = matrix_of(0, 0);
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(info_of(&s), 1);
}

static void indefinite_matrices_have_a_number(void)
{
	struct scene s = scene_open();
	for (int uplo = LOWER; uplo <= UPPER; uplo++)
		for (int bad = 0; bad < N; bad++) {
			const double minus = -1;
			s.a = matrix_of(2, 0);
			CHECK_IS(cuda.cudaMemcpy(s.a + bad * (N + 1), &minus, sizeof minus,
			                         SIM_COPY_H2D),
			         0);
			CHECK_IS(scene_potrf(&s, uplo), 0);
			CHECK_IS(info_of(&s), bad + 1);
		}
}

static void the_other_triangle_is_scratch(void)
{
	struct scene s = scene_open();
	CHECK_IS(scene_potrf(&s, LOWER), 0);
	CHECK(isnan(element_of(s.a, 0, 1)) && isnan(element_of(s.a, N - 2, N - 1)));
	CHECK(!isnan(element_of(s.a, 1, 0)) && !isnan(element_of(s.a, N - 1, N - 1)));
	s.a = matrix_of(N, 1);
	CHECK_IS(scene_potrf(&s, UPPER), 0);
	CHECK(isnan(element_of(s.a, 1, 0)) && !isnan(element_of(s.a, 0, 1)));
}

/* Without a place for pivots no rows are exchanged. */
static void pivots_may_be_left_out(void)
{
	struct scene s = scene_open();
	const double host[ELEMENTS] = {1, 2};
	s.a = matrix_of(1, 0);
	CHECK_IS(cuda.cudaMemcpy(s.a, host, 2 * sizeof *host, SIM_COPY_H2D), 0);
	s.pivots = NULL;
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(info_of(&s), 0);
	CHECK(element_of(s.a, 0, 0) == 1 && element_of(s.a, 1, 0) == 2);
}

static void calls_fail_on_command(void)
{
	void *handle = &handle;
	CHECK_IS(cuda.cusolverDnCreate(&handle), SIM_CUSOLVER_STATUS_ALLOC_FAILED);
	CHECK(handle == &handle);
	const struct scene s = scene_open();
	CHECK_IS(scene_getrf(&s), SIM_CUSOLVER_STATUS_EXECUTION_FAILED);
	CHECK_IS(scene_getrf(&s), SIM_CUSOLVER_STATUS_INTERNAL_ERROR);
	CHECK(element_of(s.a, 0, 0) == N);
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(info_of(&s), 0);
}

static void kernels_fail_when_they_run(void)
{
	const struct scene s = scene_open();
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorLaunchFailure);
}

/* One number differs by a power of two, and info is 0. */
static void kernels_compute_wrongly(void)
{
	double right[ELEMENTS], wrong[ELEMENTS];
	struct scene s = scene_open();
	int different = 0;
	for (int turn = 0; turn < 2; turn++) {
		s.a = matrix_of(N, 1);
		CHECK_IS(scene_getrf(&s), 0);
		CHECK_IS(info_of(&s), 0);
		rules_read_back(turn ? right : wrong, s.a, BYTES);
	}
	for (int i = 0; i < ELEMENTS; i++)
		different += right[i] != wrong[i];
	CHECK_IS(different, 1);
}

static void kernels_do_not_solve(void)
{
	const struct scene s = scene_open();
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(info_of(&s), 1);
	CHECK(isnan(element_of(s.a, 0, 0)) && isnan(element_of(s.a, N - 1, N - 1)));
}

/* What a workspace holds afterwards is garbage, and so is what a client finds there. */
static void workspaces_hold_garbage(void)
{
	const struct scene s = scene_open();
	double value = 0;
	CHECK_IS(cuda.cudaMemset(s.device, 0, s.device_bytes), 0);
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(info_of(&s), 0);
	rules_read_back(&value, (double *)s.device + 3, sizeof value);
	CHECK(rules_is_poison(value));
}

static void streams_belong_to_the_device(void)
{
	const struct scene s = scene_open();
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	CHECK_IS(scene_getrf(&s), SIM_CUSOLVER_STATUS_EXECUTION_FAILED);
	CHECK_IS(cuda.cudaSetDevice(0), 0);
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(info_of(&s), 0);
}

static void captures_prohibit_handles(void)
{
	void *handle = NULL, *graph = NULL, *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	const struct scene s = scene_open();
	CHECK_IS(cuda.cudaStreamBeginCapture(stream, 0), 0);
	CHECK_IS(cuda.cusolverDnCreate(&handle), SIM_CUSOLVER_STATUS_INTERNAL_ERROR);
	CHECK_IS(cuda.cudaStreamEndCapture(stream, &graph), SIM_cudaErrorStreamCaptureInvalidated);
	CHECK_IS(cuda.cusolverDnSetStream(s.handle, stream), 0);
	CHECK_IS(cuda.cudaStreamBeginCapture(stream, 2), 0);
	CHECK_IS(scene_getrf(&s), SIM_CUSOLVER_STATUS_EXECUTION_FAILED);
	CHECK_IS(cuda.cudaStreamEndCapture(stream, &graph), SIM_cudaErrorStreamCaptureInvalidated);
}

/* 2/3 n^3 operations at 1 GFLOP/s are 144 ns, and a column takes 3 us. */
static void time_goes_by_columns(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "dgemm_tflops_s = 0.001\nsolver_lu_us = 3\n");
	const struct scene s = scene_open();
	unsigned long long before = cuda.simcuda_clock_ns();
	CHECK_IS(scene_getrf(&s), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK_IS(cuda.simcuda_clock_ns() - before, N * 3000 + 144);
}

const struct rule solver_rules[] = {
	{"cusolver: arguments of getrf", RULE_SIM_ONLY, NULL, lu_arguments_are_checked},
	{"cusolver: arguments of getrs", RULE_SIM_ONLY, NULL, solving_arguments_are_checked},
	{"cusolver: parameters are checked", RULE_SIM_ONLY, NULL, parameters_are_checked},
	{"cusolver: workspaces to the byte", RULE_SIM_ONLY, NULL,
         workspaces_are_checked_to_the_byte},
	{"cusolver: workspaces must exist", RULE_SIM_ONLY, NULL, workspaces_must_exist},
	{"cusolver: workspaces are aligned", RULE_SIM_ONLY, NULL, workspaces_are_aligned},
	{"cusolver: the host's workspace", RULE_SIM_ONLY, NULL, host_workspaces_are_used_late},
	{"cusolver: workspaces are not shared", RULE_SIM_ONLY, NULL, workspaces_are_not_shared},
	{"cusolver: info is written late", RULE_SIM_ONLY, NULL, info_is_written_late},
	{"cusolver: singular matrices", RULE_SIM_ONLY, NULL, singular_matrices_have_a_number},
	{"cusolver: indefinite matrices", RULE_WITH_SOLVER, NULL,
         indefinite_matrices_have_a_number},
	{"cusolver: the other triangle", RULE_SIM_ONLY, NULL, the_other_triangle_is_scratch},
	{"cusolver: no pivots", RULE_WITH_SOLVER, NULL, pivots_may_be_left_out},
	{"cusolver: failing on command", RULE_SIM_ONLY,
         "SIMCUDA_FAIL=cusolverDnCreate:1,cusolverDnXgetrf:1,cusolverDnXgetrf:2:7",
         calls_fail_on_command},
	{"cusolver: a kernel fails", RULE_SIM_ONLY, "SIMCUDA_FAIL=kernel:1",
         kernels_fail_when_they_run},
	{"cusolver: a kernel computes wrongly", RULE_SIM_ONLY, "SIMCUDA_FAIL=kernel:1:wrong",
         kernels_compute_wrongly},
	{"cusolver: a kernel does not solve", RULE_SIM_ONLY, "SIMCUDA_FAIL=kernel:1:info",
         kernels_do_not_solve},
	{"cusolver: workspaces hold garbage", RULE_SIM_ONLY, NULL, workspaces_hold_garbage},
	{"cusolver: streams belong to the device", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2",
         streams_belong_to_the_device},
	{"cusolver: captures", RULE_SIM_ONLY, NULL, captures_prohibit_handles},
	{"cusolver: time", RULE_SIM_ONLY, NULL, time_goes_by_columns},
	{0},
};
