/* gpu_quick_look_test.c - the warm-up's measurements: complete, short, interrupted */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/base/clock.h"
#include "shim/execute/gpu/device/memory.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/session/quick_look.h"
#include "shim/execute/gpu/session/session.h"

/* The least size that the links are measured with. */
enum { LEAST_COPY_BYTES = 8 << 20 };

static _Atomic int64_t held_bytes, held_most_bytes;

static void note_held(int64_t difference)
{
	const int64_t now_bytes = atomic_fetch_add(&held_bytes, difference) + difference;
	if (now_bytes > atomic_load(&held_most_bytes))
		atomic_store(&held_most_bytes, now_bytes);
}

static struct machine found;

static enum reason run_gemm(void)
{
	const struct gpu_check_gemm gemm = {
		.element = ELEMENT_D, .m = 5, .n = 6, .k = 7, .gap = 1, .alpha = 1, .beta = 1};
	return gpu_check_run_gemm(&gemm, gpu_check_situation().device);
}

/* Every value that an undisturbed look measures; all others are 0. */
static void expect_whole(void)
{
	EXPECT(quick_look_read(&found), "a look was taken");
	EXPECT(found.link_up_bytes > 1e6 && isfinite(found.link_up_bytes), "%g",
	       found.link_up_bytes);
	EXPECT(found.link_down_bytes > 1e6 && isfinite(found.link_down_bytes), "%g",
	       found.link_down_bytes);
	EXPECT(found.link_up_pinned_bytes > 1e6 && isfinite(found.link_up_pinned_bytes), "%g",
	       found.link_up_pinned_bytes);
	EXPECT(found.link_down_pinned_bytes > 1e6 && isfinite(found.link_down_pinned_bytes), "%g",
	       found.link_down_pinned_bytes);
	EXPECT(found.operation_ns > 0 && found.operation_ns < 1e8, "%g", found.operation_ns);
	EXPECT(found.call_fixed_ns > 0 && found.call_fixed_ns < 1e9, "%g", found.call_fixed_ns);
	EXPECT(found.start_ns > 0, "%g", found.start_ns);
	EXPECT(found.gpu_gemm_flops[ELEMENT_S] > 1e6 && found.gpu_gemm_flops[ELEMENT_D] > 1e6,
	       "products");
	EXPECT(found.gpu_gemm_flops[ELEMENT_C] == found.gpu_gemm_flops[ELEMENT_S] &&
	               found.gpu_gemm_flops[ELEMENT_Z] == found.gpu_gemm_flops[ELEMENT_D],
	       "complex ones as real ones");
	EXPECT(found.cpu_gemm_flops[ELEMENT_D] == 0 && found.link_up_pageable_bytes == 0 &&
	               found.fft_plan_ns == 0 && found.curve_count == 0 && found.host[0] == '\0',
	       "what was not measured is not said");
}

/* The scratch memory is freed: only the lane's workspace is held. */
static int scenario_whole(void)
{
	quick_look_enable(true);
	quick_look_set_budget(INT64_C(60000000000));
	gpu_check_start_configured();
	expect_whole();
	EXPECT(atomic_load(&held_most_bytes) > atomic_load(&held_bytes),
	       "scratch memory was taken and given back");
	EXPECT(atomic_load(&held_bytes) <= INT64_C(32) << 20, "%ld bytes",
	       (long)atomic_load(&held_bytes));
	EXPECT(run_gemm() == REASON_NONE, "calls work after it");
	return gpu_check_end("gpu_quick_look");
}

/* A look that is switched off makes no copy and no product. */
static int scenario_disabled(void)
{
	gpu_check_start_configured();
	EXPECT(!quick_look_read(&found), "none was taken");
	EXPECT(gpu_check_count("cudaMemcpyAsync") == 0 && gpu_check_count("cublasDgemm_v2") == 0,
	       "nothing was done");
	return gpu_check_end("gpu_quick_look");
}

