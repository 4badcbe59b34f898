/* gpu_migrate_test.c - a coherent device: inputs that calls read again are moved to its memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gpu_check.h"
#include "gpu_scenarios.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/node/page_move.h"
#include "shim/execute/gpu/resident/migrate.h"

enum { ORDER = 512, PAGES = ORDER * ORDER * (int)sizeof(double) / 4096 };

static double *a, *b, *c;
static int device;
static unsigned long requests;
static int refusal;

/* The pages are where this machine has them; what was asked is counted. */
static long count_moves(unsigned long count, void **pages, const int *nodes, int *status)
{
	for (unsigned long i = 0; nodes != NULL && i < count; i++)
		EXPECT(nodes[i] == 0, "node %d", nodes[i]);
	requests += nodes != NULL;
	errno = refusal;
	if (refusal != 0)
		return -1;
	return syscall(SYS_move_pages, 0, count, pages, nodes, status, 0);
}

static double *map(void)
{
	const size_t bytes = (size_t)ORDER * ORDER * sizeof(double);
	double *matrix =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(matrix != MAP_FAILED, "no memory");
	for (int i = 0; i < ORDER * ORDER; i++)
		matrix[i] = i % 7;
	return matrix;
}

/* Reads over the link take so long that any move pays. */
static void begin(void)
{
	static const struct machine slow = {.link_up_bytes = 1e6};
	engine_rates_set_machine(&slow);
	device = gpu_check_start(0);
	a = map();
	b = map();
	c = map();
	page_move_use_call(count_moves);
	migrate_open("");
}

/* Ones times A, whose columns sum to the same as B's. */
static void multiply(const double *left, const double *right, double *result)
{
	const struct call call = {.family = FAMILY_GEMM,
	                          .element = ELEMENT_D,
	                          .blas = {.m = ORDER,
	                                   .n = ORDER,
	                                   .k = ORDER,
	                                   .lda = ORDER,
	                                   .ldb = ORDER,
	                                   .ldc = ORDER,
	                                   .a = left,
	                                   .b = right,
	                                   .c = result,
	                                   .alpha = {1}}};
	bool finished;
	const enum reason reason = gpu_blas_run(&call, NULL, device, NULL, &finished);
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	double sum = 0;
	for (int i = 0; i < ORDER; i++)
		sum += left[i * ORDER] * right[i];
	EXPECT(result[0] == sum, "%g instead of %g", result[0], sum);
}

/* A and B are moved at the second call, C never is; then A is C, and may not be moved either. */
static int scenario_products(void)
{
	begin();
	multiply(a, b, c);
	EXPECT(migrate_stats_get().moves == 0, "at the first call");
	multiply(a, b, c);
	struct migrate_stats stats = migrate_stats_get();
	EXPECT(stats.moves == 2, "%d moves", (int)stats.moves);
	EXPECT(stats.moved_pages == 2 * PAGES, "%d pages", (int)stats.moved_pages);
	for (int i = 0; i < 4; i++) {
		multiply(a, b, c);
		multiply(c, b, a);
		for (int j = 0; j < ORDER * ORDER; j++)
			a[j] = j % 7;
	}
	stats = migrate_stats_get();
	EXPECT(stats.moves == 2, "%d moves", (int)stats.moves);
	EXPECT(migrate_reason() == MIGRATION_REASON_NONE, "off");
	return gpu_check_end("gpu_migrate");
}

/* A move that the kernel refuses changes nothing but that no more are tried. */
static int scenario_refused(void)
{
	begin();
	refusal = EPERM;
	for (int i = 0; i < 5; i++)
		multiply(a, b, c);
	EXPECT(requests == 1, "%lu requests", requests);
	EXPECT(migrate_reason() == MIGRATION_REASON_FORBIDDEN, "%d", (int)migrate_reason());
	return gpu_check_end("gpu_migrate");
}

/* Devices that cannot use it: without the attribute, without a node. */
static int scenario_nothing(void)
{
	begin();
	for (int i = 0; i < 5; i++)
		multiply(a, b, c);
	EXPECT(migrate_stats_get().calls == 0, "%d calls", (int)migrate_stats_get().calls);
	EXPECT(requests == 0, "%lu requests", requests);
	return gpu_check_end("gpu_migrate");
}

/* Loads go through the rings after all. */
static int scenario_staged(void)
{
	begin();
	flow_set_direct(false);
	for (int i = 0; i < 5; i++)
		multiply(a, b, c);
	EXPECT(requests == 0, "%lu requests", requests);
	EXPECT(migrate_reason() == MIGRATION_REASON_STAGED, "%d", (int)migrate_reason());
	return gpu_check_end("gpu_migrate");
}

static void transform(void *in, void *out)
{
	const struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                                    .element = ELEMENT_Z,
	                                    .rank = 1,
	                                    .dims = {{ORDER * ORDER / 2, 1, 1}},
	                                    .howmany = 1,
	                                    .sign = -1,
	                                    .in_place = in == out};
	const struct call call = {
		.family = FAMILY_FFT_C2C,
		.element = ELEMENT_Z,
		.fft = {.problem = &problem, .in = in, .out = out, .plan_key = out}};
	EXPECT(gpu_fft_run(&call, device) == REASON_NONE, "a transform");
}

/* Input is moved; input that results overwrite goes through the ring, and stays. */
static int scenario_transforms(void)
{
	begin();
	for (int i = 0; i < 3; i++)
		transform(a, a);
	EXPECT(migrate_stats_get().moves == 0, "%d moves", (int)migrate_stats_get().moves);
	for (int i = 0; i < 3; i++)
		transform(b, c);
	EXPECT(migrate_stats_get().moves == 1, "%d moves", (int)migrate_stats_get().moves);
	EXPECT(migrate_stats_get().moved_pages == PAGES, "not all pages");
	return gpu_check_end("gpu_migrate");
}

static const struct gpu_scenario scenarios[] = {
	{"products", scenario_products, {"SIMCUDA_HOST_TABLES=1", "SIMCUDA_MEMORY_NODE=0"}, NULL},
	{"refused", scenario_refused, {"SIMCUDA_HOST_TABLES=1", "SIMCUDA_MEMORY_NODE=0"}, NULL},
	{"transforms",
         scenario_transforms,
         {"SIMCUDA_HOST_TABLES=1", "SIMCUDA_MEMORY_NODE=0"},
         NULL},
	{"staged", scenario_staged, {"SIMCUDA_HOST_TABLES=1", "SIMCUDA_MEMORY_NODE=0"}, NULL},
	{"no_tables", scenario_nothing, {"SIMCUDA_MEMORY_NODE=0"}, NULL},
	{"no_node", scenario_nothing, {"SIMCUDA_HOST_TABLES=1"}, NULL},
};

int main(int argc, char **argv)
{
	return gpu_scenarios_run("gpu_migrate", scenarios, sizeof scenarios / sizeof scenarios[0],
	                         argc == 2 ? argv[1] : NULL);
}
