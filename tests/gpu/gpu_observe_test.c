/* gpu_observe_test.c - a listener's view of calls: planned bytes, boxes, nested stages */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <string.h>

#include "gpu_check_blas.h"
#include "gpu_check_lapack.h"
#include "shim/base/clock.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/blas/gpu_panels.h"

enum { DEPTH = 8, CALL = 4711 };

/*
 * Operations of the call by track, and ended stages, except those of copy threads within the
 * calling thread.
 */
static struct {
	pthread_mutex_t lock;
	uint64_t count[OBSERVE_TRACKS], bytes[OBSERVE_TRACKS];
	int64_t end_ns[OBSERVE_TRACKS], begin_ns;
	uint64_t gathered, scattered;
	int plans, wrong;
} heard = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local const char *open_name[DEPTH];
static _Thread_local int depth;

static int64_t begin(const char *name)
{
	if (depth < DEPTH)
		open_name[depth] = name;
	depth++;
	return clock_monotonic_ns();
}

static void end(const char *name, int64_t begin_ns, uint64_t size_bytes, uint64_t call)
{
	depth--;
	pthread_mutex_lock(&heard.lock);
	heard.wrong += depth < 0 || depth >= DEPTH || strcmp(open_name[depth], name) != 0;
	heard.wrong += begin_ns < heard.begin_ns || call != CALL;
	heard.plans += strcmp(name, "plan") == 0;
	if (strncmp(name, "gather", 6) == 0)
		heard.gathered += size_bytes;
	if (strcmp(name, "scatter") == 0)
		heard.scattered += size_bytes;
	pthread_mutex_unlock(&heard.lock);
}

static void span(const char *name, int64_t begin_ns, int64_t end_ns)
{
	heard.wrong += strcmp(name, "wait") != 0 || begin_ns < heard.begin_ns || end_ns < begin_ns;
}

/* Called by the thread that conducts the flow. */
static void operate(const struct observe_operation *operation)
{
	const enum observe_track track = operation->track;
	heard.count[track]++;
	heard.bytes[track] += operation->size_bytes;
	heard.wrong += operation->begin_ns < heard.end_ns[track] ||
	               operation->end_ns < operation->begin_ns;
	heard.wrong +=
		operation->queued_ns > operation->begin_ns || operation->queued_ns < heard.begin_ns;
	heard.wrong += operation->call != CALL;
	heard.end_ns[track] = operation->end_ns;
}

static uint64_t find_call(void)
{
	return CALL;
}

static const struct observer listener = {begin, end, span, operate, find_call};

static void forget(void)
{
	for (int track = 0; track < OBSERVE_TRACKS; track++)
		heard.count[track] = heard.bytes[track] = 0;
	heard.gathered = heard.scattered = 0;
	heard.plans = heard.wrong = 0;
	heard.begin_ns = clock_monotonic_ns();
}

static void expect_heard(const char *what, uint64_t load_bytes, uint64_t store_bytes)
{
	const uint64_t *bytes = heard.bytes;
	EXPECT(bytes[OBSERVE_LINK_UP] == load_bytes, "%s: %lu bytes up, not %lu", what,
	       (unsigned long)bytes[OBSERVE_LINK_UP], (unsigned long)load_bytes);
	EXPECT(bytes[OBSERVE_LINK_DOWN] == store_bytes, "%s: %lu bytes down, not %lu", what,
	       (unsigned long)bytes[OBSERVE_LINK_DOWN], (unsigned long)store_bytes);
	EXPECT(bytes[OBSERVE_COMMITS] == store_bytes, "%s: %lu bytes committed", what,
	       (unsigned long)bytes[OBSERVE_COMMITS]);
	EXPECT(heard.gathered == load_bytes && heard.scattered == store_bytes,
	       "%s: %lu gathered, %lu scattered", what, (unsigned long)heard.gathered,
	       (unsigned long)heard.scattered);
	EXPECT(heard.plans == 1, "%s: planned %d times", what, heard.plans);
	EXPECT(heard.wrong == 0 && depth == 0, "%s: %d things told are wrong", what, heard.wrong);
}

