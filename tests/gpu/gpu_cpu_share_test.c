/* gpu_cpu_share_test.c - calls that the CPU computes a part of; devices fail, handlers interrupt */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu_check_blas.h"
#include "gpu_check_handlers.h"
#include "gpu_scenarios.h"
#include "shim/execute/gpu/blas/gpu_panels.h"
#include "shim/execute/gpu/copy/pack_probe.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/session/session.h"

enum { RING_BYTES = 64 << 10, JUMPS = 20, MOVED_JUMPS = 4, SQUARE = 128 };

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

/* -- the end of C -- */

/* A product of ones whose C ends with a page; access: to the page behind it. */
static void run_before_page(int device, int access)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = sizeof(float) * SQUARE * SQUARE;
	float *c = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	                0);
	float *ones = malloc(bytes);
	bool finished;
	for (int i = 0; i < SQUARE * SQUARE; i++)
		ones[i] = 1;
	EXPECT(bytes % page == 0 && mprotect((char *)c + bytes, page, access) == 0,
	       "pages of %zu bytes", page);
	const struct call call = gpu_check_square(ELEMENT_S, SQUARE, ones, ones, c);
	const enum reason reason = gpu_check_call_blas(&call, device, &finished);
	EXPECT(reason == REASON_NONE && finished, "%s", reason_name(reason));
	for (int i = 0; i < SQUARE * SQUARE; i++)
		EXPECT(c[i] == SQUARE, "element %d is %g", i, (double)c[i]);
	munmap(c, bytes + page);
	free(ones);
}

/* Kernels of the CPU's library may read there: a call is shared if they can. */
static int scenario_behind(void)
{
	const int device = gpu_check_start(0);
	gpu_check_set_share(0.5);
	if (pack_probe_is_able()) {
		run_before_page(device, PROT_NONE);
		EXPECT(gpu_check_count_shared() == 0, "C ends at a page that is not there: shared");
	}
	run_before_page(device, PROT_READ);
	EXPECT(gpu_check_count_shared() == 1, "C ends at a page that is there: not shared");
	return gpu_check_end("gpu_cpu_share behind");
}

/* -- panels that move -- */

/*
 * Each kernel of the device takes milliseconds. The CPU is done at once and takes panels, whatever
 * becomes of the device.
 */
static struct gpu_check_blas call_of_panels(void)
{
	struct gpu_check_blas wanted = large_call(FAMILY_GEMM);
	const struct panel_choice narrow = {PANEL_ORDER_COLUMNS, 128, 128, 128, 40, 128, 128, 0};
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

static enum reason run_object(const void *object, int device)
{
	return gpu_check_run_blas(object, device);
}

/* Handlers that return run during the calls, which go on. */
static int scenario_handlers(void)
{
	const int device = gpu_check_start(0);
	gpu_check_set_share(0.5);
	for (enum family family = FAMILY_GEMM; family <= FAMILY_TRSM; family++) {
		struct gpu_check_blas wanted = large_call(family);
		wanted.element = ELEMENT_Z;
		gpu_check_run_in_ticks(
			&(struct gpu_check_interrupted){run_object, &wanted, device});
	}
	EXPECT(gpu_check_count_ticks() > 0, "no handler ran");
	EXPECT(gpu_check_count_shared() > 0, "no call was shared");
	return gpu_check_end("gpu_cpu_share handlers");
}

static void run_jumps(const struct gpu_check_blas *call, int device, int count)
{
	static struct gpu_check_blas wanted;
	wanted = *call;
	gpu_check_jump_out(&(struct gpu_check_interrupted){run_object, &wanted, device}, count);
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

/* The first FEW run by day. But for "behind" they have threads of each kind beside each other. */
enum { FEW = 5 };

static const struct gpu_scenario scenarios[] = {
	{"behind", scenario_behind, {NULL}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cublasDgemm_v2:2"}, NULL},
	{"moved_faults",
         scenario_moved_faults,
         {"SIMCUDA_SLOW=cublasDgemm_v2:4", "SIMCUDA_FAIL=cublasDgemm_v2:2"},
         NULL},
	{"handlers", scenario_handlers, {NULL}, NULL},
	{"shares", scenario_shares, {NULL}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaMemcpyAsync:3"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaMemcpy2DAsync:5"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaEventQuery:20"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaEventQuery:60"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaStreamWaitEvent:4"}, NULL},
	{"moved", scenario_moved, {"SIMCUDA_SLOW=cublasDgemm_v2:4"}, NULL},
	{"moved_jumps",
         scenario_moved_jumps,
         {"SIMCUDA_SLOW=cublasDgemm_v2:2", "ASAN_OPTIONS=detect_leaks=0"},
         NULL},
	/* What a call that is left has allocated stays. */
	{"jumps", scenario_jumps, {"ASAN_OPTIONS=detect_leaks=0"}, NULL},
};

/* usage: gpu_cpu_share_test [few] */
int main(int argc, char **argv)
{
	const bool few = argc > 1 && strcmp(argv[1], "few") == 0;
	staging_set_sizes(RING_BYTES, RING_BYTES / 4);
	return gpu_scenarios_run("gpu_cpu_share", scenarios,
	                         few ? FEW : sizeof scenarios / sizeof scenarios[0],
	                         argc > 1 && !few ? argv[1] : NULL);
}
