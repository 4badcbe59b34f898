/* sim_rules_cublas.c - the rules of cuBLAS handles and of gemm's arguments */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_rules.h"

enum { N = 8, ELEMENTS = N * N, BYTES = ELEMENTS * sizeof(double) };
static const double zero = 0, one = 1, two = 2;

static double *filled(double value)
{
	double host[ELEMENTS];
	for (int i = 0; i < ELEMENTS; i++)
		host[i] = value;
	return rules_device_copy(host, BYTES);
}

/* Computes C := alpha A B + beta C of N x N. Returns the first element of the result. */
static double multiply(void *handle, const double *alpha, const double *a, const double *b,
                       const double *beta, double *c)
{
	double result = 0;
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, N, alpha, a, N, b, N, beta, c, N), 0);
	rules_read_back(&result, c, sizeof result);
	return result;
}

static void handles_are_checked(void)
{
	int version = 0, stale = 7;
	void *handle = rules_handle(), *stream = &stale;
	CHECK_IS(cuda.cublasGetVersion_v2(handle, &version), 0);
	CHECK(version > 0);
	CHECK_IS(cuda.cublasGetStream_v2(handle, &stream), 0);
	CHECK(!stream);
	CHECK_IS(cuda.cublasDestroy_v2(NULL), SIM_CUBLAS_STATUS_NOT_INITIALIZED);
	CHECK_IS(cuda.cublasSetStream_v2(NULL, NULL), SIM_CUBLAS_STATUS_NOT_INITIALIZED);
	CHECK_IS(cuda.cublasDgemm_v2(NULL, 0, 0, 1, 1, 1, &one, NULL, 1, NULL, 1, &one, NULL, 1),
	         SIM_CUBLAS_STATUS_NOT_INITIALIZED);
	CHECK_IS(cuda.cublasDestroy_v2(handle), 0);
	CHECK(!cuda.simcuda_version ||
	      cuda.cublasDestroy_v2(handle) == SIM_CUBLAS_STATUS_NOT_INITIALIZED);
	CHECK(!strcmp(cuda.cublasGetStatusName(13), "CUBLAS_STATUS_EXECUTION_FAILED"));
	CHECK(cuda.cublasGetStatusString(3)[0] != 0);
}

static void settings_are_checked(void)
{
	void *handle = rules_handle();
	int mode = -7;
	CHECK_IS(cuda.cublasSetPointerMode_v2(handle, 1), 0);
	CHECK_IS(cuda.cublasGetPointerMode_v2(handle, &mode), 0);
	CHECK_IS(mode, 1);
	CHECK_IS(cuda.cublasSetMathMode(handle, SIM_MATH_TF32), 0);
	CHECK_IS(cuda.cublasGetMathMode(handle, &mode), 0);
	CHECK_IS(mode, SIM_MATH_TF32);
	CHECK_IS(cuda.cublasSetMathMode(handle, 7), SIM_CUBLAS_STATUS_INVALID_VALUE);
	CHECK_IS(cuda.cublasSetAtomicsMode(handle, 1), 0);
	char *workspace = rules_device_memory(1 << 20);
	CHECK_IS(cuda.cublasSetWorkspace_v2(handle, workspace, 1 << 20), 0);
	CHECK_IS(cuda.cublasSetWorkspace_v2(handle, workspace + 8, 4096),
	         SIM_CUBLAS_STATUS_INVALID_VALUE);
}

static int try_gemm(void *handle, int transa, int transb, int m, int n, int k, int lda, int ldb,
                    int ldc)
{
	static double *memory;
	if (!memory)
		memory = filled(1);
	return cuda.cublasDgemm_v2(handle, transa, transb, m, n, k, &one, memory, lda, memory, ldb,
	                           &one, memory, ldc);
}