/* No scratch memory: values that need none are measured. */
static int scenario_no_memory(void)
{
	quick_look_enable(true);
	gpu_check_start_configured();
	EXPECT(quick_look_read(&found), "complete, such as it is");
	EXPECT(found.start_ns > 0 && found.link_up_bytes == 0 &&
	               found.gpu_gemm_flops[ELEMENT_D] == 0,
	       "no rates");
	EXPECT(gpu_check_situation().gpu == GPU_READY, "and calls may come");
	return gpu_check_end("gpu_quick_look");
}

/* A kernel fails: the links' values stay, and the device takes calls. */
static int scenario_no_product(void)
{
	quick_look_enable(true);
	quick_look_set_budget(INT64_C(60000000000));
	gpu_check_start_configured();
	EXPECT(quick_look_read(&found) && found.link_up_bytes > 0, "what went before it is kept");
	EXPECT(found.gpu_gemm_flops[ELEMENT_D] == 0 && found.gpu_gemm_flops[ELEMENT_S] == 0,
	       "no products");
	EXPECT(run_gemm() == REASON_NONE, "the device takes calls");
	return gpu_check_end("gpu_quick_look");
}

/* Bytes of all copies to the device, from the simulation's trace. */
static double count_sent(const char *path)
{
	FILE *trace = fopen(path, "r");
	char line[1024];
	double total_bytes = 0;
	while (trace != NULL && fgets(line, sizeof line, trace) != NULL) {
		const char *bytes = strstr(line, " bytes=");
		if (strstr(line, " kind=h2d ") != NULL && bytes != NULL)
			total_bytes += strtod(bytes + strlen(" bytes="), NULL);
	}
	if (trace != NULL)
		fclose(trace);
	return total_bytes;
}

/*
 * Page-locking the rings takes longer than the whole look may. It is part of the start, and the
 * look still measures the links, with copies of 8 MiB at least.
 */
static int scenario_locking(void)
{
	char path[] = "/tmp/gpu_quick_look_XXXXXX";
	const int file = mkstemp(path);
	setenv("SIMCUDA_TRACE", path, 1);
	staging_set_sizes(UINT64_C(2) << 20, UINT64_C(1) << 18);
	quick_look_enable(true);
	quick_look_set_budget(INT64_C(1000000000));
	gpu_check_start_configured();
	EXPECT(quick_look_read(&found), "a look was taken");
	EXPECT(found.start_ns >= 1.6e9, "locking is a cost of the start: %g ns", found.start_ns);
	EXPECT(found.link_up_bytes > 0 && found.link_down_bytes > 0, "the links are measured");
	EXPECT(count_sent(path) >= 2 * LEAST_COPY_BYTES, "%g bytes were sent", count_sent(path));
	const unsigned long locks = gpu_check_count("cudaHostAlloc");
	EXPECT(run_gemm() == REASON_NONE, "calls work after it");
	EXPECT(gpu_check_count("cudaHostAlloc") == locks, "no call page-locks rings");
	close(file);
	unlink(path);
	return gpu_check_end("gpu_quick_look");
}

/* Copies take all of the time: no further probe begins. */
static int scenario_slow(void)
{
	quick_look_enable(true);
	const int64_t begin_ns = clock_monotonic_ns();
	gpu_check_start_configured();
	const double elapsed_s = (double)(clock_monotonic_ns() - begin_ns) / 1e9;
	EXPECT(quick_look_read(&found) && found.gpu_gemm_flops[ELEMENT_D] == 0,
	       "not everything could be done");
	EXPECT(elapsed_s < 3, "%g s", elapsed_s);
	EXPECT(run_gemm() == REASON_NONE, "the device takes calls");
	return gpu_check_end("gpu_quick_look");
}

