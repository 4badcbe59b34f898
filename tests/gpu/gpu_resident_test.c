/* gpu_resident_test.c - LAPACK, transforms and batches beside operands that stay on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <sys/mman.h>

#include "gpu_check.h"
#include "gpu_check_blas.h"
#include "gpu_check_resident.h"
#include "gpu_child.h"
#include "policy/decide/cost.h"
#include "shim/base/fp_environment.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/lapack/gpu_factor.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/resident/resident.h"
#include "shim/execute/gpu/session/survey.h"

/* A matrix is 18 pages. RIGHT: right-hand sides, of two pages. */
enum { ORDER = 96, ELEMENTS = ORDER * ORDER, RIGHT = 11, POINTS = ELEMENTS / 2 };
enum { BYTES = ELEMENTS * sizeof(double), RIGHT_BYTES = RIGHT * ORDER * sizeof(double) };

static int gpu_device;

/* Since it was asked last, with what LAPACK may send of infos and pivots. */
enum { TAIL_BYTES = 256 + ORDER * sizeof(int64_t) };
static void expect_sent(uint64_t bytes, const char *what)
{
	const uint64_t sent = gpu_check_take_sent();
	EXPECT(sent == bytes || sent == bytes + TAIL_BYTES, "%s: %lu bytes were sent, not %lu",
	       what, (unsigned long)sent, (unsigned long)bytes);
}

/* Random, with a heavy diagonal, and symmetric. */
static void fill(double *matrix)
{
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i <= j; i++)
			matrix[i + j * ORDER] = matrix[j + i * ORDER] =
				gpu_check_random() + (i == j ? ORDER : 0);
}

/* -- calls, by what they do with their two arrays ---------------------------------------------- */

/* Reads a, and writes b. */
static enum reason multiply(double *a, double *b)
{
	bool finished;
	const struct call call = gpu_check_square(ELEMENT_D, ORDER, a, a, b);
	const enum reason reason = gpu_check_call_blas(&call, gpu_device, &finished);
	fp_environment_take_noted();
	return reason;
}

static enum reason multiply_batch(double *a, double *b)
{
	bool finished;
	const int64_t half = ELEMENTS / 2;
	struct call call = {.family = FAMILY_GEMM_BATCH, .element = ELEMENT_D};
	call.blas = (struct blas_call){.m = ORDER,
	                               .n = ORDER / 2,
	                               .k = ORDER / 2,
	                               .alpha = {1, 0},
	                               .a = a,
	                               .b = a,
	                               .c = b,
	                               .lda = ORDER,
	                               .ldb = ORDER / 2,
	                               .ldc = ORDER};
	call.batch = (struct batch_call){.strided = true,
	                                 .groups = 1,
	                                 .problems = 2,
	                                 .a = a,
	                                 .b = a,
	                                 .c = b,
	                                 .stridea = half,
	                                 .strideb = half,
	                                 .stridec = half,
	                                 .first = call.blas};
	return gpu_check_call_blas(&call, gpu_device, &finished);
}

static int32_t pivots[ORDER];

static enum reason run_lapack(enum family family, double *a, double *b, int32_t *ipiv)
{
	int32_t info = 7;
	bool finished;
	struct gpu_lapack_account account;
	struct call call = {.family = family, .element = ELEMENT_D};
	call.lapack = (struct lapack_call){.m = ORDER,
	                                   .n = ORDER,
	                                   .nrhs = RIGHT,
	                                   .uplo = UPLO_LOWER,
	                                   .a = a,
	                                   .b = b,
	                                   .lda = ORDER,
	                                   .ldb = ORDER,
	                                   .ipiv = ipiv,
	                                   .info = &info};
	const enum reason reason = gpu_lapack_run(&call, gpu_device, &account, &finished);
	EXPECT(info == (finished ? 0 : 7), "info %d", (int)info);
	return reason;
}

