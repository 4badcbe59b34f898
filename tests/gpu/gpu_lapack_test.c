/* gpu_lapack_test.c - LAPACK on the GPU: families, elements, letters, sizes, what comes back */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "gpu_check_lapack.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/session/session.h"

/* Much smaller than most matrices here, so that they move in pieces. */
enum { RING_BYTES = 64 << 10 };

static bool is_singular(enum family family)
{
	return family == FAMILY_GESDD || family == FAMILY_GESVD;
}

/* orgqr and gels have no fewer rows than columns. */
static void settle_shape(struct gpu_check_lapack *wanted)
{
	const enum family family = wanted->family;
	const bool apply = family == FAMILY_ORMQR || family == FAMILY_UNMQR;
	const int64_t m = wanted->m;
	if (m < wanted->n && !apply && family != FAMILY_GETRF && family != FAMILY_GEQRF &&
	    !is_singular(family)) {
		wanted->m = wanted->n;
		wanted->n = m;
	}
	wanted->k = (!apply || wanted->side == SIDE_RIGHT ? wanted->n : wanted->m) * 3 / 4;
	wanted->k = wanted->k > 0 ? wanted->k : 1;
}

static void run_sizes(struct gpu_check_lapack *wanted, int device)
{
	static const int64_t size[][3] = {{1, 1, 1},   {2, 2, 3},   {17, 17, 1},  {33, 20, 4},
	                                  {20, 33, 5}, {64, 64, 7}, {90, 71, 16}, {101, 101, 2}};
	static int calls;
	for (size_t s = 0; s < sizeof size / sizeof size[0]; s++, calls++) {
		wanted->m = size[s][0];
		wanted->n = size[s][1];
		wanted->nrhs = size[s][2];
		settle_shape(wanted);
		wanted->il = 1 + wanted->n / 4;
		wanted->iu = wanted->n - wanted->n / 3;
		wanted->gap = calls % 3;
		wanted->wide = calls % 2 == 0;
		wanted->offset_bytes = calls % 4 == 0 ? 8 * (calls % 5) : 0;
		const enum reason reason = gpu_check_run_lapack(wanted, device);
		if (wanted->family == FAMILY_GEEV && reason == REASON_FUNCTION_MISSING)
			continue; /* it is in CUDA 13, and late in 12 */
		EXPECT(reason == REASON_NONE, "%s: %s", family_name(wanted->family),
		       reason_name(reason));
	}
}

/* Whether a flaw of the matrix shows in info: not that of factors that are only used. */
static bool may_be_flawed(const struct gpu_check_lapack *wanted)
{
	const enum family family = wanted->family;
	return family == FAMILY_GETRF || family == FAMILY_GESV || family == FAMILY_POTRF ||
	       family == FAMILY_POSV || family == FAMILY_GELS ||
	       (family == FAMILY_TRTRI && wanted->diag == DIAG_NON_UNIT);
}

/* The CPU library does such calls, and the GPU is not blamed. */
static void run_flawed(struct gpu_check_lapack *wanted, int device)
{
	wanted->m = 25;
	wanted->n = 21;
	wanted->nrhs = 2;
	wanted->il = 3;
	wanted->iu = 9;
	wanted->k = 7;
	for (int64_t gap = 0; gap < 2; gap++) {
		wanted->gap = gap;
		wanted->kind = CHECK_SPOILT;
		const enum reason spoilt = gpu_check_run_lapack(wanted, device);
		if (spoilt == REASON_FUNCTION_MISSING && wanted->family == FAMILY_GEEV)
			return;
		EXPECT(spoilt == REASON_NOT_FINITE, "%s: %s", family_name(wanted->family),
		       reason_name(spoilt));
		session_note_outcome(spoilt);
		if (!may_be_flawed(wanted))
			continue;
		wanted->kind = CHECK_FLAWED;
		const enum reason flawed = gpu_check_run_lapack(wanted, device);
		EXPECT(flawed == REASON_NOT_SOLVED, "%s: %s", family_name(wanted->family),
		       reason_name(flawed));
		session_note_outcome(flawed);
	}
}

/* The numbers of one operand as large or as small as those that LAPACK's gels scales, and less. */
static void run_scaled(struct gpu_check_lapack *wanted, int device)
{
	const bool single = wanted->element == ELEMENT_S || wanted->element == ELEMENT_C;
	const int bound = single ? 103 : 970;
	const struct {
		int power_a, power_b;
		enum reason reason;
	} scaled[] = {{bound + 1, 0, REASON_EXTREME_SCALE}, {-bound - 1, 0, REASON_EXTREME_SCALE},
	              {0, bound + 1, REASON_EXTREME_SCALE}, {0, -bound - 1, REASON_EXTREME_SCALE},
	              {bound - 3, 20, REASON_NONE},         {-bound + 3, -20, REASON_NONE},
	              {20, bound - 3, REASON_NONE},         {-20, -bound + 3, REASON_NONE},
	              {-5000, 0, REASON_ZERO_MATRIX}};
	wanted->m = 40;
	wanted->n = 30;
	wanted->nrhs = 3;
	for (size_t i = 0; wanted->family == FAMILY_GELS && i < sizeof scaled / sizeof scaled[0];
	     i++) {
		wanted->power_a = scaled[i].power_a;
		wanted->power_b = scaled[i].power_b;
		const enum reason reason = gpu_check_run_lapack(wanted, device);
		EXPECT(reason == scaled[i].reason, "case %d: %s", (int)i, reason_name(reason));
		session_note_outcome(reason);
	}
}

