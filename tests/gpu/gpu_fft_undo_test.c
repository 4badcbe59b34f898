/* gpu_fft_undo_test.c - transforms that fail on the way: the input is restored */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/node/host_memory.h"

/* A group of ten rows is two chunks. The rings hold less than the whole array. */
enum {
	ROWS = 96,
	N = 48,
	HALF = N / 2 + 1,
	GROUP = 10,
	RING_BYTES = 16 << 10,
	CHUNK_BYTES = 4 << 10
};

/*
 * One row more than the results, which begin three rows after the input; and the doubles of it that
 * are read.
 */
enum { SHIFT = 3 * 2 * N, DOUBLES = (ROWS + 4) * 2 * N };

/*
 * How a call ended that may overwrite its input: without a failure, or with one before or after the
 * first result came.
 */
enum { ENDED_WELL = 41, ENDED_EARLY, ENDED_RESTORED };

#define UNDO_DOUBLE .element = ELEMENT_Z, .sign = -1, .in_place = true

static const struct fft_problem undo_batch = {.family = FAMILY_FFT_C2C,
                                              UNDO_DOUBLE,
                                              .rank = 1,
                                              .dims = {{N, 1, 1}},
                                              .loops = 1,
                                              .loop = {{ROWS, N, N}},
                                              .howmany = ROWS};
static const struct fft_problem undo_plane = {.family = FAMILY_FFT_C2C,
                                              UNDO_DOUBLE,
                                              .rank = 2,
                                              .dims = {{ROWS, N, N}, {N, 1, 1}},
                                              .howmany = 1};
static const struct fft_problem undo_padded = {.family = FAMILY_FFT_R2C,
                                               UNDO_DOUBLE,
                                               .rank = 1,
                                               .dims = {{N, 1, 1}},
                                               .loops = 1,
                                               .loop = {{ROWS, 2 * HALF, HALF}},
                                               .howmany = ROWS};

/*
 * The input is rows of `row` doubles, `pitch` doubles apart. The output begins `shift` doubles
 * after it.
 */
struct undo_case {
	const char *name;
	const struct fft_problem *problem;
	int64_t shift, rows, row, pitch;
	/* Called once for each of several groups. NULL: there is only one group. */
	const char *execute;
};

static const struct undo_case undo_cases[] = {
	{"batch", &undo_batch, 0, 1, 2 * N *ROWS, 0, "cufftExecZ2Z"},
	{"plane", &undo_plane, 0, 1, 2 * N *ROWS, 0, NULL},
	{"shifted", &undo_batch, SHIFT, 1, 2 * N *ROWS, 0, NULL},
	{"padded", &undo_padded, 0, ROWS, N, 2 * HALF, "cufftExecD2Z"},
};
enum { UNDO_CASES = sizeof undo_cases / sizeof undo_cases[0] };

/* The program's array, and its contents before the call. */
static double undo_array[DOUBLES], undo_before[DOUBLES];
static bool undo_begun;

static void undo_fill(void)
{
	for (int64_t i = 0; i < DOUBLES; i++)
		undo_array[i] = undo_before[i] = gpu_check_random();
	undo_begun = false;
}

/*
 * Replaces the flow's clock: looks at the array at each call, and advances by itself, so that no
 * thread waits long for a device.
 */
static int64_t undo_watch(void)
{
	static int64_t now_ns;
	undo_begun = undo_begun || memcmp(undo_array, undo_before, sizeof undo_array) != 0;
	return now_ns += 10000000;
}

static enum reason undo_run(const struct undo_case *one, int device)
{
	const struct call call = {
		.family = one->problem->family,
		.element = one->problem->element,
		.fft = {one->problem, undo_array, undo_array + one->shift, .plan_key = NULL}};
	undo_fill();
	return gpu_fft_run(&call, device);
}

static int undo_start(void)
{
	const int device = gpu_check_start(0);
	copiers_set_count(1);
	flow_set_clock(undo_watch);
	flow_set_patience(1000000000);
	gpu_fft_set_group(GROUP);
	return device;
}