/* b: a's factors; maybe in the place of a. */
static enum reason factor(double *a, double *b)
{
	if (b != a)
		memcpy(b, a, ELEMENTS * sizeof *b);
	return run_lapack(FAMILY_GETRF, b, NULL, pivots);
}

static enum reason factor_triangle(double *a, double *b)
{
	if (b != a)
		memcpy(b, a, ELEMENTS * sizeof *b);
	return run_lapack(FAMILY_POTRF, b, NULL, NULL);
}

/* Transforms of complex numbers, as many as a group or two have. */
static enum reason transform(double *in, double *out, int64_t length, int64_t stride)
{
	struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                              .element = ELEMENT_Z,
	                              .rank = 1,
	                              .loops = 1,
	                              .howmany = POINTS / length / stride,
	                              .sign = -1,
	                              .in_place = in == out};
	problem.dims[0] = (struct fft_dim){length, stride, stride};
	problem.loop[0] = (struct fft_dim){problem.howmany, length * stride, length * stride};
	struct call call = {.family = FAMILY_FFT_C2C, .element = ELEMENT_Z};
	call.fft = (struct fft_call){.problem = &problem, .in = in, .out = out};
	return gpu_fft_run(&call, gpu_device);
}

static enum reason transform_all(double *a, double *b)
{
	return transform(a, b, POINTS, 1);
}

static enum reason transform_groups(double *a, double *b)
{
	return transform(a, b, POINTS / 8, 1);
}

static enum reason transform_scattered(double *a, double *b)
{
	return transform(a, b, POINTS / 8, 2);
}

struct kind {
	const char *name;
	enum reason (*run)(double *a, double *b);
};