/* Calls of gesvdp, and of gesvd, on the simulated GPU. */
struct tally {
	unsigned long polar, bidiagonal;
};

static struct tally count_singular(void)
{
	return (struct tally){gpu_check_count("cusolverDnXgesvdp"),
	                      gpu_check_count("cusolverDnXgesvd")};
}

/* A matrix without full rank, whose values gesvdp moves: those of gesvd are taken. */
static void run_deficient(struct gpu_check_lapack *wanted, int device)
{
	static const int64_t size[][2] = {{25, 21}, {21, 25}, {24, 24}};
	for (size_t s = 0; is_singular(wanted->family) && s < sizeof size / sizeof size[0]; s++) {
		const struct tally before = count_singular();
		wanted->kind = CHECK_FLAWED;
		wanted->m = size[s][0];
		wanted->n = size[s][1];
		wanted->gap = (int64_t)s % 2;
		const enum reason reason = gpu_check_run_lapack(wanted, device);
		EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
		const struct tally after = count_singular();
		EXPECT(after.polar - before.polar == after.bidiagonal - before.bidiagonal,
		       "%lu after %lu", after.bidiagonal, after.polar);
		EXPECT(!gpu_check_is_simulated() || after.polar > before.polar, "gesvdp first");
	}
}

/* A family that has no recipe, and one of cuBLAS. */
static void test_refused(int device)
{
	const struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_D};
	struct gpu_lapack_account account;
	bool finished = true;
	EXPECT(gpu_lapack_run(&call, device, &account, &finished) == REASON_FUNCTION_MISSING &&
	               !finished,
	       "no recipe");
}

/* A matrix that does not fit; one whose factor is computed in parts, and then leaves no trace. */
static void test_memory(int device)
{
	const struct gpu_check_lapack large = {
		.family = FAMILY_GEQRF, .element = ELEMENT_Z, .m = 400, .n = 400};
	const struct gpu_check_lapack parts = {
		.family = FAMILY_POTRF, .element = ELEMENT_Z, .m = 400, .n = 400};
	enum reason reason = gpu_check_run_lapack(&large, device);
	EXPECT(reason == REASON_DEVICE_MEMORY, "%s", reason_name(reason));
	reason = gpu_check_run_lapack(&parts, device);
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
}

static void expect_recipe(const char *recipe, uint64_t least_bytes, uint64_t most_bytes)
{
	const struct gpu_lapack_account *account = gpu_check_find_account();
	const uint64_t bytes = account->work_bytes;
	EXPECT(strcmp(account->recipe, recipe) == 0, "'%s', not '%s'", account->recipe, recipe);
	EXPECT(bytes >= least_bytes && bytes <= most_bytes, "%s: workspace of %llu bytes", recipe,
	       (unsigned long long)bytes);
}

/* LU with a workspace as large as A, and with less where only A fits twice into the memory less. */
static void test_less_workspace(int device)
{
	static const struct {
		enum family family;
		int64_t n;
		const char *recipe;
	} runs[] = {{FAMILY_GETRF, 200, "getrf"},
	            {FAMILY_GETRF, 380, "getrf alg_1"},
	            {FAMILY_GESV, 200, "getrf getrs"},
	            {FAMILY_GESV, 380, "getrf getrs alg_1"}};
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		const int64_t n = runs[i].n;
		const struct gpu_check_lapack wanted = {
			.family = runs[i].family, .element = ELEMENT_D, .m = n, .n = n, .nrhs = 3};
		const enum reason reason = gpu_check_run_lapack(&wanted, device);
		const uint64_t square = (uint64_t)(n * n) * sizeof(double);
		const bool less = strstr(runs[i].recipe, "alg_1") != NULL;
		EXPECT(reason == REASON_NONE, "n %d: %s", (int)n, reason_name(reason));
		expect_recipe(runs[i].recipe, less ? 1 : square, less ? square - 1 : 2 * square);
	}
}

/* Room for gesvd, and none for the copy and the workspace of gesvdp. */
static void test_frugal(int device)
{
	const struct tally before = count_singular();
	const struct gpu_check_lapack wanted = {
		.family = FAMILY_GESDD, .element = ELEMENT_D, .job = 'N', .m = 300, .n = 290};
	const enum reason reason = gpu_check_run_lapack(&wanted, device);
	const struct tally after = count_singular();
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	EXPECT(after.polar == before.polar && after.bidiagonal == before.bidiagonal + 1, "%lu %lu",
	       after.polar, after.bidiagonal);
	EXPECT(strcmp(gpu_check_find_account()->recipe, "gesvd") == 0, "%s",
	       gpu_check_find_account()->recipe);
}

int main(int argc, char **argv)
{
	(void)argv;
	staging_set_sizes(RING_BYTES, RING_BYTES / 8);
	const int device = gpu_check_start(argc > 1 ? 2 : 0);
	if (argc > 1) {
		test_memory(device);
		test_less_workspace(device);
		test_frugal(device);
		return gpu_check_end("gpu_lapack, little memory");
	}
	gpu_check_each_lapack(run_sizes, device);
	EXPECT(count_singular().bidiagonal == 0, "gesvdp serves all matrices of full rank");
	gpu_check_each_lapack(run_deficient, device);
	gpu_check_each_lapack(run_flawed, device);
	gpu_check_each_lapack(run_scaled, device);
	EXPECT(gpu_check_situation().gpu == GPU_READY, "the GPU was given up");
	test_refused(device);
	return gpu_check_end("gpu_lapack");
}
