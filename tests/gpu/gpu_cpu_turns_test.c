/* gpu_cpu_turns_test.c - batches of transforms of which the CPU computes a part; devices fail */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "gpu_check.h"
#include "gpu_check_blas.h"
#include "gpu_check_handlers.h"
#include "gpu_scenarios.h"
#include "shim/base/stack.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/session/session.h"

enum { RING_BYTES = 64 << 10, JUMPS = 20, GROUP = 7, THREADS = 4, CALLS = 12 };

static const double shares[] = {0.01, 0.37, 0.5, 0.99};

enum { SHARES = sizeof shares / sizeof shares[0] };

/* -- calls of all kinds -- */

static void run_one(const struct gpu_check_fft *wanted, int device)
{
	const enum reason reason = gpu_check_run_fft(wanted, device);
	EXPECT(reason == REASON_NONE, "family %d order %d: %s", (int)wanted->family,
	       (int)wanted->order, reason_name(reason));
	/* Of transforms that lie in one another a few would be walked in short runs. */
	EXPECT(gpu_check_find_done() > 0 || wanted->order == ORDER_INTERLEAVED,
	       "family %d element %d rank %d in place %d order %d: not shared", (int)wanted->family,
	       (int)wanted->element, wanted->rank, (int)wanted->in_place, (int)wanted->order);
}

static void run_sizes(struct gpu_check_fft wanted, int device)
{
	static const struct {
		int rank;
		int64_t n[3], howmany;
		int offset_bytes;
	} sizes[] = {{1, {300}, 2, 0},
	             {1, {75}, 21, 8},
	             {2, {20, 16}, 5, 0},
	             {2, {7, 16}, 203, 0},
	             {3, {6, 4, 5}, 9, 0}};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		wanted.rank = sizes[i].rank;
		for (int axis = 0; axis < 3; axis++)
			wanted.n[axis] = sizes[i].n[axis];
		wanted.howmany = sizes[i].howmany;
		wanted.offset_bytes = sizes[i].offset_bytes;
		run_one(&wanted, device);
	}
}

/*
 * Rows of real transforms in place have their padding, whatever the order. FFTW 3.3.10 ends in a
 * recursion without end where it plans real transforms with negative strides.
 */
static bool is_possible(enum family family, bool in_place, enum gpu_check_order order)
{
	return family == FAMILY_FFT_C2C || (in_place && order == ORDER_TIGHT) ||
	       (!in_place && order != ORDER_REVERSED);
}

/* Either precision in turn. */
static void run_orders(struct gpu_check_fft wanted, int turn, int device)
{
	for (int order = ORDER_TIGHT; order <= ORDER_REVERSED; order++) {
		wanted.order = (enum gpu_check_order)order;
		wanted.element = (order + turn) % 2 ? ELEMENT_C : ELEMENT_Z;
		wanted.sign = order % 2 ? 1 : -1;
		if (is_possible(wanted.family, wanted.in_place, wanted.order))
			run_sizes(wanted, device);
	}
}

static int scenario_shares(void)
{
	const int device = gpu_check_start(0);
	for (int i = 0; i < SHARES; i++) {
		gpu_check_set_share(shares[i]);
		for (enum family family = FAMILY_FFT_C2C; family <= FAMILY_FFT_C2R; family++)
			for (int in_place = 0; in_place < 2; in_place++)
				run_orders((struct gpu_check_fft){.family = family,
				                                  .in_place = in_place == 1},
				           i + in_place, device);
	}
	return gpu_check_end("gpu_cpu_turns shares");
}

/* One transform, one that cannot be cut, and a batch without a share are the device's alone. */
static int scenario_alone(void)
{
	const int device = gpu_check_start(0);
	struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
	                               .element = ELEMENT_Z,
	                               .rank = 1,
	                               .n = {96},
	                               .howmany = 1,
	                               .sign = 1};
	gpu_check_set_share(0.5);
	EXPECT(gpu_check_run_fft(&wanted, device) == REASON_NONE, "one");
	EXPECT(gpu_check_count_shared() == 0, "one transform was shared");
	gpu_check_set_share(0);
	wanted.howmany = 20;
	EXPECT(gpu_check_run_fft(&wanted, device) == REASON_NONE, "without a share");
	EXPECT(gpu_check_count_shared() == 0, "a call was shared");
	return gpu_check_end("gpu_cpu_turns alone");
}

/* -- faults -- */

/* 105 slices of two, and a rest of one. */
static struct gpu_check_fft large_call(enum family family, bool in_place)
{
	return (struct gpu_check_fft){.family = family,
	                              .element = ELEMENT_Z,
	                              .rank = 1,
	                              .n = {96},
	                              .howmany = 211,
	                              .sign = -1,
	                              .in_place = in_place};
}

