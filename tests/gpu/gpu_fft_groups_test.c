/* gpu_fft_groups_test.c - batches of transforms in groups: the loop that is cut, memory, reuse */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/fft/fft_plans.h"
#include "shim/execute/gpu/fft/gpu_fft.h"

/* A group of ten rows is two chunks. The rings hold less than the whole array. */
enum { ROWS = 96, N = 48, RING_BYTES = 16 << 10, CHUNK_BYTES = 4 << 10 };

static int device;

static unsigned long count_executions(void)
{
	return gpu_check_count("cufftExecZ2Z") + gpu_check_count("cufftExecD2Z") +
	       gpu_check_count("cufftExecZ2D");
}

/* ROWS transforms of N, in place or not, contiguous one after the other or interleaved. */
static enum reason run(enum family family, bool in_place, enum gpu_check_order order)
{
	static int key;
	const struct gpu_check_fft wanted = {.family = family,
	                                     .element = ELEMENT_Z,
	                                     .rank = 1,
	                                     .n = {N},
	                                     .howmany = ROWS,
	                                     .sign = family == FAMILY_FFT_C2R ? 1 : -1,
	                                     .in_place = in_place,
	                                     .order = order,
	                                     .key = &key};
	return gpu_check_run_fft(&wanted, device);
}

/*
 * Functions that cost more than the call itself: they are called by the first call of a kind only.
 */
static const char *const steady_functions[] = {"cudaMalloc",    "cudaFree",
                                               "cudaHostAlloc", "cufftMakePlanMany64",
                                               "cufftCreate",   "cudaEventCreateWithFlags"};
enum { STEADY_COUNT = sizeof steady_functions / sizeof steady_functions[0] };

static void test_steady(void)
{
	unsigned long before[STEADY_COUNT];
	gpu_fft_set_group(7);
	for (int round = 0; round < 4; round++) {
		for (size_t i = 0; i < STEADY_COUNT && round <= 1; i++)
			before[i] = gpu_check_count(steady_functions[i]);
		for (enum family family = FAMILY_FFT_C2C; family <= FAMILY_FFT_C2R; family++)
			for (int in_place = 0; in_place < 2; in_place++)
				EXPECT(run(family, in_place, ORDER_TIGHT) == REASON_NONE,
				       "round %d", round);
	}
	for (size_t i = 0; i < STEADY_COUNT; i++)
		EXPECT(gpu_check_count(steady_functions[i]) == before[i], "%s: %lu calls more",
		       steady_functions[i], gpu_check_count(steady_functions[i]) - before[i]);
	gpu_fft_set_group(0);
}

/* Each of these can be cut into groups, also in place, or be sent as a whole. */
static void test_parts(void)
{
	static const struct {
		enum family family;
		bool in_place;
		enum gpu_check_order order;
		bool parts;
	} cases[] = {
		{FAMILY_FFT_C2C, false, ORDER_TIGHT, true},
		{FAMILY_FFT_C2C, true, ORDER_TIGHT, true},
		{FAMILY_FFT_C2C, true, ORDER_PADDED, true},
		{FAMILY_FFT_C2C, false, ORDER_STRIDED, true},
		{FAMILY_FFT_C2C, true, ORDER_REVERSED, true},
		{FAMILY_FFT_R2C, true, ORDER_TIGHT, true},
		{FAMILY_FFT_C2R, true, ORDER_TIGHT, true},
		{FAMILY_FFT_R2C, false, ORDER_PADDED, true},
		{FAMILY_FFT_C2C, false, ORDER_INTERLEAVED, false},
		{FAMILY_FFT_C2C, true, ORDER_INTERLEAVED, false},
	};
	gpu_fft_set_group(10);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const unsigned long before = count_executions();
		EXPECT(run(cases[i].family, cases[i].in_place, cases[i].order) == REASON_NONE,
		       "case %zu", i);
		EXPECT(!gpu_check_is_simulated() ||
		               count_executions() - before == (cases[i].parts ? 10 : 1),
		       "case %zu: %lu executions", i, count_executions() - before);
	}
	gpu_fft_set_group(0);
}

/*
 * Interleaved transforms, of which a group is rows of a kilobyte across the whole array, also in
 * place.
 */
