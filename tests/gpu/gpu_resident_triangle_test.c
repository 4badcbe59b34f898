/* gpu_resident_triangle_test.c - triangles on the device: sent once, and never the other one */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gpu_check.h"
#include "gpu_check_blas.h"
#include "gpu_check_resident.h"
#include "gpu_child.h"
#include "shim/base/fp_environment.h"
#include "shim/execute/gpu/lapack/gpu_factor.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/resident/resident.h"
#include "shim/execute/gpu/session/survey.h"

/* Without gaps a matrix is 18 pages; with gaps a column is less than a page. */
enum { ORDER = 96, LD = 103, RIGHT = 11, PAGE = 4096, SLOTS = 4, STEPS = 300 };
enum { ELEMENTS = LD * ORDER, BYTES = ORDER * ORDER * 8, RIGHT_BYTES = RIGHT * ORDER * 8 };

static int gpu_device;

static int draw(int below)
{
	return (int)((gpu_check_random() + 1) / 2 * 0.999999 * below);
}

/* Beside that the infos of a call of LAPACK. */
static void expect_sent(uint64_t least, uint64_t most, const char *what)
{
	enum { TAIL_BYTES = 256 };
	const uint64_t sent = gpu_check_take_sent();
	EXPECT(sent >= least && sent <= most + TAIL_BYTES,
	       "%s: %lu bytes were sent, not %lu to %lu", what, (unsigned long)sent,
	       (unsigned long)least, (unsigned long)most);
}

/* Random, with a heavy diagonal, and symmetric. */
static void fill(double *matrix)
{
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i <= j; i++)
			matrix[i + j * ORDER] = matrix[j + i * ORDER] =
				gpu_check_random() + (i == j ? ORDER : 0);
}

static void fill_right(double *right)
{
	for (int i = 0; i < RIGHT * ORDER; i++)
		right[i] = gpu_check_random();
}

/* -- Cholesky's factor, and what is solved with it --------------------------------------------- */

static enum reason run_lapack(enum family family, enum uplo uplo, double *a, double *b)
{
	int32_t info = 7;
	bool finished;
	struct gpu_lapack_account account;
	struct call call = {.family = family, .element = ELEMENT_D};
	call.lapack = (struct lapack_call){.m = ORDER,
	                                   .n = ORDER,
	                                   .nrhs = RIGHT,
	                                   .uplo = uplo,
	                                   .a = a,
	                                   .b = b,
	                                   .lda = ORDER,
	                                   .ldb = ORDER,
	                                   .info = &info};
	return gpu_lapack_run(&call, gpu_device, &account, &finished);
}

/* A system, and what it becomes without mirrors. */
struct system {
	enum uplo uplo;
	double *a, *b, *wanted_a, *wanted_b;
};

static void run_wanted(const struct system *system, enum family family)
{
	memcpy(system->wanted_a, system->a, BYTES);
	memcpy(system->wanted_b, system->b, BYTES);
	resident_close();
	EXPECT(run_lapack(family, system->uplo, system->wanted_a, system->wanted_b) == REASON_NONE,
	       "without mirrors");
	gpu_check_open_tracking("gpu_resident_triangle");
	gpu_check_take_sent();
}

static void expect_same(const struct system *system, const char *what)
{
	EXPECT(memcmp(system->a, system->wanted_a, BYTES) == 0, "%s: another matrix", what);
	EXPECT(memcmp(system->b, system->wanted_b, BYTES) == 0, "%s: other solutions", what);
}

/* The same memory has the factor for both; only one has a mirror. */
static void solve(const struct system *system, uint64_t least, uint64_t most, const char *what)
{
	fill_right(system->b);
	memcpy(system->wanted_a, system->a, BYTES);
	memcpy(system->wanted_b, system->b, BYTES);
	gpu_check_take_sent();
	EXPECT(run_lapack(FAMILY_POTRS, system->uplo, system->a, system->b) == REASON_NONE, "%s",
	       what);
	expect_sent(least + RIGHT_BYTES, most + RIGHT_BYTES, what);
	EXPECT(run_lapack(FAMILY_POTRS, system->uplo, system->wanted_a, system->wanted_b) ==
	               REASON_NONE,
	       "%s", what);
	expect_same(system, what);
}