static void sleep_ms(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static void wait_for_look(void)
{
	for (int i = 0; i < 2000 && gpu_check_count("cudaMemcpyAsync") == 0; i++)
		sleep_ms(2);
	EXPECT(gpu_check_count("cudaMemcpyAsync") > 0, "the look has begun");
}

/* The process ends during the look: after the current probe, and nothing is published. */
static int scenario_exit(void)
{
	quick_look_enable(true);
	quick_look_set_budget(INT64_C(60000000000)); /* however late this thread is scheduled */
	session_wake();
	wait_for_look();
	EXPECT(gpu_check_situation().gpu == GPU_WARMING, "calls are not taken yet, and go on");
	session_stop();
	const unsigned long copies = gpu_check_count("cudaMemcpyAsync");
	sleep_ms(50);
	EXPECT(gpu_check_count("cudaMemcpyAsync") == copies, "it has ended");
	EXPECT(!quick_look_read(&found), "without a result");
	return gpu_check_end("gpu_quick_look");
}

/* A fork waits for the current probe, not for the whole look. */
static int scenario_fork(void)
{
	quick_look_enable(true);
	quick_look_set_budget(INT64_C(1500000000));
	session_wake();
	wait_for_look();
	const int64_t begin_ns = clock_monotonic_ns();
	session_before_fork();
	const double elapsed_s = (double)(clock_monotonic_ns() - begin_ns) / 1e9;
	EXPECT(!quick_look_read(&found), "in the middle of it");
	session_after_fork_parent();
	EXPECT(elapsed_s < 1, "%g s", elapsed_s);
	for (int i = 0; i < 2000 && gpu_check_situation().gpu == GPU_WARMING; i++)
		sleep_ms(2);
	EXPECT(quick_look_read(&found), "it went on");
	return gpu_check_end("gpu_quick_look");
}

static const struct scenario {
	const char *name;
	int (*run)(void);
	const char *setting;
	enum warmup warmup;
	uint64_t memory_limit;
} scenarios[] = {
	{"whole", scenario_whole, NULL, WARMUP_WAIT, 0},
	{"limited", scenario_whole, NULL, WARMUP_WAIT, 64},
	{"disabled", scenario_disabled, NULL, WARMUP_WAIT, 0},
	{"no_memory", scenario_no_memory, "SIMCUDA_FAIL=cudaMalloc:2+", WARMUP_WAIT, 0},
	{"no_rings", scenario_no_memory, "SIMCUDA_FAIL=cudaHostAlloc:*", WARMUP_WAIT, 0},
	{"locking", scenario_locking, "SIMCUDA_PIN_US_PER_MIB=400000", WARMUP_WAIT, 0},
	{"no_product", scenario_no_product, "SIMCUDA_FAIL=cublasDgemm_v2:55", WARMUP_WAIT, 0},
	{"slow", scenario_slow, "SIMCUDA_SLOW=cudaMemcpyAsync:30", WARMUP_WAIT, 0},
	{"exit", scenario_exit, "SIMCUDA_SLOW=cudaMemcpyAsync:20", WARMUP_BACKGROUND, 0},
	{"fork", scenario_fork, "SIMCUDA_SLOW=cudaMemcpyAsync:20", WARMUP_BACKGROUND, 0},
};
enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

static int run_scenario(const char *name)
{
	for (int i = 0; i < SCENARIOS; i++) {
		if (strcmp(scenarios[i].name, name) != 0)
			continue;
		gpu_check_configure(scenarios[i].memory_limit)->warmup = scenarios[i].warmup;
		memory_set_observer(note_held);
		pthread_atfork(session_before_fork, session_after_fork_parent,
		               session_after_fork_child);
		atexit(session_stop);
		return scenarios[i].run();
	}
	return 1;
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return run_scenario(argv[1]);
	if (getenv("EPOCHLY_GPU_CUDA_PATH") == NULL)
		return run_scenario("whole");
	for (int i = 0; i < SCENARIOS; i++) {
		struct gpu_child child = {.scenario = scenarios[i].name,
		                          .setting = {scenarios[i].setting}};
		gpu_child_run(&child);
		EXPECT(gpu_child_exited(&child, 0), "%s: status %x: %s", scenarios[i].name,
		       (unsigned)child.status, child.errors);
		EXPECT(gpu_child_messages(&child) == 0, "%s: %s", scenarios[i].name, child.errors);
	}
	return gpu_check_end("gpu_quick_look");
}
