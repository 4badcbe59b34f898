/* gpu_fft_groups_test.c - batches of transforms in groups: little memory, failures at every copy, nothing made anew */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/execute/gpu/fft_plans.h"
#include "shim/execute/gpu/gpu_fft.h"
#include "shim/execute/gpu/staging.h"

enum { ROWS = 96, N = 120, RING_BYTES = 64 << 10, CHUNK_BYTES = 16 << 10 };

static int device;

static unsigned long count_executions(void)
{
	return gpu_check_count("cufftExecZ2Z") + gpu_check_count("cufftExecD2Z") + gpu_check_count("cufftExecZ2D");
}

/* ROWS transforms of N, in place or not, one after the other or across each other. */
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

/* Everything that costs more than the call itself is made at its first time. */
static void test_steady(void)
{
	static const char *const functions[] = {"cudaMalloc",          "cudaFree",    "cudaHostAlloc",
	                                        "cufftMakePlanMany64", "cufftCreate", "cudaEventCreateWithFlags"};
	unsigned long before[sizeof functions / sizeof functions[0]];
	gpu_fft_set_group(7);
	for (int round = 0; round < 4; round++) {
		for (size_t i = 0; i < sizeof functions / sizeof functions[0] && round == 1; i++)
			before[i] = gpu_check_count(functions[i]);
		for (enum family family = FAMILY_FFT_C2C; family <= FAMILY_FFT_C2R; family++)
			for (int in_place = 0; in_place < 2; in_place++)
				EXPECT(run(family, in_place, ORDER_TIGHT) == REASON_NONE, "round %d", round);
	}
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
		EXPECT(gpu_check_count(functions[i]) == before[i], "%s: %lu calls more", functions[i],
		       gpu_check_count(functions[i]) - before[i]);
	gpu_fft_set_group(0);
}

/* Each of these can be parted, in place too, or the whole goes at once. */
static void test_parts(void)
{
	static const struct {
		enum family family;
		bool in_place;
		enum gpu_check_order order;
		bool parts;
	} cases[] = {
		{FAMILY_FFT_C2C, false, ORDER_TIGHT, true},        {FAMILY_FFT_C2C, true, ORDER_TIGHT, true},
		{FAMILY_FFT_C2C, true, ORDER_PADDED, true},        {FAMILY_FFT_C2C, false, ORDER_STRIDED, true},
		{FAMILY_FFT_C2C, true, ORDER_REVERSED, true},      {FAMILY_FFT_R2C, true, ORDER_TIGHT, true},
		{FAMILY_FFT_C2R, true, ORDER_TIGHT, true},         {FAMILY_FFT_R2C, false, ORDER_PADDED, true},
		{FAMILY_FFT_C2C, false, ORDER_INTERLEAVED, false}, {FAMILY_FFT_C2C, true, ORDER_INTERLEAVED, false},
	};
	gpu_fft_set_group(10);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const unsigned long before = count_executions();
		EXPECT(run(cases[i].family, cases[i].in_place, cases[i].order) == REASON_NONE, "case %zu", i);
		EXPECT(!gpu_check_is_simulated() || count_executions() - before == (cases[i].parts ? 10 : 1),
		       "case %zu: %lu executions", i, count_executions() - before);
	}
	gpu_fft_set_group(0);
}

/* Interleaved transforms of which a group is rows of a kilobyte: across the whole array, in place too. */
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
		EXPECT(!gpu_check_is_simulated() || count_executions() - before == 3, "%lu executions",
		       count_executions() - before);
	}
	gpu_fft_set_group(0);
}

/* Copies of the device's from memory that the program has page-locked. */
static void test_locked(void)
{
	int (*lock)(void *, size_t, unsigned) = NULL;
	void (*found)(void) = gpu_check_function("cudaHostRegister");
	const size_t size_bytes = (size_t)4096 * 64;
	double *in = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
	const struct call call = {.family = FAMILY_FFT_C2C, .element = ELEMENT_Z, .fft = {&problem, in, out, NULL}};
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
	EXPECT(!gpu_check_is_simulated() || copies[1] < copies[0], "%lu copies, %lu where it is locked", copies[0],
	       copies[1]);
	((int (*)(void *))gpu_check_function("cudaHostUnregister"))(in);
	munmap(in, size_bytes);
	free(out);
}

/* Works of 12 MB and more under a limit of 4 MB. */
static int scenario_short(void)
{
	device = gpu_check_start(4);
	for (int round = 0; round < 2; round++) {
		for (int in_place = 0; in_place < 2; in_place++) {
			const struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
			                                     .element = ELEMENT_Z,
			                                     .rank = 2,
			                                     .n = {32, 24},
			                                     .howmany = 1000,
			                                     .sign = -1,
			                                     .in_place = in_place == 1};
			const unsigned long before = gpu_check_count("cufftMakePlanMany64");
			const enum reason reason = gpu_check_run_fft(&wanted, device);
			EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
			EXPECT(round == 0 || gpu_check_count("cufftMakePlanMany64") == before, "plans are made once");
		}
	}
	return gpu_check_end("gpu_fft_groups short");
}

/* Calls of every kind, of which one fails wherever it was ordered: see gpu_check_problem.c for what may not be lost. */
static int scenario_calls(void)
{
	int failures = 0;
	device = gpu_check_start(0);
	gpu_fft_set_group(10);
	for (enum family family = FAMILY_FFT_C2C; family <= FAMILY_FFT_C2R; family++)
		for (int in_place = 0; in_place < 2; in_place++)
			failures += run(family, in_place, ORDER_TIGHT) != REASON_NONE;
	failures += run(FAMILY_FFT_C2C, true, ORDER_STRIDED) != REASON_NONE;
	failures += run(FAMILY_FFT_C2C, true, ORDER_INTERLEAVED) != REASON_NONE;
	EXPECT(failures > 0, "one fails");
	return gpu_check_end("gpu_fft_groups calls");
}

static void run_child(const char *scenario, const char *setting)
{
	struct gpu_child child = {.scenario = scenario, .setting = {setting}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "%s %s: status %x: %s", scenario, setting, (unsigned)child.status,
	       child.errors);
}

static void test_failures(void)
{
	static const struct {
		const char *function, *error;
		int most;
	} faults[] = {{"cudaMemcpyAsync", "", 120}, {"copy", ":700", 120}, {"cufftExecZ2Z", "", 12}};
	char setting[64];
	for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++)
		for (int nth = 1; nth < faults[f].most; nth += 1 + nth / 6) {
			snprintf(setting, sizeof setting, "SIMCUDA_FAIL=%s:%d%s", faults[f].function, nth,
			         faults[f].error);
			run_child("calls", setting);
		}
}

int main(int argc, char **argv)
{
	staging_set_sizes(RING_BYTES, CHUNK_BYTES);
	if (argc == 2)
		return strcmp(argv[1], "short") == 0 ? scenario_short() : scenario_calls();
	device = gpu_check_start(0);
	test_parts();
	test_rows();
	test_locked();
	if (gpu_check_is_simulated()) {
		test_steady();
		run_child("short", NULL);
		test_failures();
	} else {
		printf("not tried: failures, counts and little memory, which only the simulated CUDA has to order\n");
	}
	return gpu_check_end("gpu_fft_groups");
}