/* An element of the triangle, or of the other one, in the middle of the matrix. */
static double *find_element(const struct system *system, bool other)
{
	const bool above = (system->uplo == UPLO_UPPER) != other;
	return system->a + (above ? 40 + 50 * ORDER : 50 + 40 * ORDER);
}

static void test_cholesky(enum family family, enum uplo uplo)
{
	const struct system system = {
		uplo, gpu_check_make_memory(ELEMENTS), gpu_check_make_memory(ELEMENTS),
		gpu_check_make_memory(ELEMENTS), gpu_check_make_memory(ELEMENTS)};
	fill(system.a);
	fill_right(system.b);
	run_wanted(&system, family);
	EXPECT(run_lapack(family, uplo, system.a, system.b) == REASON_NONE, "factor");
	expect_same(&system, "factor");
	solve(&system, 0, 0, "the first solution");
	solve(&system, 0, 0, "the second solution");
	*find_element(&system, true) = __builtin_nan("");
	solve(&system, 0, PAGE, "the other triangle was written");
	solve(&system, 0, 0, "and nothing since");
	*find_element(&system, false) += 0.25;
	solve(&system, 8, PAGE, "the factor was written");
	solve(&system, 0, 0, "and sent");
	*find_element(&system, false) = __builtin_nan("");
	EXPECT(run_lapack(FAMILY_POTRS, uplo, system.a, system.b) == REASON_NOT_FINITE, "a NaN");
	munmap(system.a, ELEMENTS * sizeof(double));
	munmap(system.b, ELEMENTS * sizeof(double));
	munmap(system.wanted_a, ELEMENTS * sizeof(double));
	munmap(system.wanted_b, ELEMENTS * sizeof(double));
}

/* A factor that comes from elsewhere is sent once; BLAS finds the same one. */
static void test_read(enum uplo uplo)
{
	const struct system system = {
		uplo, gpu_check_make_memory(ELEMENTS), gpu_check_make_memory(ELEMENTS),
		gpu_check_make_memory(ELEMENTS), gpu_check_make_memory(ELEMENTS)};
	bool finished;
	fill(system.a);
	gpu_check_open_tracking("gpu_resident_triangle");
	solve(&system, BYTES / 2, BYTES, "the first solution");
	solve(&system, 0, 0, "the second solution");
	struct call call = {.family = FAMILY_TRSM, .element = ELEMENT_D};
	call.blas = (struct blas_call){.side = SIDE_LEFT,
	                               .uplo = uplo,
	                               .m = ORDER,
	                               .n = RIGHT,
	                               .k = ORDER,
	                               .alpha = {1, 0},
	                               .a = system.a,
	                               .c = system.b,
	                               .lda = ORDER,
	                               .ldc = ORDER};
	struct situation situation = gpu_check_situation();
	survey_call(&call, 0, &situation);
	EXPECT(situation.setting.held[OPERAND_A], "A is held");
	gpu_check_take_sent();
	EXPECT(gpu_check_call_blas(&call, gpu_device, &finished) == REASON_NONE, "trsm");
	expect_sent(RIGHT_BYTES, RIGHT_BYTES, "trsm");
	call.blas.diag = DIAG_UNIT;
	EXPECT(gpu_check_call_blas(&call, gpu_device, &finished) == REASON_NONE, "a unit diagonal");
	expect_sent(RIGHT_BYTES + BYTES / 2 - BYTES / ORDER, RIGHT_BYTES + BYTES,
	            "a unit diagonal is another form");
	fp_environment_take_noted();
	munmap(system.a, ELEMENTS * sizeof(double));
	munmap(system.b, ELEMENTS * sizeof(double));
	munmap(system.wanted_a, ELEMENTS * sizeof(double));
	munmap(system.wanted_b, ELEMENTS * sizeof(double));
}

/* -- matrices that are read as a whole, and as triangles --------------------------------------- */

struct slot {
	double *matrix;
	int ld;
};

static void draw_numbers(const struct slot *slot)
{
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i < ORDER; i++)
			slot->matrix[i + j * slot->ld] = draw(7) - 3;
}