/* In a child: one function fails during the call. */
static int scenario_undo(const struct undo_case *one)
{
	if (undo_run(one, undo_start()) == REASON_NONE)
		return ENDED_WELL;
	for (int64_t row = 0; row < one->rows; row++)
		EXPECT(memcmp(undo_array + row * one->pitch, undo_before + row * one->pitch,
		              (size_t)one->row * sizeof *undo_array) == 0,
		       "%s: row %ld is lost", one->name, (long)row);
	if (gpu_check_end("gpu_fft_undo child") != 0)
		return 1;
	return undo_begun ? ENDED_RESTORED : ENDED_EARLY;
}

/* In a child: a transform never ends. Its plans are not used again and its rings are given up. */
static int scenario_silent(void)
{
	const int device = undo_start();
	const enum reason first = undo_run(&undo_cases[0], device);
	EXPECT(first == REASON_DEVICE_SILENT, "%s", reason_name(first));
	const unsigned long before = gpu_check_count("cufftMakePlanMany64");
	const enum reason next = undo_run(&undo_cases[0], device);
	EXPECT(next == REASON_DEVICE_FAILED, "%s", reason_name(next));
	EXPECT(gpu_check_count("cufftMakePlanMany64") == 2 * before,
	       "the whole and the rest, once more");
	return gpu_check_end("gpu_fft_undo silent");
}

static void test_silent(void)
{
	struct gpu_child child = {.scenario = "silent", .setting = {"SIMCUDA_FAIL=kernel:3:hang"}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "status %x: %s", (unsigned)child.status, child.errors);
}

/*
 * Without a failure the results equal those of a separate output array, wherever they overwrite the
 * input.
 */
static void test_results(int device)
{
	static double results[DOUBLES];
	for (size_t i = 0; i < UNDO_CASES; i++) {
		const struct undo_case *one = &undo_cases[i];
		struct fft_problem problem = *one->problem;
		problem.in_place = false;
		const struct call call = {
			.family = problem.family,
			.element = problem.element,
			.fft = {&problem, undo_before, results + one->shift, .plan_key = NULL}};
		EXPECT(undo_run(one, device) == REASON_NONE && undo_begun, "%s", one->name);
		memcpy(results, undo_before, sizeof results);
		EXPECT(gpu_fft_run(&call, device) == REASON_NONE, "%s elsewhere", one->name);
		EXPECT(memcmp(undo_array, results, sizeof results) == 0, "%s: other results",
		       one->name);
	}
}

/*
 * Beyond half of the available memory no copy of the input is made, and without one no result may
 * overwrite the input.
 */
static void test_host_memory(int device)
{
	const int64_t n = 1 << 20;
	const int64_t howmany = (int64_t)(host_memory_available("") / 2 / (16 * (uint64_t)n)) + 8;
	const size_t size_bytes = (size_t)(16 * n * howmany);
	char *array = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	const struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                                    UNDO_DOUBLE,
	                                    .rank = 1,
	                                    .dims = {{n, 1, 1}},
	                                    .loops = 1,
	                                    .loop = {{howmany, n, n}},
	                                    .howmany = howmany};
	const struct call call = {.family = FAMILY_FFT_C2C,
	                          .element = ELEMENT_Z,
	                          .fft = {&problem, array, array, .plan_key = NULL}};
	const unsigned long before = gpu_check_count("cudaMemcpyAsync");
	if (array == MAP_FAILED) {
		printf("not tried: no memory for a transform of more than half of the memory\n");
		return;
	}
	gpu_fft_set_group(1);
	const enum reason reason = gpu_fft_run(&call, device);
	gpu_fft_set_group(GROUP);
	EXPECT(reason == REASON_HOST_MEMORY, "%s", reason_name(reason));
	EXPECT(gpu_check_count("cudaMemcpyAsync") == before, "nothing was begun");
	munmap(array, size_bytes);
}

