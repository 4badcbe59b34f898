/* gpu_cpu_share_test.c - calls that the CPU computes a part of; devices fail, handlers interrupt */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "gpu_check_blas.h"
#include "gpu_scenarios.h"
#include "shim/execute/gpu/blas/gpu_panels.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/session/session.h"
#include "shim/shield/shield.h"

enum { RING_BYTES = 64 << 10, JUMPS = 20, MOVED_JUMPS = 4, TICK_US = 300 };

static const double shares[] = {0.01, 0.37, 0.5, 0.99};

enum { SHARES = sizeof shares / sizeof shares[0] };

static void run_one(struct gpu_check_blas *wanted, int device)
{
	static const int64_t size[][3] = {{37, 41, 23}, {130, 9, 30}, {2, 2, 2}};
	static const double complex scalar[][2] = {{1, 0}, {0.5 - 0.25 * I, 2 + 1.5 * I}, {2, 1}};
	static int calls;
	const int which = calls++ % 3;
	gpu_check_size_blas(wanted, size[which], scalar[calls / 3 % 3]);
	wanted->gap = calls % 4;
	const enum reason reason = gpu_check_run_blas(wanted, device);
	EXPECT(reason == REASON_NONE, "family %d: %s", (int)wanted->family, reason_name(reason));
}

/* Every family with every element and all flags, by four shares. */
static int scenario_shares(void)
{
	const int device = gpu_check_start(0);
	for (int i = 0; i < SHARES; i++) {
		gpu_check_set_share(shares[i]);
		gpu_check_each_blas(run_one, device);
		EXPECT(gpu_check_count_shared() > 30, "%g: %d calls were shared", shares[i],
		       gpu_check_count_shared());
	}
	gpu_check_set_share(0);
	gpu_check_each_blas(run_one, device);
	EXPECT(gpu_check_count_shared() == 0, "a call was shared");
	return gpu_check_end("gpu_cpu_share shares");
}

static struct gpu_check_blas large_call(enum family family)
{
	return (struct gpu_check_blas){.family = family,
	                               .element = ELEMENT_D,
	                               .uplo = UPLO_LOWER,
	                               .m = 180,
	                               .n = 260,
	                               .k = 140,
	                               .gap = 3,
	                               .alpha = 1.25,
	                               .beta = 0.5};
}

/* Some function fails: no result may be lost, whatever part of it the CPU had. */
static int scenario_faults(void)
{
	const int device = gpu_check_start(0);
	gpu_check_set_share(0.37);
	for (enum family family = FAMILY_GEMM; family <= FAMILY_TRSM; family++) {
		const struct gpu_check_blas wanted = large_call(family);
		session_note_outcome(gpu_check_run_blas(&wanted, device));
	}
	return gpu_check_end("gpu_cpu_share faults");
}

/* -- panels that move -- */

/*
 * Each kernel of the device takes milliseconds. The CPU is done at once and takes panels, whatever
 * becomes of the device.
 */
static struct gpu_check_blas call_of_panels(void)
{
	struct gpu_check_blas wanted = large_call(FAMILY_GEMM);
	const struct panel_choice narrow = {PANEL_ORDER_COLUMNS, 128, 128, 128, 40};
	gpu_panels_set_choice(&narrow);
	gpu_check_set_share(0.02);
	wanted.n = 4000;
	wanted.k = 40;
	return wanted;
}

static void expect_moved(void)
{
	const double done = gpu_check_find_done();
	EXPECT(done > 0.05, "the CPU had %g of the call", done);
}

static int scenario_moved(void)
{
	const int device = gpu_check_start(0);
	struct gpu_check_blas wanted = call_of_panels();
	for (int i = 0; i < 4; i++) {
		wanted.transa = (enum transpose)(i % 2);
		wanted.transb = (enum transpose)(i / 2);
		const enum reason reason = gpu_check_run_blas(&wanted, device);
		EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
		expect_moved();
	}
	return gpu_check_end("gpu_cpu_share moved");
}

static int scenario_moved_faults(void)
{
	const int device = gpu_check_start(0);
	const struct gpu_check_blas wanted = call_of_panels();
	const enum reason reason = gpu_check_run_blas(&wanted, device);
	EXPECT(reason != REASON_NONE, "the device did not fail");
	expect_moved();
	return gpu_check_end("gpu_cpu_share moved_faults");
}

/* -- handlers -- */

static volatile sig_atomic_t ticks;
static sigjmp_buf back;
static bool jumps;

static void tick(int number)
{
	(void)number;
	ticks++;
	if (jumps)
		siglongjmp(back, 1);
}