static void arguments_are_checked(void)
{
	const int bad = SIM_CUBLAS_STATUS_INVALID_VALUE;
	void *handle = rules_handle();
	double *memory = filled(1);
	CHECK_IS(try_gemm(handle, 0, 0, -1, 2, 2, 2, 2, 2), bad);
	CHECK_IS(try_gemm(handle, 0, 0, 2, -1, 2, 2, 2, 2), bad);
	CHECK_IS(try_gemm(handle, 0, 0, 2, 2, -1, 2, 2, 2), bad);
	CHECK_IS(try_gemm(handle, 9, 0, 2, 2, 2, 2, 2, 2), bad);
	CHECK_IS(try_gemm(handle, 0, 9, 2, 2, 2, 2, 2, 2), bad);
	CHECK_IS(try_gemm(handle, 0, 0, 4, 2, 2, 3, 2, 4), bad);
	CHECK_IS(try_gemm(handle, 1, 0, 2, 2, 4, 3, 4, 2), bad);
	CHECK_IS(try_gemm(handle, 0, 0, 2, 2, 4, 2, 3, 2), bad);
	CHECK_IS(try_gemm(handle, 0, 1, 2, 4, 2, 2, 3, 2), bad);
	CHECK_IS(try_gemm(handle, 0, 0, 4, 2, 2, 4, 2, 3), bad);
	CHECK_IS(try_gemm(handle, 0, 0, 0, 0, 0, 0, 1, 1), bad);
	CHECK_IS(try_gemm(handle, 0, 0, 0, 0, 0, 1, 1, 1), 0);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 1, 1, 1, NULL, memory, 1, memory, 1, &one,
	                             memory, 1),
	         bad);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 1, 1, 1, &one, memory, 1, memory, 1, NULL,
	                             memory, 1),
	         bad);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 0, 4, 4, &one, NULL, 1, NULL, 4, &one, NULL, 1),
	         0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

static void beta_zero_does_not_read_c(void)
{
	void *handle = rules_handle();
	double *a = filled(1), *b = filled(2), *c = filled(NAN);
	CHECK(multiply(handle, &one, a, b, &zero, c) == 2 * N);
	CHECK(multiply(handle, &one, a, b, &two, c) == 2 * N + 4 * N);
	c = filled(NAN);
	CHECK(isnan(multiply(handle, &one, a, b, &one, c)));
}

static void poisoned_operands_show(void)
{
	void *handle = rules_handle();
	double *a = filled(1), *fresh = rules_device_memory(BYTES);
	CHECK(isnan(multiply(handle, &one, a, fresh, &zero, filled(0))));
	CHECK(isnan(multiply(handle, &one, a, a, &one, fresh)));
	CHECK(multiply(handle, &one, a, a, &zero, rules_device_memory(BYTES)) == N);
	/* With alpha 0 the operands are still read: the vendor promises no exemption. */
	CHECK(isnan(multiply(handle, &zero, rules_device_memory(BYTES), a, &zero, filled(0))));
}

static void no_inner_dimension_scales(void)
{
	void *handle = rules_handle();
	double *c = filled(3), result = 0;
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, 0, &one, NULL, N, NULL, N, &two, c, N), 0);
	rules_read_back(&result, c + ELEMENTS - 1, sizeof result);
	CHECK(result == 6);
	c = filled(NAN);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, 0, &one, NULL, N, NULL, N, &zero, c, N),
	         0);
	rules_read_back(&result, c, sizeof result);
	CHECK(result == 0);
}

static void host_scalars_are_read_at_the_call(void)
{
	void *handle = rules_handle();
	double alpha = 1, beta = 0, result, *a = filled(1), *c = filled(NAN);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, N, &alpha, a, N, a, N, &beta, c, N), 0);
	alpha = beta = 100;
	rules_read_back(&result, c, sizeof result);
	CHECK(result == N);
}

static void device_scalars_are_read_on_the_device(void)
{
	void *handle = rules_handle();
	double *alpha = rules_device_copy(&two, sizeof two),
	       *beta = rules_device_copy(&zero, sizeof zero);
	CHECK_IS(cuda.cublasSetPointerMode_v2(handle, 1), 0);
	CHECK(multiply(handle, alpha, filled(1), filled(1), beta, filled(NAN)) == 2 * N);
	CHECK_IS(cuda.cublasSetPointerMode_v2(handle, 0), 0);
	CHECK(multiply(handle, &one, filled(1), filled(1), &zero, filled(NAN)) == N);
}

