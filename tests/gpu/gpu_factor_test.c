/* gpu_factor_test.c - factorizations whose copies overlap the work: results, and what comes back */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "gpu_check_lapack.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/lapack/gpu_factor.h"
#include "shim/execute/gpu/session/session.h"

/* Much smaller than most matrices here, so that they move in pieces. */
enum { RING_BYTES = 256 << 10 };

static bool is_planned(enum family family)
{
	return family == FAMILY_GETRF || family == FAMILY_GESV || family == FAMILY_POTRF ||
	       family == FAMILY_POSV;
}

static void run_sizes(struct gpu_check_lapack *wanted, int device)
{
	static const int64_t size[][3] = {{1, 1, 1}, {17, 17, 3}, {64, 150, 90}, {150, 65, 70}};
	static int calls;
	for (size_t s = 0; is_planned(wanted->family) && s < sizeof size / sizeof size[0];
	     s++, calls++) {
		wanted->m = size[s][0];
		wanted->n = size[s][1];
		wanted->nrhs = size[s][2];
		wanted->gap = calls % 3;
		wanted->wide = calls % 2 == 0;
		const enum reason reason = gpu_check_run_lapack(wanted, device);
		EXPECT(reason == REASON_NONE, "%s %ld: %s", family_name(wanted->family),
		       (long)wanted->n, reason_name(reason));
	}
}

/* All operands are as before, though stores had begun. */
static void run_flawed(struct gpu_check_lapack *wanted, int device)
{
	wanted->m = 90;
	wanted->n = 80;
	wanted->nrhs = 2;
	for (int64_t gap = 0; is_planned(wanted->family) && gap < 2; gap++) {
		wanted->gap = gap;
		wanted->kind = CHECK_SPOILT;
		const enum reason spoilt = gpu_check_run_lapack(wanted, device);
		EXPECT(spoilt == REASON_NOT_FINITE || spoilt == REASON_NOT_SOLVED, "%s: %s",
		       family_name(wanted->family), reason_name(spoilt));
		session_note_outcome(spoilt);
		wanted->kind = CHECK_FLAWED;
		const enum reason flawed = gpu_check_run_lapack(wanted, device);
		EXPECT(flawed == REASON_NOT_SOLVED, "%s: %s", family_name(wanted->family),
		       reason_name(flawed));
		session_note_outcome(flawed);
	}
}

/* Memory for blocks of the matrix, from the least up to one slab; the record says so. */
static void run_streamed(struct gpu_check_lapack *wanted, int device)
{
	static const struct {
		int64_t m, n, width;
		uint64_t room;
	} run[] = {{40, 40, 16, 1000},  {150, 150, 16, 3900}, {150, 90, 50, 10000},
	           {90, 150, 16, 4000}, {150, 150, 0, 12000}, {97, 97, 32, 20000},
	           {30, 150, 20, 1700}};
	static int calls;
	const bool streams = is_planned(wanted->family);
	for (size_t i = 0; streams && i < sizeof run / sizeof run[0]; i++, calls++) {
		wanted->m = run[i].m;
		wanted->n = wanted->family == FAMILY_GETRF ? run[i].n : run[i].m;
		wanted->nrhs = 1 + calls % 40;
		wanted->gap = calls % 3;
		wanted->wide = calls % 2 == 0;
		gpu_factor_choose(GPU_FACTOR_BY_TIME, run[i].width, run[i].room);
		const enum reason reason = gpu_check_run_lapack(wanted, device);
		EXPECT(reason == REASON_NONE &&
		               strcmp(gpu_check_find_account()->recipe, "streamed") == 0,
		       "%s %ld: %s, %s", family_name(wanted->family), (long)wanted->n,
		       reason_name(reason), gpu_check_find_account()->recipe);
	}
	if (streams) {
		gpu_factor_choose(GPU_FACTOR_BY_TIME, 16, 2400);
		run_flawed(wanted, device);
	}
}

/* Too little for a panel: the call is the CPU's. */
static void test_no_room(int device)
{
	const struct gpu_check_lapack wanted = {
		.family = FAMILY_POTRF, .element = ELEMENT_D, .n = 150};
	gpu_factor_choose(GPU_FACTOR_BY_TIME, 16, 2000);
	const enum reason reason = gpu_check_run_lapack(&wanted, device);
	EXPECT(reason == REASON_DEVICE_MEMORY, "%s", reason_name(reason));
}

/* A matrix that the limit of memory excludes is streamed, and the limit is kept. */
static void test_limit(int device)
{
	static const struct gpu_check_lapack wanted[] = {
		{.family = FAMILY_POTRF, .element = ELEMENT_Z, .uplo = UPLO_LOWER, .n = 400},
		{.family = FAMILY_POTRF, .element = ELEMENT_D, .uplo = UPLO_UPPER, .n = 530},
		{.family = FAMILY_GETRF, .element = ELEMENT_D, .m = 480, .n = 560},
		/* Its operands fit, but not with cuSOLVER's workspace. */
		{.family = FAMILY_POTRF, .element = ELEMENT_D, .uplo = UPLO_LOWER, .n = 450},
		{.family = FAMILY_GESV, .element = ELEMENT_D, .n = 530, .nrhs = 7},
		{.family = FAMILY_POSV, .element = ELEMENT_Z, .n = 400, .nrhs = 90}};
	gpu_factor_choose(GPU_FACTOR_BY_TIME, 0, 0);
	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
		const enum reason reason = gpu_check_run_lapack(&wanted[i], device);
		EXPECT(reason == REASON_NONE &&
		               strcmp(gpu_check_find_account()->recipe, "streamed") == 0,
		       "%s, %s", reason_name(reason), gpu_check_find_account()->recipe);
	}
}

int main(int argc, char **argv)
{
	(void)argv;
	staging_set_sizes(RING_BYTES, RING_BYTES / 8);
	const int device = gpu_check_start(argc > 1 ? 2 : 0);
	if (argc > 1) {
		test_limit(device);
		return gpu_check_end("gpu_factor, little memory");
	}
	for (int i = 0; i < 3; i++) {
		static const int64_t widths[] = {0, 16, 50};
		gpu_factor_choose(GPU_FACTOR_ALWAYS, widths[i], 0);
		gpu_check_each_lapack(run_sizes, device);
		gpu_check_each_lapack(run_flawed, device);
	}
	gpu_check_each_lapack(run_streamed, device);
	test_no_room(device);
	EXPECT(gpu_check_situation().gpu == GPU_READY, "the GPU was given up");
	return gpu_check_end("gpu_factor");
}
