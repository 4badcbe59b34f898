/* measure_call.c - whole calls by the shim's engine, with operands in ordinary memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure_call.h"

#include "shim/base/clock.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/session/session.h"

enum reason measure_call_start(struct options *options, int *device)
{
	struct situation situation = {.gpu = GPU_ASLEEP};
	options->warmup = WARMUP_WAIT;
	session_configure(options);
	session_wake();
	session_describe(&situation);
	*device = situation.device;
	return situation.gpu == GPU_READY ? REASON_NONE : situation.off_reason;
}

double measure_call_product(int device, enum element element, int64_t n, const void *a,
                            const void *b, void *c)
{
	const uint64_t size_bytes = (uint64_t)n * (uint64_t)n * element_size_bytes(element);
	bool finished = false;
	const struct call call = {.family = FAMILY_GEMM,
	                          .element = element,
	                          .size_bytes = 3 * size_bytes,
	                          .input_bytes = 2 * size_bytes,
	                          .output_bytes = size_bytes,
	                          .work_flops = (element_is_complex(element) ? 8.0 : 2.0) *
	                                        (double)n * (double)n * (double)n,
	                          .blas = {.m = n,
	                                   .n = n,
	                                   .k = n,
	                                   .lda = n,
	                                   .ldb = n,
	                                   .ldc = n,
	                                   .a = a,
	                                   .b = b,
	                                   .c = c,
	                                   .alpha = {1}}};
	const int64_t begin_ns = clock_monotonic_ns();
	const enum reason reason =
		gpu_blas_run(&call, __builtin_return_address(0), device, NULL, &finished);
	const int64_t end_ns = clock_monotonic_ns();
	return reason == REASON_NONE ? (double)(end_ns - begin_ns) / 1e9 : -1;
}

double measure_call_transform(int device, enum element element, int64_t n, void *array)
{
	const uint64_t size_bytes = (uint64_t)n * element_size_bytes(element);
	const struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                                    .element = element,
	                                    .rank = 1,
	                                    .dims = {{n, 1, 1}},
	                                    .howmany = 1,
	                                    .sign = -1,
	                                    .in_place = true};
	const struct call call = {
		.family = FAMILY_FFT_C2C,
		.element = element,
		.size_bytes = size_bytes,
		.input_bytes = size_bytes,
		.output_bytes = size_bytes,
		.fft = {.problem = &problem, .in = array, .out = array, .plan_key = array}};
	const int64_t begin_ns = clock_monotonic_ns();
	const enum reason reason = gpu_fft_run(&call, device);
	const int64_t end_ns = clock_monotonic_ns();
	return reason == REASON_NONE ? (double)(end_ns - begin_ns) / 1e9 : -1;
}

void measure_call_forget(const void *array)
{
	gpu_fft_forget(array);
}
