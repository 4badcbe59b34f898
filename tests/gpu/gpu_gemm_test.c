/* gpu_gemm_test.c - gemm on the GPU: all elements, operations, gaps, scalars and alignments */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check.h"
#include "shim/execute/gpu/device/memory.h"

static void test_element(enum element element, int device)
{
	static const int64_t size[][3] = {
		{1, 1, 1}, {17, 13, 9}, {64, 3, 50}, {5, 64, 1}, {1, 40, 33}};
	static const double complex scalar[][2] = {
		{1, 0}, {1, 1}, {0.5 - 0.25 * I, 2 + 1.5 * I}, {-1 + 3 * I, 0}};
	int calls = 0;
	for (size_t s = 0; s < sizeof size / sizeof size[0]; s++)
		for (int op = 0; op < 9; op++)
			for (size_t f = 0; f < sizeof scalar / sizeof scalar[0]; f++) {
				const struct gpu_check_gemm wanted = {
					.element = element,
					.transa = (enum transpose)(op / 3),
					.transb = (enum transpose)(op % 3),
					.m = size[s][0],
					.n = size[s][1],
					.k = size[s][2],
					.gap = (int64_t)2 * (calls % 3),
					.alpha = scalar[f][0],
					.beta = scalar[f][1],
					.offset_bytes = calls % 2 == 0 ? 0 : calls % 5 + 1};
				const enum reason reason = gpu_check_run_gemm(&wanted, device);
				EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
				calls++;
			}
}

/* Copies so far; those from memory with gaps have a pitch. */
static unsigned long count_copies(void)
{
	return gpu_check_count("cudaMemcpyAsync") + gpu_check_count("cudaMemcpy2DAsync");
}

/* A times its own transpose: the matrix is copied to the device once. */
static void test_same_operand(int device)
{
	const struct gpu_check_gemm wanted = {.element = ELEMENT_D,
	                                      .transa = TRANSPOSE_N,
	                                      .transb = TRANSPOSE_T,
	                                      .m = 30,
	                                      .n = 30,
	                                      .k = 20,
	                                      .gap = 1,
	                                      .alpha = 1,
	                                      .beta = 0,
	                                      .same = true};
	const unsigned long before = count_copies();
	EXPECT(gpu_check_run_gemm(&wanted, device) == REASON_NONE, "A times its transpose");
	EXPECT(!gpu_check_is_simulated() || count_copies() == before + 2, "one copy each way");
}

/*
 * Calls that BLAS returns from at once do not use the device; a device outside the session is
 * refused.
 */
static void test_refusals(int device)
{
	struct gpu_check_gemm wanted = {
		.element = ELEMENT_D, .m = 4, .n = 4, .k = 4, .alpha = 0, .beta = 1};
	EXPECT(gpu_check_run_gemm(&wanted, device) == REASON_LIBRARY_FAILED, "alpha is 0");
	wanted.alpha = 1;
	EXPECT(gpu_check_run_gemm(&wanted, device + 1) != REASON_NONE,
	       "a device that was not started");
	EXPECT(gpu_check_run_gemm(&wanted, device) == REASON_NONE, "and the right one");
}

/* Later equal calls use the memory of the first. */
static void test_steady_state(int device)
{
	const struct gpu_check_gemm wanted = {
		.element = ELEMENT_D, .m = 100, .n = 100, .k = 100, .alpha = 1, .beta = 1};
	gpu_check_run_gemm(&wanted, device);
	const unsigned long before = gpu_check_count("cudaMalloc");
	for (int i = 0; i < 5; i++)
		gpu_check_run_gemm(&wanted, device);
	EXPECT(gpu_check_count("cudaMalloc") == before, "%lu allocations",
	       gpu_check_count("cudaMalloc") - before);
}

int main(void)
{
	const int device = gpu_check_start(0);
	EXPECT(!gpu_check_is_simulated() || memory_limit(device) <= (UINT64_C(4) << 30) / 5 * 4,
	       "80 %% of what is free");
	for (enum element element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++)
		test_element(element, device);
	test_same_operand(device);
	test_refusals(device);
	test_steady_state(device);
	return gpu_check_end("gpu_gemm");
}