static void only_c_is_written(void)
{
	void *handle = rules_handle();
	double host[ELEMENTS], *a = filled(1), *c = filled(5);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 3, 4, N, &one, a, N, a, N, &zero, c, N), 0);
	rules_read_back(host, c, BYTES);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			CHECK(host[i + j * N] == (i < 3 && j < 4 ? N : 5));
}

/* The last column ends with its last row: no byte after it is accessed. */
static void operands_may_end_with_memory(void)
{
	void *handle = rules_handle();
	size_t tight = (size_t)(2 * N + 3) * sizeof(double);
	double *a = filled(1), *c = rules_device_memory(tight);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 3, 3, 2, &one, a, N, a, N, &zero, c, N), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

static void operands_outside_memory_fault(void)
{
	void *handle = rules_handle();
	double *a = filled(1);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, N, &one, a + 1, N, a, N, &zero, filled(1),
	                             N),
	         0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, N, &one, a, N, a, N, &zero, a, N),
	         SIM_CUBLAS_STATUS_EXECUTION_FAILED);
}

static void host_operands_fault(void)
{
	void *handle = rules_handle();
	double host[ELEMENTS] = {0}, *a = filled(1);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, N, &one, host, N, a, N, &zero, a, N), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
}

static void misaligned_operands_fault(void)
{
	void *handle = rules_handle();
	char *a = (char *)filled(1);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 2, 2, 2, &one, a + 4, 2, a, 2, &zero, a, 2), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorMisalignedAddress);
}

static void a_handle_belongs_to_a_device(void)
{
	void *handle = rules_handle(), *memory = filled(1);
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 1, 1, 1, &one, memory, 1, memory, 1, &zero,
	                             memory, 1),
	         SIM_CUBLAS_STATUS_EXECUTION_FAILED);
	CHECK_IS(cuda.cudaSetDevice(0), 0);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 1, 1, 1, &one, memory, 1, memory, 1, &zero,
	                             memory, 1),
	         0);
}

/*
 * Uses one handle on two streams, ordered by an event or not. Returns how many of the two results
 * are right.
 */
static int right_results(void *handle, bool ordered)
{
	void *first = rules_stream(SIM_STREAM_NON_BLOCKING),
	     *second = rules_stream(SIM_STREAM_NON_BLOCKING);
	void *event = rules_event();
	double *a = filled(1), *c = filled(0), *d = filled(0), x = 0, y = 0;
	CHECK_IS(cuda.cublasSetStream_v2(handle, first), 0);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, N, &one, a, N, a, N, &zero, c, N), 0);
	CHECK_IS(cuda.cudaEventRecord(event, first), 0);
	if (ordered)
		CHECK_IS(cuda.cudaStreamWaitEvent(second, event, 0), 0);
	CHECK_IS(cuda.cublasSetStream_v2(handle, second), 0);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, N, &one, a, N, a, N, &zero, d, N), 0);
	rules_read_back(&x, c, sizeof x);
	rules_read_back(&y, d, sizeof y);
	return (x == N) + (y == N);
}

static void ordered_streams_may_share_a_handle(void)
{
	CHECK_IS(right_results(rules_handle(), true), 2);
}

static void unordered_streams_may_not_share_a_handle(void)
{
	void *handle = rules_handle();
	for (int round = 0; round < 10; round++)
		CHECK(right_results(handle, false) < 2);
	CHECK_IS(right_results(handle, true), 2);
}

static void changing_streams_drops_the_workspace(void)
{
	void *handle = rules_handle(), *workspace = rules_device_memory(1 << 20);
	CHECK_IS(cuda.cublasSetWorkspace_v2(handle, workspace, 1 << 20), 0);
	CHECK(multiply(handle, &one, filled(1), filled(1), &zero, filled(0)) == N);
	CHECK_IS(cuda.cublasSetStream_v2(handle, rules_stream(0)), 0);
	CHECK_IS(cuda.cudaFree(workspace), 0);
	CHECK(multiply(handle, &one, filled(1), filled(1), &zero, filled(0)) == N);
}

static void a_freed_workspace_faults(void)
{
	void *handle = rules_handle(), *workspace = rules_device_memory(1 << 20);
	double *a = filled(1);
	CHECK_IS(cuda.cublasSetWorkspace_v2(handle, workspace, 1 << 20), 0);
	CHECK_IS(cuda.cudaFree(workspace), 0);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, N, &one, a, N, a, N, &zero, a, N), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
}