static void test_plan(const struct gpu_check_blas *wanted, const struct panel_choice *choice,
                      int device)
{
	const struct panel_problem problem = {
		.family = wanted->family,
		.element = wanted->element,
		.blas = {.m = wanted->m, .n = wanted->n, .k = wanted->k, .beta = {0.5}}};
	const struct panel_rates rates = {.up_bytes_s = 1e10,
	                                  .down_bytes_s = 1e10,
	                                  .duplex = 1,
	                                  .work_flops_s = 1e13,
	                                  .operation_ns = 1e4,
	                                  .copy_bytes = UINT64_C(1) << 20,
	                                  .memory_bytes = UINT64_C(1) << 30};
	struct panel_plan plan;
	gpu_panels_set_choice(choice);
	forget();
	EXPECT(gpu_check_run_blas(wanted, device) == REASON_NONE, "the call");
	EXPECT(panels_plan_as(&problem, &rates, choice, &plan), "its plan");
	expect_heard(panel_plan_name_order(choice->order), plan.load_bytes, plan.store_bytes);
	EXPECT(heard.count[OBSERVE_KERNELS] == plan.kind_count[PANEL_WORK], "%lu kernels, not %u",
	       (unsigned long)heard.count[OBSERVE_KERNELS], plan.kind_count[PANEL_WORK]);
	panel_plan_free(&plan);
}

static void test_plans(int device)
{
	static const struct panel_choice choices[] = {
		{PANEL_ORDER_COLUMNS, 128, 128, 0, 128, 0, 0, 0},
		{PANEL_ORDER_RINGS, 128, 128, 0, 128, 128, 128, 0},
		{PANEL_ORDER_BLOCKS, 128, 128, 0, 128, 0, 0, 0}};
	const struct gpu_check_blas wanted = {.family = FAMILY_GEMM,
	                                      .element = ELEMENT_D,
	                                      .m = 400,
	                                      .n = 300,
	                                      .k = 290,
	                                      .gap = 1,
	                                      .alpha = 1,
	                                      .beta = 0.5};
	for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
		test_plan(&wanted, &choices[i], device);
	gpu_panels_set_choice(NULL);
}

static void test_fft(int device)
{
	const struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
	                                     .element = ELEMENT_Z,
	                                     .rank = 1,
	                                     .n = {60},
	                                     .howmany = 20,
	                                     .sign = -1};
	const uint64_t size_bytes = UINT64_C(60) * 20 * 16;
	forget();
	EXPECT(gpu_check_run_fft(&wanted, device) == REASON_NONE, "the transform");
	heard.gathered =
		heard.bytes
			[OBSERVE_LINK_UP]; /* tight memory is page-locked where that is worth it */
	expect_heard("transform", size_bytes, size_bytes);
}

/* Pivots go up with the right-hand sides, and the info comes down with the solutions. */
static void test_solve(int device)
{
	const struct gpu_check_lapack wanted = {
		.family = FAMILY_GETRS, .element = ELEMENT_D, .n = 96, .nrhs = 16};
	forget();
	EXPECT(gpu_check_run_lapack(&wanted, device) == REASON_NONE, "the solutions");
	EXPECT(heard.count[OBSERVE_LINK_UP] == 2, "%lu copies up, not factors, and the rest",
	       (unsigned long)heard.count[OBSERVE_LINK_UP]);
	EXPECT(heard.count[OBSERVE_LINK_DOWN] == 1, "%lu copies down, not one",
	       (unsigned long)heard.count[OBSERVE_LINK_DOWN]);
}

int main(void)
{
	const int device = gpu_check_start(0);
	EXPECT(heard.count[OBSERVE_KERNELS] == 0, "nothing is told without a listener");
	observe_set(&listener);
	test_plans(device);
	test_fft(device);
	test_solve(device);
	return gpu_check_end("gpu_observe");
}
