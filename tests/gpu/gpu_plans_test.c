/* gpu_plans_test.c - cuFFT plans that are refused, get no memory, or are shared by threads */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/execute/gpu/device/memory.h"
#include "shim/execute/gpu/session/session.h"

enum { THREADS = 6, ROUNDS = 12 };

static int device;

static enum reason run(int64_t n)
{
	const struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
	                                     .element = ELEMENT_Z,
	                                     .rank = 1,
	                                     .n = {n},
	                                     .howmany = 1,
	                                     .sign = -1,
	                                     .key = &device};
	const enum reason reason = gpu_check_run_fft(&wanted, device);
	session_note_outcome(reason);
	return reason;
}

/*
 * cuFFT has no plan for a shape: it is asked once, and this does not count as a failure of the GPU.
 */
static void scenario_refused(void)
{
	for (int i = 0; i < 6; i++)
		EXPECT(run(12) == REASON_UNSUPPORTED_LAYOUT, "call %d", i);
	EXPECT(gpu_check_count("cufftMakePlanMany64") == 1, "asked %lu times",
	       gpu_check_count("cufftMakePlanMany64"));
	EXPECT(run(13) == REASON_NONE, "another shape");
	EXPECT(run(12) == REASON_UNSUPPORTED_LAYOUT, "still remembered");
	EXPECT(gpu_check_situation().gpu == GPU_READY, "and the GPU goes on");
}

/* Any other error may not occur the next time: the plan is tried again. */
static void scenario_failed(void)
{
	EXPECT(run(12) == REASON_LIBRARY_FAILED, "as ordered");
	EXPECT(run(12) == REASON_NONE, "asked again");
}

/* The third plan gets no memory twice: an idle block is freed, then the older plan is destroyed. */
static void scenario_short(void)
{
	EXPECT(run(12) == REASON_NONE, "the first plan");
	EXPECT(run(13) == REASON_NONE, "the second plan");
	EXPECT(gpu_check_count("cufftDestroy") == 0, "both are kept");
	EXPECT(run(14) == REASON_NONE, "after something was given up");
	EXPECT(gpu_check_count("cufftDestroy") > 2, "two attempts and an old plan: %lu",
	       gpu_check_count("cufftDestroy"));
	const unsigned long made = gpu_check_count("cufftMakePlanMany64");
	EXPECT(run(14) == REASON_NONE && run(13) == REASON_NONE, "the newer ones");
	EXPECT(gpu_check_count("cufftMakePlanMany64") == made, "are still there");
}

/*
 * No memory for any plan: the call comes back each time, nothing is remembered, and no failure of
 * the GPU is counted.
 */
static void scenario_none(void)
{
	for (int i = 0; i < 5; i++)
		EXPECT(run(12) == REASON_DEVICE_MEMORY, "call %d", i);
	EXPECT(gpu_check_count("cufftMakePlanMany64") >= 5, "asked each time");
	EXPECT(gpu_check_situation().gpu == GPU_READY, "and the GPU goes on");
}

/* The device itself is small, far below the limit: idle blocks are freed when cudaMalloc fails. */
static void scenario_full(void)
{
	for (int64_t n = 1; n <= 40; n += 3) {
		const struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
		                                     .element = ELEMENT_Z,
		                                     .rank = 2,
		                                     .n = {2, 2},
		                                     .howmany = 4096 + 2048 * n,
		                                     .sign = 1};
		EXPECT(gpu_check_run_fft(&wanted, device) == REASON_NONE, "%ld of them",
		       (long)wanted.howmany);
	}
	EXPECT(gpu_check_count("cudaFree") > 2, "blocks went");
}

static atomic_long held, peak;

static void observe(int64_t difference)
{
	const long now = atomic_fetch_add(&held, difference) + difference;
	if (now > atomic_load(&peak))
		atomic_store(&peak, now);
}

static void *compete(void *argument)
{
	const int thread = (int)(intptr_t)argument;
	for (int round = 0; round < ROUNDS; round++) {
		const enum reason reason = run(round % 3 == 0 ? 96 : 900 + 8 * thread + round);
		EXPECT(reason == REASON_NONE || reason == REASON_DEVICE_MEMORY, "thread %d: %s",
		       thread, reason_name(reason));
	}
	return NULL;
}

/* All threads make and drop plans at once, and the limit is kept. */
static void scenario_threads(void)
{
	pthread_t thread[THREADS];
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, compete, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	EXPECT(atomic_load(&peak) > 500000 && atomic_load(&peak) <= 1000000, "%ld bytes",
	       atomic_load(&peak));
	EXPECT(run(1500) == REASON_NONE, "alone again");
	EXPECT(gpu_check_situation().gpu == GPU_READY, "and the GPU goes on");
}

struct scenario {
	const char *name, *setting;
	void (*body)(void);
	uint64_t memory_limit;
};

static const struct scenario scenarios[] = {
	{"refused", "SIMCUDA_FAIL=cufftMakePlanMany64:1:8", scenario_refused, 0},
	{"refused for good", "SIMCUDA_FAIL=cufftMakePlanMany64:1:16", scenario_refused, 0},
	{"failed", "SIMCUDA_FAIL=cufftMakePlanMany64:1:5", scenario_failed, 0},
	{"failed at first", "SIMCUDA_FAIL=cufftCreate:1:5", scenario_failed, 0},
	{"short", "SIMCUDA_FAIL=cufftMakePlanMany64:3:2,cufftMakePlanMany64:4:2", scenario_short,
         0},
	{"none", "SIMCUDA_FAIL=cufftMakePlanMany64:*:2", scenario_none, 0},
	{"full", "SIMCUDA_MEMORY=64M", scenario_full, 4000},
	{"threads", "SIMCUDA_SLOW=cufftExecZ2Z:2", scenario_threads, 1},
};

static int run_scenario(const char *name)
{
	const struct scenario *scenario = scenarios;
	while (strcmp(scenario->name, name) != 0)
		scenario++;
	memory_set_observer(observe);
	device = gpu_check_start(scenario->memory_limit);
	scenario->body();
	return gpu_check_end(name);
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return run_scenario(argv[1]);
	if (getenv("EPOCHLY_GPU_CUDA_PATH") == NULL) {
		printf("skipped: failing plans need a simulated CUDA in EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
		struct gpu_child child = {.scenario = scenarios[i].name,
		                          .setting = {scenarios[i].setting}};
		gpu_child_run(&child);
		EXPECT(gpu_child_exited(&child, 0), "%s: status %x: %s", scenarios[i].name,
		       (unsigned)child.status, child.errors);
	}
	return gpu_check_end("gpu_plans");
}