static void workspaces_are_left_poisoned(void)
{
	void *handle = rules_handle();
	double left = 0, *workspace = rules_device_copy(&left, sizeof left);
	CHECK_IS(cuda.cublasSetWorkspace_v2(handle, workspace, sizeof left), 0);
	CHECK(multiply(handle, &one, filled(1), filled(1), &zero, filled(0)) == N);
	rules_read_back(&left, workspace, sizeof left);
	CHECK(rules_is_poison(left));
}

static void handles_cost_memory_until_destroyed(void)
{
	size_t before = 0, during = 0, after = 0, total = 0;
	CHECK_IS(cuda.cudaMemGetInfo(&before, &total), 0);
	void *handle = rules_handle();
	CHECK_IS(cuda.cudaMemGetInfo(&during, &total), 0);
	CHECK_IS(cuda.cublasDestroy_v2(handle), 0);
	CHECK_IS(cuda.cudaMemGetInfo(&after, &total), 0);
	CHECK(during < before && after == before);
}

static void destroying_waits(void)
{
	void *handle = rules_handle(), *pinned = NULL,
	     *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	CHECK_IS(cuda.cudaMallocHost(&pinned, sizeof(double)), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(pinned, filled(4), sizeof(double), SIM_COPY_D2H, stream), 0);
	CHECK_IS(cuda.cublasDestroy_v2(handle), 0);
	CHECK(*(double *)pinned == 4);
}

static float product_of_thirds(int math_mode)
{
	const float third = 1.0f / 3, nothing = 0, unit = 1;
	float result = 0, *a = rules_device_copy(&third, sizeof third),
	      *c = rules_device_memory(sizeof result);
	void *handle = rules_handle();
	CHECK_IS(cuda.cublasSetMathMode(handle, math_mode), 0);
	CHECK_IS(cuda.cublasSgemm_v2(handle, 0, 0, 1, 1, 1, &unit, a, 1, a, 1, &nothing, c, 1), 0);
	rules_read_back(&result, c, sizeof result);
	return result;
}

static void tf32_is_coarse(void)
{
	CHECK(fabsf(product_of_thirds(0) - 1.0f / 9) < 1e-8f);
	CHECK(fabsf(product_of_thirds(SIM_MATH_TF32) - 1.0f / 9) > 1e-5f);
	CHECK(fabsf(product_of_thirds(SIM_MATH_TF32) - 1.0f / 9) < 1e-3f);
}

static double error_of_thirds(int math_mode)
{
	return fabs((double)product_of_thirds(math_mode) - 1.0 / 9);
}

static double error_of_double_thirds(int math_mode)
{
	const double third = 1.0 / 3, nothing = 0, unit = 1;
	double result = 0, *a = rules_device_copy(&third, sizeof third),
	       *c = rules_device_memory(sizeof result);
	void *handle = rules_handle();
	CHECK_IS(cuda.cublasSetMathMode(handle, math_mode), 0);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 1, 1, 1, &unit, a, 1, a, 1, &nothing, c, 1), 0);
	rules_read_back(&result, c, sizeof result);
	return fabs(result - 1.0 / 9);
}

static void emulation_shows(void)
{
	if (cuda.major < 13)
		return;
	CHECK(error_of_thirds(SIM_MATH_BF16X9) > 2e-8 && error_of_thirds(SIM_MATH_BF16X9) < 1e-6);
	CHECK(error_of_double_thirds(SIM_MATH_FP64_EMULATED) > 1e-16);
	CHECK(error_of_double_thirds(SIM_MATH_FP64_EMULATED) < 1e-13);
	CHECK(error_of_double_thirds(SIM_MATH_DEFAULT) < 1e-16);
	CHECK(error_of_thirds(SIM_MATH_FP64_EMULATED) < 1e-8);
}