/* Injects the fault at the first use, then at later ones, until the call does not reach the use. */
static void test_fault(const struct undo_case *one, const char *function, const char *error,
                       int step)
{
	int restored = 0, nth = 1;
	char setting[64];
	for (; nth < 1000; nth += step) {
		struct gpu_child child = {.scenario = one->name, .setting = {setting}};
		snprintf(setting, sizeof setting, "SIMCUDA_FAIL=%s:%d%s", function, nth, error);
		gpu_child_run(&child);
		if (gpu_child_exited(&child, ENDED_WELL))
			break;
		EXPECT(gpu_child_exited(&child, ENDED_EARLY) ||
		               gpu_child_exited(&child, ENDED_RESTORED),
		       "%s %s: status %x: %s", one->name, setting, (unsigned)child.status,
		       child.errors);
		restored += gpu_child_exited(&child, ENDED_RESTORED);
	}
	EXPECT(nth > 1 && nth < 1000, "%s %s%s: it fails, and not for ever", one->name, function,
	       error);
	EXPECT(restored > 0, "%s %s%s: results had never come before", one->name, function, error);
}

/* Calls of every kind */

static enum reason run(enum family family, bool in_place, enum gpu_check_order order, int device)
{
	const struct gpu_check_fft wanted = {.family = family,
	                                     .element = ELEMENT_Z,
	                                     .rank = 1,
	                                     .n = {N},
	                                     .howmany = ROWS,
	                                     .sign = family == FAMILY_FFT_C2R ? 1 : -1,
	                                     .in_place = in_place,
	                                     .order = order};
	return gpu_check_run_fft(&wanted, device);
}

/* One function fails at each use in turn: gpu_check_problem.c says which data may not be lost. */
static int scenario_calls(void)
{
	int failures = 0;
	const int device = gpu_check_start(0);
	gpu_fft_set_group(GROUP);
	for (enum family family = FAMILY_FFT_C2C; family <= FAMILY_FFT_C2R; family++)
		for (int in_place = 0; in_place < 2; in_place++)
			failures += run(family, in_place, ORDER_TIGHT, device) != REASON_NONE;
	failures += run(FAMILY_FFT_C2C, true, ORDER_STRIDED, device) != REASON_NONE;
	failures += run(FAMILY_FFT_C2C, true, ORDER_INTERLEAVED, device) != REASON_NONE;
	EXPECT(failures > 0, "one fails");
	return gpu_check_end("gpu_fft_undo calls");
}

static void test_calls(void)
{
	static const struct {
		const char *function, *error;
		int most;
	} faults[] = {
		{"cudaMemcpyAsync", "", 200}, {"copy", ":700", 200}, {"cufftExecZ2Z", "", 30}};
	char setting[64];
	for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++)
		for (int nth = 1; nth < faults[f].most; nth += 1 + nth / 3) {
			struct gpu_child child = {.scenario = "calls", .setting = {setting}};
			snprintf(setting, sizeof setting, "SIMCUDA_FAIL=%s:%d%s",
			         faults[f].function, nth, faults[f].error);
			gpu_child_run(&child);
			EXPECT(gpu_child_exited(&child, 0), "%s: status %x: %s", setting,
			       (unsigned)child.status, child.errors);
		}
}

static int run_scenario(const char *scenario)
{
	for (size_t i = 0; i < UNDO_CASES; i++)
		if (strcmp(undo_cases[i].name, scenario) == 0)
			return scenario_undo(&undo_cases[i]);
	return strcmp(scenario, "silent") == 0 ? scenario_silent() : scenario_calls();
}

int main(int argc, char **argv)
{
	staging_set_sizes(RING_BYTES, CHUNK_BYTES);
	if (argc == 2)
		return run_scenario(argv[1]);
	const int device = undo_start();
	test_results(device);
	test_host_memory(device);
	for (size_t i = 0; i < UNDO_CASES; i++) {
		test_fault(&undo_cases[i], "cudaMemcpyAsync", "", 3);
		test_fault(&undo_cases[i], "copy", ":700", 4);
		test_fault(&undo_cases[i], "copy", ":hang", 10);
		if (undo_cases[i].execute != NULL)
			test_fault(&undo_cases[i], undo_cases[i].execute, "", 2);
	}
	test_silent();
	test_calls();
	return gpu_check_end("gpu_fft_undo");
}