static void begin_ticks(void)
{
	const struct sigaction action = {.sa_handler = tick};
	const struct itimerval timer = {{0, TICK_US}, {0, TICK_US}};
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void end_ticks(void)
{
	const struct itimerval none = {{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &none, NULL);
}

/* As the route does, with one frame for all calls, as those of a loop have. */
static const void *frame;
static enum reason run_shielded(const struct gpu_check_blas *wanted, int device)
{
	struct shield shield;
	shield_begin(&shield);
	EXPECT(!lanes_is_inside(frame), "the call before has not ended");
	lane_owner_frame(frame);
	const enum reason reason = gpu_check_run_blas(wanted, device);
	shield_end(&shield);
	return reason;
}

/* Handlers that return run during the calls, which go on. */
static int scenario_handlers(void)
{
	const int device = gpu_check_start(0);
	gpu_check_set_share(0.5);
	frame = __builtin_frame_address(0);
	begin_ticks();
	for (enum family family = FAMILY_GEMM; family <= FAMILY_TRSM; family++) {
		struct gpu_check_blas wanted = large_call(family);
		wanted.element = ELEMENT_Z;
		const enum reason reason = run_shielded(&wanted, device);
		EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	}
	end_ticks();
	EXPECT(ticks > 0, "no handler ran");
	EXPECT(gpu_check_count_shared() > 0, "no call was shared");
	return gpu_check_end("gpu_cpu_share handlers");
}

static int count_threads(void)
{
	int count = 0;
	DIR *tasks = opendir("/proc/self/task");
	while (tasks != NULL && readdir(tasks) != NULL)
		count++;
	if (tasks != NULL)
		closedir(tasks);
	return count;
}

/* A handler that jumps leaves the call: no thread of it is left, and the next calls are right. */
static void run_jumps(const struct gpu_check_blas *call, int device, int count)
{
	static struct gpu_check_blas wanted;
	static int left;
	wanted = *call;
	frame = __builtin_frame_address(0);
	EXPECT(run_shielded(&wanted, device) == REASON_NONE, "the first call");
	for (volatile int i = 0; i < count; i++) {
		jumps = true;
		if (sigsetjmp(back, 1) == 0) {
			begin_ticks();
			run_shielded(&wanted, device);
		} else {
			left++;
		}
		jumps = false;
		end_ticks();
		const enum reason reason = run_shielded(&wanted, device);
		EXPECT(reason == REASON_NONE, "after a jump: %s", reason_name(reason));
	}
	EXPECT(left > 0, "no handler jumped");
	EXPECT(count_threads() < JUMPS, "%d threads", count_threads());
}

static int scenario_jumps(void)
{
	const int device = gpu_check_start(0);
	const struct gpu_check_blas wanted = large_call(FAMILY_GEMM);
	gpu_check_set_share(0.5);
	run_jumps(&wanted, device, JUMPS);
	return gpu_check_end("gpu_cpu_share jumps");
}

static int scenario_moved_jumps(void)
{
	const int device = gpu_check_start(0);
	const struct gpu_check_blas wanted = call_of_panels();
	run_jumps(&wanted, device, MOVED_JUMPS);
	return gpu_check_end("gpu_cpu_share moved_jumps");
}

/* Handlers of faults, as sanitizers have them, keep panels from moving. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "handle_segv=0:handle_sigbus=0";
}

__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
	return "handle_segv=0:handle_sigbus=0";
}

static const struct gpu_scenario scenarios[] = {
	{"shares", scenario_shares, {NULL}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cublasDgemm_v2:2"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaMemcpyAsync:3"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaMemcpy2DAsync:5"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaEventQuery:20"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaEventQuery:60"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaStreamWaitEvent:4"}, NULL},
	{"moved", scenario_moved, {"SIMCUDA_SLOW=cublasDgemm_v2:4"}, NULL},
	{"moved_faults",
         scenario_moved_faults,
         {"SIMCUDA_SLOW=cublasDgemm_v2:4", "SIMCUDA_FAIL=cublasDgemm_v2:2"},
         NULL},
	{"moved_jumps",
         scenario_moved_jumps,
         {"SIMCUDA_SLOW=cublasDgemm_v2:2", "ASAN_OPTIONS=detect_leaks=0"},
         NULL},
	{"handlers", scenario_handlers, {NULL}, NULL},
	/* What a call that is left has allocated stays. */
	{"jumps", scenario_jumps, {"ASAN_OPTIONS=detect_leaks=0"}, NULL},
};

int main(int argc, char **argv)
{
	staging_set_sizes(RING_BYTES, RING_BYTES / 4);
	return gpu_scenarios_run("gpu_cpu_share", scenarios, sizeof scenarios / sizeof scenarios[0],
	                         argc > 1 ? argv[1] : NULL);
}