/* The error of 1/9 as a product of 1/3 on this handle, where all sizes are order. */
static double error_of_order(void *handle, int order)
{
	const size_t bytes = (size_t)(order * order) * sizeof(double);
	double *host = calloc(1, bytes), nothing = 0, unit = 1, result = 0;
	for (int i = 0; i < order; i++)
		host[i * order + i] = 1.0 / 3;
	double *a = rules_device_copy(host, bytes), *c = rules_device_memory(bytes);
	free(host);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, order, order, order, &unit, a, order, a, order,
	                             &nothing, c, order),
	         0);
	rules_read_back(&result, c, sizeof result);
	return fabs(result - 1.0 / 9);
}

/* By default only where it pays, which is a matter of size; eager: always. */
static void emulation_goes_by_size(void)
{
	int strategy = -1;
	if (cuda.major < 13)
		return;
	void *handle = rules_handle();
	CHECK_IS(cuda.cublasSetMathMode(handle, SIM_MATH_FP64_EMULATED), 0);
	CHECK(error_of_order(handle, 31) < 1e-16);
	CHECK(error_of_order(handle, 32) > 1e-16);
	CHECK_IS(cuda.cublasSetEmulationStrategy(handle, SIM_STRATEGY_EAGER), 0);
	CHECK(error_of_order(handle, 4) > 1e-16);
	CHECK_IS(cuda.cublasSetEmulationStrategy(handle, 3), SIM_CUBLAS_STATUS_INVALID_VALUE);
	CHECK_IS(cuda.cublasGetEmulationStrategy(handle, &strategy), 0);
	CHECK_IS(strategy, SIM_STRATEGY_EAGER);
	CHECK_IS(cuda.cublasSetEmulationStrategy(handle, SIM_STRATEGY_PERFORMANT), 0);
	CHECK(error_of_order(handle, 31) < 1e-16);
	CHECK_IS(cuda.cublasSetMathMode(handle, SIM_MATH_PEDANTIC), 0);
	CHECK(error_of_order(handle, 32) < 1e-16);
}

static void variables_hold_in_default_mode(void)
{
	CHECK(error_of_thirds(SIM_MATH_DEFAULT) > 1e-5);
	CHECK(error_of_thirds(SIM_MATH_PEDANTIC) < 1e-8);
	CHECK(error_of_double_thirds(SIM_MATH_DEFAULT) > 1e-16 || cuda.major < 13);
	CHECK(error_of_double_thirds(SIM_MATH_PEDANTIC) < 1e-16);
}

static void stubborn_variables_hold(void)
{
	CHECK(error_of_thirds(SIM_MATH_PEDANTIC) > 1e-5);
	CHECK(error_of_double_thirds(SIM_MATH_PEDANTIC) > 1e-16 || cuda.major < 13);
}

static void variables_take_tf32_away(void)
{
	CHECK(error_of_thirds(SIM_MATH_TF32) < 1e-8);
}

static void wide_integers_exist_from_12_on(void)
{
	CHECK_IS(cuda.cublasDgemm_v2_64 != NULL, cuda.major >= 12);
	CHECK_IS(cuda.cublasCgemm_v2_64 != NULL, cuda.major >= 12);
	if (!cuda.cublasDgemm_v2_64)
		return;
	double *c = filled(0), result = 0;
	CHECK_IS(cuda.cublasDgemm_v2_64(rules_handle(), 0, 0, N, 1, N, &one, filled(1), N,
	                                filled(1), N, &zero, c, (int64_t)1 << 33),
	         0);
	rules_read_back(&result, c, sizeof result);
	CHECK(result == N);
}

static void scal_scales_in_steps(void)
{
	double numbers[6] = {1, 2, 3, 4, 5, 6}, half = 0.5;
	float small[6] = {1, 2, 3, 4, 5, 6}, third = 3;
	void *handle = rules_handle();
	double *device = rules_device_copy(numbers, sizeof numbers);
	float *other = rules_device_copy(small, sizeof small);
	CHECK_IS(cuda.cublasDscal_v2(handle, 3, &half, device, 2), 0);
	CHECK_IS(cuda.cublasSscal_v2(handle, 2, &third, other + 1, 3), 0);
	CHECK_IS(cuda.cublasDscal_v2(handle, 0, &half, device, 1), 0);
	rules_read_back(numbers, device, sizeof numbers);
	rules_read_back(small, other, sizeof small);
	for (int i = 0; i < 6; i++) {
		CHECK(numbers[i] == (i % 2 ? 1 : 0.5) * (i + 1));
		CHECK(small[i] == (float)((i % 3 == 1 ? 3 : 1) * (i + 1)));
	}
}