/* A of the call at (i, j): of a triangle its other half is the mirrored one, or zero. */
static double read_a(const struct call *call, int i, int j)
{
	const struct blas_call *blas = &call->blas;
	const double *a = blas->a;
	if (call->family == FAMILY_GEMM)
		return a[i + j * blas->lda];
	const bool named = blas->uplo == UPLO_UPPER ? i <= j : i >= j;
	if (call->family == FAMILY_TRMM && blas->diag == DIAG_UNIT && i == j)
		return 1;
	if (named)
		return a[i + j * blas->lda];
	return call->family == FAMILY_SYMM ? a[j + i * blas->lda] : 0;
}

static void expect_product(const struct call *call, const double *b, int64_t ldb, int step)
{
	const double *c = call->blas.c;
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i < ORDER; i++) {
			double sum = 0;
			for (int p = 0; p < ORDER; p++)
				sum += read_a(call, i, p) * b[p + j * ldb];
			if (c[i + j * call->blas.ldc] == sum)
				continue;
			EXPECT(false, "step %d, family %d, (%d, %d): %g, not %g", step,
			       (int)call->family, i, j, c[i + j * call->blas.ldc], sum);
			return;
		}
}

static void run_product(const struct slot *a, const struct slot *b, const struct slot *c, int step)
{
	static const enum family families[] = {FAMILY_GEMM, FAMILY_SYMM, FAMILY_TRMM};
	static double before[ELEMENTS];
	bool finished;
	struct call call = {.family = families[draw(3)], .element = ELEMENT_D};
	const bool in_place = call.family == FAMILY_TRMM;
	memcpy(before, (in_place ? c : b)->matrix, ELEMENTS * sizeof *before);
	call.blas = (struct blas_call){.side = SIDE_LEFT,
	                               .uplo = draw(2) == 0 ? UPLO_UPPER : UPLO_LOWER,
	                               .diag = draw(3) == 0 ? DIAG_UNIT : DIAG_NON_UNIT,
	                               .m = ORDER,
	                               .n = ORDER,
	                               .k = ORDER,
	                               .alpha = {1, 0},
	                               .a = a->matrix,
	                               .b = in_place ? NULL : b->matrix,
	                               .c = c->matrix,
	                               .lda = a->ld,
	                               .ldb = b->ld,
	                               .ldc = c->ld};
	EXPECT(gpu_check_call_blas(&call, gpu_device, &finished) == REASON_NONE, "step %d", step);
	expect_product(&call, before, in_place ? c->ld : b->ld, step);
}

static void test_random(void)
{
	struct slot slots[SLOTS];
	gpu_check_open_tracking("gpu_resident_triangle");
	for (int i = 0; i < SLOTS; i++) {
		slots[i] = (struct slot){gpu_check_make_memory(ELEMENTS), i == 1 ? LD : ORDER};
		draw_numbers(&slots[i]);
	}
	for (int step = 0; step < STEPS; step++) {
		const int a = draw(SLOTS - 1), b = draw(SLOTS - 1);
		const int c = draw(4) > 0 || a == b ? SLOTS - 1 : SLOTS - 2;
		if (c == a || c == b)
			continue;
		if (draw(3) == 0)
			slots[a].matrix[draw(ORDER) + draw(ORDER) * slots[a].ld] = draw(7) - 3;
		draw_numbers(&slots[c]);
		run_product(&slots[a], &slots[b], &slots[c], step);
		if (c != SLOTS - 1)
			draw_numbers(&slots[c]);
	}
	const struct resident_stats stats = resident_stats_get();
	EXPECT(stats.sent_bytes < stats.asked_bytes / 4 * 3, "%lu of %lu bytes were sent",
	       (unsigned long)stats.sent_bytes, (unsigned long)stats.asked_bytes);
	for (int i = 0; i < SLOTS; i++)
		munmap(slots[i].matrix, ELEMENTS * sizeof(double));
}