static const struct kind kinds[] = {
	{"gemm", multiply},
	{"batch", multiply_batch},
	{"getrf", factor},
	{"potrf", factor_triangle},
	{"fft", transform_all},
	{"ffts", transform_groups},
	{"strided", transform_scattered},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* -- results where something was kept ---------------------------------------------------------- */

static uint64_t count_written(void)
{
	return resident_stats_get().written_pages;
}

/*
 * The result of each call lies where the device had a copy of an input: its pages are not armed
 * when it is stored. The same call elsewhere has the same result. Returns the page faults.
 */
static uint64_t overwrite(const struct kind *kind)
{
	double *a = gpu_check_make_memory(ELEMENTS), *b = gpu_check_make_memory(ELEMENTS),
	       *c = gpu_check_make_memory(ELEMENTS);
	const bool moves = kind->run == factor || kind->run == factor_triangle;
	fill(a);
	fill(b);
	memcpy(c, b, ELEMENTS * sizeof *c);
	resident_close();
	EXPECT(kind->run(a, c) == REASON_NONE, "%s", kind->name);
	gpu_check_open_tracking("gpu_resident");
	if (moves)
		memcpy(b, a, ELEMENTS * sizeof *b);
	double *scratch = gpu_check_make_memory(ELEMENTS);
	multiply(b, scratch);
	const uint64_t before = count_written();
	EXPECT(kind->run(moves ? b : a, b) == REASON_NONE, "%s", kind->name);
	EXPECT(memcmp(b, c, ELEMENTS * sizeof *b) == 0, "%s: other digits", kind->name);
	multiply(b, scratch);
	multiply(b, a);
	EXPECT(memcmp(scratch, a, ELEMENTS * sizeof *a) == 0, "%s: an old operand", kind->name);
	const uint64_t faults = count_written() - before;
	munmap(a, ELEMENTS * sizeof *a);
	munmap(b, ELEMENTS * sizeof *b);
	munmap(c, ELEMENTS * sizeof *c);
	munmap(scratch, ELEMENTS * sizeof *scratch);
	return faults;
}

/* Once in some thousand runs beside a heavy load a page counted as written: not twice in a row. */
static void test_overwrite(const struct kind *kind)
{
	uint64_t faults = overwrite(kind);
	if (faults > 0)
		faults = overwrite(kind);
	EXPECT(faults == 0, "%s: %lu page faults", kind->name, (unsigned long)faults);
}

/* -- LU, and what is solved with it ------------------------------------------------------------ */

static void fill_right(double *right)
{
	for (int i = 0; i < RIGHT * ORDER; i++)
		right[i] = gpu_check_random();
}

/* Memory of a case: a matrix, right-hand sides, and what they become without mirrors. */
struct system {
	double *a, *b, *wanted_a, *wanted_b;
};

static struct system make_system(void)
{
	struct system system = {gpu_check_make_memory(ELEMENTS), gpu_check_make_memory(ELEMENTS),
	                        gpu_check_make_memory(ELEMENTS), gpu_check_make_memory(ELEMENTS)};
	fill(system.a);
	fill_right(system.b);
	return system;
}

static void free_system(const struct system *system)
{
	munmap(system->a, BYTES);
	munmap(system->b, BYTES);
	munmap(system->wanted_a, BYTES);
	munmap(system->wanted_b, BYTES);
}

static void run_wanted(const struct system *system, enum family family)
{
	resident_close();
	memcpy(system->wanted_a, system->a, BYTES);
	memcpy(system->wanted_b, system->b, BYTES);
	EXPECT(run_lapack(family, system->wanted_a, system->wanted_b, pivots) == REASON_NONE,
	       "without mirrors");
	gpu_check_take_sent();
}

static void expect_same(const struct system *system, const char *what)
{
	EXPECT(memcmp(system->a, system->wanted_a, BYTES) == 0, "%s: other factors", what);
	EXPECT(memcmp(system->b, system->wanted_b, BYTES) == 0, "%s: other solutions", what);
}

static const uint64_t any_bytes = UINT64_MAX;

static void expect_solved(const struct system *system, uint64_t bytes, const char *what)
{
	fill_right(system->b);
	memcpy(system->wanted_b, system->b, BYTES);
	EXPECT(run_lapack(FAMILY_GETRS, system->a, system->b, pivots) == REASON_NONE, "%s", what);
	if (bytes != any_bytes)
		expect_sent(bytes + RIGHT_BYTES, what);
	EXPECT(run_lapack(FAMILY_GETRS, system->wanted_a, system->wanted_b, pivots) == REASON_NONE,
	       "%s", what);
	expect_same(system, what);
	gpu_check_take_sent();
}

/* Calls that find their input on the device are expected to take less time. */
static void expect_held(struct call *call, bool held)
{
	struct situation situation = gpu_check_situation();
	struct cost cost[2];
	survey_call(call, 0, &situation);
	EXPECT(situation.setting.held[OPERAND_A] == held, "held: %d", !held);
	const struct machine machine = {.link_up_bytes = 1e8, .link_down_bytes = 1e8};
	call->input_bytes = 2 * BYTES;
	for (int i = 0; i < 2; i++) {
		situation.setting.held[OPERAND_A] = held && i == 0;
		cost_predict(&machine, &situation.setting, call, &cost[i]);
	}
	EXPECT(cost[0].gpu.in_ns < cost[1].gpu.in_ns || !held, "%g, not less than %g",
	       cost[0].gpu.in_ns, cost[1].gpu.in_ns);
}

/* The factors stay where they were computed. wanted_a is sent once, since it was not. */
static void test_solves(enum family family)
{
	const struct system system = make_system();
	const uint64_t right = family == FAMILY_GESV ? RIGHT_BYTES : 0;
	run_wanted(&system, family);
	gpu_check_open_tracking("gpu_resident");
	EXPECT(run_lapack(family, system.a, system.b, pivots) == REASON_NONE, "factors");
	expect_sent(BYTES + right, "factors");
	expect_same(&system, "factors");
	expect_solved(&system, 0, "the first solution");
	struct call call = {.family = FAMILY_GETRS, .element = ELEMENT_D};
	call.lapack = (struct lapack_call){.n = ORDER,
	                                   .nrhs = RIGHT,
	                                   .a = system.a,
	                                   .b = system.b,
	                                   .lda = ORDER,
	                                   .ldb = ORDER};
	expect_held(&call, true);
	call.family = FAMILY_GESV;
	expect_held(&call, false);
	expect_solved(&system, 0, "the second solution");
	system.a[ORDER * 5 + 7] = system.wanted_a[ORDER * 5 + 7] = 3;
	expect_solved(&system, 4096, "one page of the factors was written");
	expect_solved(&system, 0, "and sent");
	/* Such a call looks at the factors late, and begins anew where they have changed. */
	for (int i = 0; i < 3; i++)
		expect_solved(&system, 0, "unchanged for long");
	system.a[ORDER * 5 + 7] = system.wanted_a[ORDER * 5 + 7] = 4;
	expect_solved(&system, any_bytes, "written after a while");
	expect_solved(&system, 0, "and sent");
	for (int i = 0; i < 3; i++)
		expect_solved(&system, 0, "unchanged for long");
	system.a[ORDER * 5 + 7] = __builtin_inf();
	EXPECT(run_lapack(FAMILY_GETRS, system.a, system.b, pivots) == REASON_NOT_FINITE,
	       "an infinity");
	free_system(&system);
}

/* By what calls have shown, on a link that is worth it: nothing has been shown yet, but solves follow an LU as a rule. */
static void test_first_solve(void)
{
	static const struct machine slow = {.link_up_bytes = 1e6, .link_down_bytes = 1e6};
	const struct system system = make_system();
	engine_rates_set_machine(&slow);
	run_wanted(&system, FAMILY_GETRF);
	gpu_check_open_admission("gpu_resident");
	EXPECT(run_lapack(FAMILY_GETRF, system.a, system.b, pivots) == REASON_NONE, "factors");
	expect_sent(BYTES, "factors");
	expect_same(&system, "factors");
	expect_solved(&system, 0, "the first solution");
	system.a[ORDER * 5 + 7] = system.wanted_a[ORDER * 5 + 7] = 3;
	expect_solved(&system, 4096, "one page of the factors was written");
	free_system(&system);
	engine_rates_set_machine(NULL);
}

/*
 * Columns of more than 64 KiB, since of shorter ones all is sent. With gaps between them the mirror
 * has the layout of the program's memory.
 */
static void test_tall(void)
{
	enum { TALL = 12000, COLUMNS = 20, LEAD = 12100 };
	double *a = gpu_check_make_memory(LEAD * COLUMNS),
	       *wanted = gpu_check_make_memory(LEAD * COLUMNS),
	       *c = gpu_check_make_memory(COLUMNS * COLUMNS);
	int32_t info = 7;
	bool finished;
	struct gpu_lapack_account account;
	struct call call = {.family = FAMILY_GETRF, .element = ELEMENT_D};
	call.lapack = (struct lapack_call){
		.m = TALL, .n = COLUMNS, .a = wanted, .lda = LEAD, .ipiv = pivots, .info = &info};
	for (int i = 0; i < LEAD * COLUMNS; i++)
		a[i] = wanted[i] = gpu_check_random();
	resident_close();
	EXPECT(gpu_lapack_run(&call, gpu_device, &account, &finished) == REASON_NONE, "tall");
	gpu_check_open_tracking("gpu_resident");
	call.lapack.a = a;
	EXPECT(gpu_lapack_run(&call, gpu_device, &account, &finished) == REASON_NONE, "tall");
	EXPECT(memcmp(a, wanted, LEAD * COLUMNS * sizeof *a) == 0, "other factors, or a gap");
	gpu_check_take_sent();
	call = (struct call){.family = FAMILY_GEMM, .element = ELEMENT_D};
	call.blas = (struct blas_call){.transa = TRANSPOSE_T,
	                               .m = COLUMNS,
	                               .n = COLUMNS,
	                               .k = TALL,
	                               .alpha = {1, 0},
	                               .a = a,
	                               .b = a,
	                               .c = c,
	                               .lda = LEAD,
	                               .ldb = LEAD,
	                               .ldc = COLUMNS};
	EXPECT(gpu_check_call_blas(&call, gpu_device, &finished) == REASON_NONE, "product");
	const uint64_t sent = gpu_check_take_sent();
	EXPECT(sent <= (uint64_t)COLUMNS * 2 * 4096, "%lu bytes were sent", (unsigned long)sent);
	double sum = 0;
	for (int i = 0; i < TALL; i++)
		sum += a[i] * a[i + LEAD];
	EXPECT(sum - c[1] < 1e-6 && c[1] - sum < 1e-6, "%g, not %g", c[1], sum);
	munmap(a, LEAD * COLUMNS * sizeof *a);
	munmap(wanted, LEAD * COLUMNS * sizeof *a);
	munmap(c, COLUMNS * COLUMNS * sizeof *c);
}

/* What products have sent, nobody has looked at. */
static void test_numbers(void)
{
	const struct system system = make_system();
	double *scratch = gpu_check_make_memory(ELEMENTS);
	run_wanted(&system, FAMILY_GESV);
	memcpy(system.a, system.wanted_a, BYTES);
	gpu_check_open_tracking("gpu_resident");
	EXPECT(multiply(system.a, scratch) == REASON_NONE, "a product");
	expect_sent(BYTES, "a product");
	expect_solved(&system, BYTES, "after a product");
	expect_solved(&system, 0, "once they were looked at");
	system.a[ORDER * 5 + 7] = __builtin_nan("");
	EXPECT(multiply(system.a, scratch) == REASON_NONE, "a product");
	EXPECT(run_lapack(FAMILY_GETRS, system.a, system.b, pivots) == REASON_NOT_FINITE,
	       "a product has sent the page");
	free_system(&system);
	munmap(scratch, BYTES);
}

/* -- failures ---------------------------------------------------------------------------------- */

/* All bytes are as before, and what the call has planned is dropped. */
static int run_failures(void)
{
	int failed = 0;
	gpu_device = gpu_check_start(0);
	const struct system system = make_system();
	gpu_check_open_tracking("gpu_resident");
	for (int i = 0; i < 6 && failed == 0; i++) {
		memcpy(system.wanted_a, system.a, BYTES);
		memcpy(system.wanted_b, system.b, BYTES);
		const enum family family = i % 3 == 0 ? FAMILY_GESV : FAMILY_GETRS;
		if (run_lapack(family, system.a, system.b, pivots) == REASON_NONE)
			continue;
		expect_same(&system, "a failure");
		EXPECT(resident_stats_get().windows == 0, "a mirror of a failed call");
		failed++;
	}
	EXPECT(failed > 0, "no call failed");
	return gpu_check_end("gpu_resident failures");
}

static void test_failures(void)
{
	static const char *const faults[] = {
		"SIMCUDA_FAIL=copy:1:700",         "SIMCUDA_FAIL=copy:2:700",
		"SIMCUDA_FAIL=copy:4:700",         "SIMCUDA_FAIL=copy:6:700",
		"SIMCUDA_FAIL=copy:8:700",         "SIMCUDA_FAIL=cusolverDnXgetrf:1:1",
		"SIMCUDA_FAIL=cusolverDnXgetrs:2", "SIMCUDA_FAIL=cudaMemcpyAsync:9:700"};
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		struct gpu_child child = {.scenario = "failures", .setting = {faults[i]}};
		gpu_child_run(&child);
		EXPECT(gpu_child_exited(&child, 0), "%s: status %#x, %s", faults[i],
		       (unsigned)child.status, child.errors);
	}
}

static void test_all(void)
{
	for (size_t i = 0; i < KINDS; i++)
		test_overwrite(&kinds[i]);
	test_solves(FAMILY_GETRF);
	test_solves(FAMILY_GESV);
	test_first_solve();
	test_tall();
	test_numbers();
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
	if (gpu_check_is_simulated())
		test_failures();
	return gpu_check_end("gpu_resident");
}