/* Some function fails: no result may be lost, whatever part of it the CPU had. */
static int scenario_faults(void)
{
	const int device = gpu_check_start(0);
	int failures = 0;
	gpu_check_set_share(0.37);
	gpu_fft_set_group(GROUP);
	for (enum family family = FAMILY_FFT_C2C; family <= FAMILY_FFT_C2R; family++)
		for (int in_place = 0; in_place < 2; in_place++) {
			const struct gpu_check_fft wanted = large_call(family, in_place);
			const enum reason reason = gpu_check_run_fft(&wanted, device);
			session_note_outcome(reason);
			failures += reason != REASON_NONE;
		}
	EXPECT(failures > 0, "the device did not fail");
	return gpu_check_end("gpu_cpu_turns faults");
}

/* In the middle of the device's part, in place: some results have come, and the CPU finishes. */
static int scenario_late(void)
{
	const int device = gpu_check_start(0);
	const struct gpu_check_fft wanted = large_call(FAMILY_FFT_C2C, true);
	gpu_check_set_share(0.37);
	gpu_fft_set_group(GROUP);
	const enum reason reason = gpu_check_run_fft(&wanted, device);
	EXPECT(reason != REASON_NONE, "the device did not fail");
	EXPECT(gpu_check_find_done() > 0, "the CPU did not finish the call");
	return gpu_check_end("gpu_cpu_turns late");
}

/* -- threads: one call is shared at a time, the others are the device's -- */

static void *run_calls(void *object)
{
	const int device = *(const int *)object;
	for (int i = 0; i < CALLS; i++) {
		const struct gpu_check_fft wanted =
			large_call((enum family)(FAMILY_FFT_C2C + i % 3), i % 2);
		const enum reason reason = gpu_check_run_fft(&wanted, device);
		EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	}
	return NULL;
}

static int scenario_threads(void)
{
	int device = gpu_check_start(0);
	pthread_t threads[THREADS];
	gpu_check_set_share(0.5);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run_calls, &device);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	EXPECT(gpu_check_count_shared() > 0, "no call was shared");
	return gpu_check_end("gpu_cpu_turns threads");
}

/* -- handlers -- */

static enum reason run_object(const void *object, int device)
{
	return gpu_check_run_fft(object, device);
}

static int scenario_handlers(void)
{
	const int device = gpu_check_start(0);
	gpu_check_set_share(0.5);
	for (int i = 0; i < JUMPS; i++) {
		const struct gpu_check_fft wanted =
			large_call((enum family)(FAMILY_FFT_C2C + i % 3), i % 2);
		gpu_check_run_in_ticks(
			&(struct gpu_check_interrupted){run_object, &wanted, device});
	}
	EXPECT(gpu_check_count_ticks() > 0, "no handler ran");
	EXPECT(gpu_check_count_shared() > 0, "no call was shared");
	return gpu_check_end("gpu_cpu_turns handlers");
}

static void run_nothing(void *unused)
{
	(void)unused;
}

static int scenario_jumps(void)
{
	static struct gpu_check_fft wanted;
	const int device = gpu_check_start(0);
	gpu_check_set_share(0.5);
	stack_run(STACK_FOR_CPU, run_nothing, NULL); /* where the stack lies is known then */
	for (int in_place = 0; in_place < 2; in_place++) {
		wanted = large_call(FAMILY_FFT_C2C, in_place);
		gpu_check_jump_out(&(struct gpu_check_interrupted){run_object, &wanted, device},
		                   JUMPS);
	}
	EXPECT(gpu_check_count_shared() > JUMPS, "%d calls were shared", gpu_check_count_shared());
	return gpu_check_end("gpu_cpu_turns jumps");
}

static const struct gpu_scenario scenarios[] = {
	{"shares", scenario_shares, {NULL}, NULL},
	{"alone", scenario_alone, {NULL}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cufftExecZ2Z:2"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cufftExecD2Z:3"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cufftExecZ2D:3"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaMemcpyAsync:1"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaMemcpyAsync:9"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaEventRecord:2"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaStreamWaitEvent:5"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=copy:40:700"}, "context is lost"},
	{"late", scenario_late, {"SIMCUDA_FAIL=cufftExecZ2Z:9"}, NULL},
	{"late", scenario_late, {"SIMCUDA_FAIL=cudaEventQuery:20"}, NULL},
	{"threads", scenario_threads, {NULL}, NULL},
	{"handlers", scenario_handlers, {NULL}, NULL},
	/* What a call that is left has allocated stays. */
	{"jumps", scenario_jumps, {"ASAN_OPTIONS=detect_leaks=0"}, NULL},
};

int main(int argc, char **argv)
{
	if (!gpu_check_has_fftw()) {
		printf("skipped: FFTW is not installed\n");
		return GPU_CHECK_SKIPPED;
	}
	staging_set_sizes(RING_BYTES, RING_BYTES / 4);
	return gpu_scenarios_run("gpu_cpu_turns", scenarios, sizeof scenarios / sizeof scenarios[0],
	                         argc > 1 ? argv[1] : NULL);
}