const struct rule cublas_rules[] = {
	{"cublas: handles", RULE_ANYWHERE, NULL, handles_are_checked},
	{"cublas: settings", RULE_ANYWHERE, NULL, settings_are_checked},
	{"cublas: arguments", RULE_ANYWHERE, NULL, arguments_are_checked},
	{"cublas: beta = 0 does not read C", RULE_ANYWHERE, NULL, beta_zero_does_not_read_c},
	{"cublas: poisoned operands show", RULE_SIM_ONLY, NULL, poisoned_operands_show},
	{"cublas: k = 0 scales", RULE_ANYWHERE, NULL, no_inner_dimension_scales},
	{"cublas: host scalars read at the call", RULE_ANYWHERE, NULL,
         host_scalars_are_read_at_the_call},
	{"cublas: device scalars", RULE_ANYWHERE, NULL, device_scalars_are_read_on_the_device},
	{"cublas: only C is written", RULE_ANYWHERE, NULL, only_c_is_written},
	{"cublas: operands may end with memory", RULE_ANYWHERE, NULL, operands_may_end_with_memory},
	{"cublas: operands outside memory", RULE_SIM_ONLY, NULL, operands_outside_memory_fault},
	{"cublas: operands on the host", RULE_SIM_ONLY, NULL, host_operands_fault},
	{"cublas: operands misaligned", RULE_SIM_ONLY, NULL, misaligned_operands_fault},
	{"cublas: handle belongs to a device", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2",
         a_handle_belongs_to_a_device},
	{"cublas: ordered streams may share a handle", RULE_ANYWHERE, NULL,
         ordered_streams_may_share_a_handle},
	{"cublas: unordered streams may not", RULE_SIM_ONLY, NULL,
         unordered_streams_may_not_share_a_handle},
	{"cublas: new stream drops the workspace", RULE_ANYWHERE, NULL,
         changing_streams_drops_the_workspace},
	{"cublas: freed workspace", RULE_SIM_ONLY, NULL, a_freed_workspace_faults},
	{"cublas: workspaces are left poisoned", RULE_SIM_ONLY, NULL, workspaces_are_left_poisoned},
	{"cublas: handles cost memory", RULE_SIM_ONLY, NULL, handles_cost_memory_until_destroyed},
	{"cublas: destroying waits", RULE_ANYWHERE, NULL, destroying_waits},
	{"cublas: TF32 is coarse", RULE_SIM_ONLY, "SIMCUDA_CAPABILITY=9.0", tf32_is_coarse},
	{"cublas: emulation shows", RULE_SIM_ONLY, "CUBLAS_EMULATION_STRATEGY=eager",
         emulation_shows},
	{"cublas: emulation goes by size", RULE_SIM_ONLY, "SIMCUDA_EMULATE_FROM=32",
         emulation_goes_by_size},
	{"cublas: variables hold in the default mode", RULE_SIM_ONLY,
         "NVIDIA_TF32_OVERRIDE=1 CUBLAS_EMULATE_DOUBLE_PRECISION=1 "
         "CUBLAS_EMULATION_STRATEGY=eager",
         variables_hold_in_default_mode},
	{"cublas: stubborn variables hold in pedantic mode", RULE_SIM_ONLY,
         "NVIDIA_TF32_OVERRIDE=1 CUBLAS_EMULATE_DOUBLE_PRECISION=1 SIMCUDA_STUBBORN=1 "
         "CUBLAS_EMULATION_STRATEGY=eager",
         stubborn_variables_hold},
	{"cublas: a variable takes TF32 away", RULE_SIM_ONLY, "NVIDIA_TF32_OVERRIDE=0",
         variables_take_tf32_away},
	{"cublas: scal", RULE_ANYWHERE, NULL, scal_scales_in_steps},
	{"cublas: wide integers", RULE_ANYWHERE, NULL, wide_integers_exist_from_12_on},
	{0},
};
