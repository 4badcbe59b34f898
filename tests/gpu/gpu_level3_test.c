/* gpu_level3_test.c - every family of level 3: elements, flags, scalars, sizes, gaps, alignments */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_blas.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/session/session.h"

/* Sizes, scalars, gaps and alignments change from one combination of flags to the next. */
static void run_sizes(struct gpu_check_blas *wanted, int device)
{
	static const int64_t size[][3] = {
		{1, 1, 1}, {17, 13, 9}, {37, 5, 23}, {2, 41, 30}, {31, 32, 1}};
	static const double complex scalar[][2] = {
		{1, 0}, {0.5 - 0.25 * I, 2 + 1.5 * I}, {-1 + 3 * I, 0}, {2, 1}};
	static int calls;
	for (size_t s = 0; s < sizeof size / sizeof size[0]; s++, calls++) {
		gpu_check_size_blas(wanted, size[s], scalar[calls / 3 % 4]);
		wanted->gap = calls % 3;
		wanted->offset_bytes = calls % 2 == 0 ? 0 : calls % 7;
		const enum reason reason = gpu_check_run_blas(wanted, device);
		EXPECT(reason == REASON_NONE, "family %d: %s", (int)wanted->family,
		       reason_name(reason));
	}
}

/* Sizes that cuBLAS is made for. */
static void test_larger(int device)
{
	for (enum family family = FAMILY_GEMM; family <= FAMILY_TRSM; family++) {
		const struct gpu_check_blas wanted = {.family = family,
		                                      .element = ELEMENT_Z,
		                                      .side = SIDE_RIGHT,
		                                      .uplo = UPLO_LOWER,
		                                      .m = 150,
		                                      .n = 131,
		                                      .k = 70,
		                                      .gap = 5,
		                                      .alpha = 1.5 + I,
		                                      .beta = 0.5};
		EXPECT(gpu_check_run_blas(&wanted, device) == REASON_NONE, "family %d",
		       (int)family);
	}
}

/* Copies so far; those from memory with gaps have a pitch. */
static unsigned long count_copies(void)
{
	return gpu_check_count("cudaMemcpyAsync") + gpu_check_count("cudaMemcpy2DAsync");
}

/* A rank-2k update by a matrix and itself. */
static void test_same_operand(int device)
{
	const struct gpu_check_blas wanted = {.family = FAMILY_SYR2K,
	                                      .element = ELEMENT_C,
	                                      .n = 20,
	                                      .k = 11,
	                                      .gap = 1,
	                                      .alpha = 1,
	                                      .same = true};
	const unsigned long before = count_copies();
	EXPECT(gpu_check_run_blas(&wanted, device) == REASON_NONE, "A with itself");
	EXPECT(!gpu_check_is_simulated() || count_copies() == before + 3,
	       "A for each of its two parts, and the result");
}

/*
 * A leading dimension less than the rows, which the shim never passes on: the call is refused and
 * nothing is read.
 */
static void test_short(const struct gpu_check_blas *wanted, int device)
{
	char c[8] = "canary!";
	struct call call = gpu_check_describe_blas(wanted);
	call.blas.lda = call.blas.ldc = 3;
	call.blas.a = call.blas.c = c;
	bool finished;
	EXPECT(gpu_check_call_blas(&call, device, &finished) == REASON_LIBRARY_FAILED,
	       "short leading dimensions");
}

/* Calls that are not for the device are refused before anything is sent. */
static void test_refusals(int device)
{
	struct gpu_check_blas wanted = {
		.family = FAMILY_TRSM, .element = ELEMENT_D, .m = 4, .n = 4, .k = 4, .alpha = 0};
	EXPECT(gpu_check_run_blas(&wanted, device) == REASON_LIBRARY_FAILED, "alpha is 0");
	wanted.alpha = 1;
	EXPECT(gpu_check_run_blas(&wanted, device) == REASON_NONE, "alpha is 1");
	wanted.uplo = (enum uplo) - 1;
	EXPECT(gpu_check_run_blas(&wanted, device) == REASON_LIBRARY_FAILED, "no triangle");
	wanted.uplo = UPLO_UPPER;
	test_short(&wanted, device);
	wanted = (struct gpu_check_blas){
		.family = FAMILY_HEMM, .element = ELEMENT_D, .m = 4, .n = 4, .k = 4, .alpha = 1};
	for (int i = 0; i < 4; i++) {
		EXPECT(gpu_check_run_blas(&wanted, device) == REASON_FUNCTION_MISSING,
		       "no such routine");
		session_note_outcome(REASON_FUNCTION_MISSING);
	}
	struct situation situation = {.gpu = GPU_OFF};
	session_describe(&situation);
	EXPECT(situation.gpu == GPU_READY, "the other routines stay on the GPU");
}

int main(void)
{
	const int device = gpu_check_start(0);
	gpu_check_each_blas(run_sizes, device);
	test_larger(device);
	test_same_operand(device);
	test_refusals(device);
	return gpu_check_end("gpu_level3");
}