/* What lies beside the triangle is no memory that may be read, before it is tracked and after. */
static void test_inaccessible(void)
{
	enum { LARGE = 1024, COLUMNS = 8 };
	const size_t bytes = (size_t)LARGE * LARGE * sizeof(double);
	double *a = gpu_check_make_memory(LARGE * LARGE),
	       *b = gpu_check_make_memory(LARGE * COLUMNS);
	bool finished;
	gpu_check_open_tracking("gpu_resident_triangle");
	struct call call = {.family = FAMILY_TRMM, .element = ELEMENT_D};
	call.blas = (struct blas_call){.side = SIDE_LEFT,
	                               .uplo = UPLO_LOWER,
	                               .m = LARGE,
	                               .n = COLUMNS,
	                               .k = LARGE,
	                               .alpha = {1, 0},
	                               .a = a,
	                               .c = b,
	                               .lda = LARGE,
	                               .ldc = LARGE};
	for (int i = 0; i < LARGE; i++)
		a[i + i * LARGE] = 1;
	char *beside = (char *)(a + (size_t)LARGE * (LARGE - 1));
	for (int i = 0; i < 6; i++) {
		EXPECT(mprotect(beside, PAGE, i % 4 < 2 ? PROT_NONE : PROT_READ | PROT_WRITE) == 0,
		       "protection");
		for (int j = 0; j < LARGE * COLUMNS; j++)
			b[j] = j % 7;
		a[5 + 5 * LARGE] = i + 1;
		EXPECT(gpu_check_call_blas(&call, gpu_device, &finished) == REASON_NONE, "step %d",
		       i);
		EXPECT(b[5] == 5 * (i + 1) && b[6] == 6, "step %d: %g, %g", i, b[5], b[6]);
	}
	munmap(a, bytes);
	munmap(b, LARGE * COLUMNS * sizeof *b);
}

/* -- failures ---------------------------------------------------------------------------------- */

static int run_failures(void)
{
	int failed = 0;
	const struct system system = {
		UPLO_LOWER, gpu_check_make_memory(ELEMENTS), gpu_check_make_memory(ELEMENTS),
		gpu_check_make_memory(ELEMENTS), gpu_check_make_memory(ELEMENTS)};
	gpu_device = gpu_check_start(0);
	fill(system.a);
	fill_right(system.b);
	gpu_check_open_tracking("gpu_resident_triangle");
	for (int i = 0; i < 8 && failed == 0; i++) {
		memcpy(system.wanted_a, system.a, BYTES);
		memcpy(system.wanted_b, system.b, BYTES);
		const enum family family = i % 4 == 0 ? FAMILY_POTRF : FAMILY_POTRS;
		if (i % 4 == 3)
			*find_element(&system, false) += 0.25;
		memcpy(system.wanted_a, system.a, BYTES);
		if (run_lapack(family, UPLO_LOWER, system.a, system.b) == REASON_NONE) {
			if (i % 4 == 3)
				fill(system.a);
			continue;
		}
		expect_same(&system, "a failure");
		EXPECT(resident_stats_get().windows == 0, "a mirror of a failed call");
		failed++;
	}
	EXPECT(failed > 0, "no call failed");
	return gpu_check_end("gpu_resident_triangle failures");
}

static void test_failures(void)
{
	char fault[64];
	for (int number = 1; number <= 12; number++) {
		snprintf(fault, sizeof fault, "SIMCUDA_FAIL=copy:%d:700", number);
		struct gpu_child child = {.scenario = "failures", .setting = {fault}};
		gpu_child_run(&child);
		EXPECT(gpu_child_exited(&child, 0), "%s: status %#x, %s", fault,
		       (unsigned)child.status, child.errors);
	}
}

static void test_all(void)
{
	static const enum uplo triangles[] = {UPLO_UPPER, UPLO_LOWER};
	for (int i = 0; i < 2; i++) {
		test_cholesky(FAMILY_POTRF, triangles[i]);
		test_cholesky(FAMILY_POSV, triangles[i]);
		test_read(triangles[i]);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "failures") == 0)
		return run_failures();
	gpu_device = gpu_check_start(0);
	gpu_check_count_sent();
	test_all();
	gpu_factor_choose(GPU_FACTOR_ALWAYS, ORDER / 3, 0);
	test_all();
	test_random();
	test_inaccessible();
	if (gpu_check_is_simulated())
		test_failures();
	return gpu_check_end("gpu_resident_triangle");
}