static void test_rows(void)
{
	gpu_fft_set_group(70);
	for (int in_place = 0; in_place < 2; in_place++) {
		const struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
		                                     .element = ELEMENT_Z,
		                                     .rank = 1,
		                                     .n = {6},
		                                     .howmany = 200,
		                                     .sign = 1,
		                                     .in_place = in_place == 1,
		                                     .order = ORDER_INTERLEAVED};
		const unsigned long before = count_executions();
		EXPECT(gpu_check_run_fft(&wanted, device) == REASON_NONE, "in place %d", in_place);
		EXPECT(!gpu_check_is_simulated() || count_executions() - before == 3,
		       "%lu executions", count_executions() - before);
	}
	gpu_fft_set_group(0);
}

/* Copies by the device from memory that the program has page-locked. */
static void test_locked(void)
{
	int (*lock)(void *, size_t, unsigned) = NULL;
	void (*found)(void) = gpu_check_function("cudaHostRegister");
	const size_t size_bytes = (size_t)4096 * 64;
	double *in =
		mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double *out = malloc(size_bytes);
	const int64_t n = (int64_t)(size_bytes / 16 / 4);
	const struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                                    .element = ELEMENT_Z,
	                                    .rank = 1,
	                                    .dims = {{n, 1, 1}},
	                                    .loops = 1,
	                                    .loop = {{4, n, n}},
	                                    .howmany = 4,
	                                    .sign = -1};
	const struct call call = {.family = FAMILY_FFT_C2C,
	                          .element = ELEMENT_Z,
	                          .fft = {&problem, in, out, .plan_key = NULL}};
	memcpy(&lock, &found, sizeof lock);
	unsigned long copies[2];
	for (int locked = 0; locked < 2; locked++) {
		const unsigned long before = gpu_check_count("cudaMemcpyAsync");
		EXPECT(locked == 0 || lock(in, size_bytes, 0) == 0, "locked by the program");
		in[0] = 1 + locked;
		EXPECT(gpu_fft_run(&call, device) == REASON_NONE, "locked %d", locked);
		EXPECT(out[0] - 1 - locked < 1e-9 && out[0] - 1 - locked > -1e-9, "%g", out[0]);
		copies[locked] = gpu_check_count("cudaMemcpyAsync") - before;
	}
	EXPECT(!gpu_check_is_simulated() || copies[1] < copies[0],
	       "%lu copies, %lu where it is locked", copies[0], copies[1]);
	((int (*)(void *))gpu_check_function("cudaHostUnregister"))(in);
	munmap(in, size_bytes);
	free(out);
}

/* Arrays of 4 MB each way under a limit of 1 MB. */
static int scenario_short(void)
{
	unsigned long before[STEADY_COUNT];
	device = gpu_check_start(1);
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < STEADY_COUNT; i++)
			before[i] = gpu_check_count(steady_functions[i]);
		for (int in_place = 0; in_place < 2; in_place++) {
			const struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
			                                     .element = ELEMENT_Z,
			                                     .rank = 2,
			                                     .n = {8, 8},
			                                     .howmany = 4000,
			                                     .sign = -1,
			                                     .in_place = in_place == 1};
			const enum reason reason = gpu_check_run_fft(&wanted, device);
			EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
		}
	}
	for (size_t i = 0; i < STEADY_COUNT; i++)
		EXPECT(gpu_check_count(steady_functions[i]) == before[i], "%s: %lu calls more",
		       steady_functions[i], gpu_check_count(steady_functions[i]) - before[i]);
	return gpu_check_end("gpu_fft_groups short");
}

static void test_short(void)
{
	struct gpu_child child = {.scenario = "short"};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "status %x: %s", (unsigned)child.status, child.errors);
}

int main(int argc, char **argv)
{
	staging_set_sizes(RING_BYTES, CHUNK_BYTES);
	if (argc == 2 && strcmp(argv[1], "short") == 0)
		return scenario_short();
	device = gpu_check_start(0);
	test_parts();
	test_rows();
	test_locked();
	if (gpu_check_is_simulated()) {
		test_steady();
		test_short();
	} else {
		printf("not tried: counts and little memory need a simulated CUDA\n");
	}
	return gpu_check_end("gpu_fft_groups");
}
