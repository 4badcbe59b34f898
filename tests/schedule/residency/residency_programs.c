/* residency_programs.c - lists of calls, between which a program writes some of their operands */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/residency/residency_programs.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "policy/call/lapack_flops.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "tests/schedule/residency/residency_bound.h"
#include "tests/schedule/schedule_copiers.h"

enum { ORDER = 4000, PRODUCTS = 50, SOLVES = 200, MATRICES = 4 };
/* Of right-hand sides and of a band. */
enum { COLUMNS = 64, WIDE_COLUMNS = 512, WIDEST_COLUMNS = 1024, BANDS = 8 };
/* Between the columns of some programs there are gaps. */
enum { PADDED = 4100 };
static const size_t matrix_bytes = (size_t)ORDER * PADDED * sizeof(double);
static int64_t leading = ORDER;

static int device;
static const struct schedule_clock *speed;
static double *matrix[MATRICES];
static struct residency_account sum;
static int64_t call_begin_ns;

/* Of this thread's processor. */
static int64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* -- calls ------------------------------------------------------------------------------------- */

static void begin_call(void)
{
	call_begin_ns = schedule_copiers_now_ns();
}

static void end_call(enum reason reason, double least_ns, double bytes_ns)
{
	sum.failed = reason != REASON_NONE || sum.failed;
	sum.virtual_ns += (double)(schedule_copiers_now_ns() - call_begin_ns);
	sum.bound_ns += least_ns;
	sum.bytes_bound_ns += bytes_ns;
}

/* C := A B of n columns. */
static void multiply(const double *a, const double *b, double *c, struct residency_product product)
{
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_D};
	bool finished = false;
	call.blas = (struct blas_call){.m = product.m,
	                               .n = product.n,
	                               .k = product.k,
	                               .alpha = {1, 0},
	                               .a = (void *)(uintptr_t)a,
	                               .b = (void *)(uintptr_t)b,
	                               .c = c,
	                               .lda = leading,
	                               .ldb = leading,
	                               .ldc = leading};
	begin_call();
	end_call(gpu_blas_run(&call, NULL, device, NULL, &finished),
	         residency_bound_of_product(speed, &product),
	         residency_bound_of_bytes(speed, &product));
}

static enum reason run_lapack(enum family family, double *a, double *b, int64_t columns)
{
	static int pivots[ORDER], info;
	struct gpu_lapack_account account;
	bool finished = false;
	struct call call = {.family = family, .element = ELEMENT_D};
	call.lapack = (struct lapack_call){.trans = TRANSPOSE_N,
	                                   .m = ORDER,
	                                   .n = ORDER,
	                                   .nrhs = columns,
	                                   .lda = ORDER,
	                                   .ldb = ORDER,
	                                   .a = a,
	                                   .b = b,
	                                   .ipiv = pivots,
	                                   .info = &info};
	call.work_flops = lapack_flops_count(&call);
	begin_call();
	return gpu_lapack_run(&call, device, &account, &finished);
}

static void factor(double *a)
{
	const enum reason reason = run_lapack(FAMILY_GETRF, a, NULL, 0);
	const double least_ns = residency_bound_of_lu(speed, ORDER);
	end_call(reason, least_ns, least_ns);
}

static void solve(double *a, double *b, int64_t columns)
{
	const enum reason reason = run_lapack(FAMILY_GETRS, a, b, columns);
	const double least_ns = residency_bound_of_solve(speed, ORDER, columns);
	end_call(reason, least_ns, least_ns);
}

static int64_t count_faults(void)
{
	struct rusage usage;
	return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_minflt : 0;
}

/* The program writes columns of a matrix. */
static void rewrite(double *target, size_t bytes)
{
	static int value;
	const int64_t faults = count_faults(), begin_ns = now_ns();
	memset(target, ++value % 100, bytes);
	sum.rewriting_ns += (double)(now_ns() - begin_ns);
	sum.rewriting_faults += (double)(count_faults() - faults);
}

/* -- programs ---------------------------------------------------------------------------------- */

static struct residency_product square(bool sends_a, bool sends_b)
{
	return (struct residency_product){ORDER, ORDER, ORDER, sends_a, sends_b};
}

static void run_one_kept(void)
{
	for (int i = 0; i < PRODUCTS; i++) {
		rewrite(matrix[1], matrix_bytes);
		multiply(matrix[0], matrix[1], matrix[2], square(i == 0, true));
	}
}

static void run_padded(void)
{
	leading = PADDED;
	run_one_kept();
	leading = ORDER;
}

/* Powers of a matrix: C of one call is B of the next. */
static void run_chain(void)
{
	for (int i = 0; i < PRODUCTS; i++)
		multiply(matrix[0], matrix[1 + i % 2], matrix[2 - i % 2], square(i == 0, i == 0));
}

static void solve_often(int64_t columns)
{
	const size_t bytes = (size_t)ORDER * (size_t)columns * sizeof(double);
	rewrite(matrix[0], matrix_bytes);
	factor(matrix[0]);
	for (int i = 0; i < SOLVES; i++) {
		rewrite(matrix[1], bytes);
		solve(matrix[0], matrix[1], columns);
	}
}

static void run_solves(void)
{
	solve_often(COLUMNS);
}

static void run_wide_solves(void)
{
	solve_often(WIDE_COLUMNS);
}

static void run_widest_solves(void)
{
	solve_often(WIDEST_COLUMNS);
}

/* Newton's method: each matrix is factored, and solved with once. */
static void run_newton(void)
{
	const size_t bytes = (size_t)ORDER * COLUMNS * sizeof(double);
	for (int i = 0; i < PRODUCTS / 5; i++) {
		rewrite(matrix[0], matrix_bytes);
		factor(matrix[0]);
		rewrite(matrix[1], bytes);
		solve(matrix[0], matrix[1], COLUMNS);
	}
}

/*
 * The loop of Davidson's method: the operator is applied to new vectors only, and the basis grows
 * by a band each time.
 */
static void run_davidson(void)
{
	const size_t band_bytes = (size_t)ORDER * COLUMNS * sizeof(double);
	for (int i = 0; i < PRODUCTS; i++) {
		double *band = matrix[1] + (size_t)(i % BANDS) * ORDER * COLUMNS;
		rewrite(band, band_bytes);
		multiply(matrix[0], band, matrix[2] + (band - matrix[1]),
		         (struct residency_product){ORDER, COLUMNS, ORDER, i == 0, true});
	}
}

/* C is read once, and rewritten by the program before the next round. */
static void run_reused_once(void)
{
	for (int i = 0; i < PRODUCTS * 2 / 5; i++) {
		multiply(matrix[0], matrix[1], matrix[2], square(i == 0, i == 0));
		multiply(matrix[2], matrix[1], matrix[3], square(false, false));
		rewrite(matrix[2], matrix_bytes);
	}
}
static void run_rewritten(void)
{
	for (int i = 0; i < PRODUCTS / 5; i++) {
		rewrite(matrix[0], matrix_bytes);
		rewrite(matrix[1], matrix_bytes);
		multiply(matrix[0], matrix[1], matrix[2], square(true, true));
	}
}

/*
 * Davidson's method as pw.x calls it, from bench/traces/qe.trace: 16 bands, of which all are
 * corrected twice in each cycle, and 32 projectors that never change. The trace has sizes alone;
 * what the operands are, and what pw.x writes between the calls, is that of its source: a band of
 * new vectors, the band that the operator has made of them by transforms, and small coefficients.
 */
enum { PW_ROWS = 4553, PW_BANDS = 16, PW_BYTES = 16, PW_CYCLES = 10 };
enum { PW_BAND_BYTES = PW_ROWS * PW_BANDS * PW_BYTES };

struct pw_product {
	bool adjoint; /* A^H B of columns of PW_ROWS; else A B with coefficients B */
	int64_t m, n, k;
	const char *a, *b;
	char *c;
	int64_t up_bytes;
	double beta;
};

static void multiply_complex(const struct pw_product *product)
{
	const int64_t long_ld = PW_ROWS, short_ld = 2 * PW_BANDS;
	const bool adjoint = product->adjoint;
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_Z};
	bool finished = false;
	call.blas = (struct blas_call){.transa = adjoint ? TRANSPOSE_C : TRANSPOSE_N,
	                               .m = product->m,
	                               .n = product->n,
	                               .k = product->k,
	                               .alpha = {1, 0},
	                               .beta = {product->beta, 0},
	                               .a = product->a,
	                               .b = product->b,
	                               .c = product->c,
	                               .lda = long_ld,
	                               .ldb = adjoint ? long_ld : short_ld,
	                               .ldc = adjoint ? short_ld : long_ld};
	const double least_ns = residency_bound_of_complex(speed, product->m, product->n,
	                                                   product->k, product->up_bytes);
	begin_call();
	end_call(gpu_blas_run(&call, NULL, device, NULL, &finished), least_ns, least_ns);
}

/* One correction: the vectors before are unchanged, a band of new ones is at their end. */
static void correct_bands(char *vectors, char *applied, int64_t before, bool first)
{
	char *projectors = (char *)matrix[0], *small = (char *)matrix[3];
	char *new = vectors + before / PW_BANDS *PW_BAND_BYTES;
	char *new_applied = applied + (new - vectors);
	const int64_t all = before + PW_BANDS, band = PW_BAND_BYTES;
	const int64_t coefficients = 2 * PW_BANDS * PW_BANDS * PW_BYTES;
	const struct pw_product products[] = {
		{true, 2 * PW_BANDS, PW_BANDS, PW_ROWS, projectors, new, small,
	         band + (first ? 2 * band : 0), 0},
		{false, PW_ROWS, PW_BANDS, 2 * PW_BANDS, projectors, small, new_applied,
	         band + coefficients, 1},
		{true, PW_BANDS, all, PW_ROWS, new, applied, small, 0, 0},
		{true, PW_BANDS, all, PW_ROWS, new, vectors, small, 0, 0},
		{false, PW_ROWS, PW_BANDS, all, vectors, small, new + band, coefficients, 0},
		{false, PW_ROWS, PW_BANDS, all, applied, small, new + band, coefficients, 1},
	};
	rewrite((double *)(void *)new, PW_BAND_BYTES);
	for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
		if (i == 1)
			rewrite((double *)(void *)new_applied, PW_BAND_BYTES);
		if (i != 0 && i != 2 && i != 3)
			rewrite((double *)(void *)small, (size_t)coefficients);
		multiply_complex(&products[i]);
	}
}

static void run_pw(void)
{
	char *vectors = (char *)matrix[1], *applied = (char *)matrix[2];
	for (int i = 0; i < PW_CYCLES; i++) {
		correct_bands(vectors, applied, 0, i == 0);
		correct_bands(vectors, applied, PW_BANDS, false);
	}
}

static const struct residency_program programs[] = {
	{"50 products, one operand unchanged", run_one_kept},
	{"the same, leading dimension 4100", run_padded},
	{"50 products, C is the next operand", run_chain},
	{"LU, then 200 solves of 64 columns", run_solves},
	{"LU, then 200 solves of 512 columns", run_wide_solves},
	{"LU, then 200 solves of 1024 columns", run_widest_solves},
	{"50 applications to a band of 64", run_davidson},
	{"10 products of new operands", run_rewritten},
	{"pw.x: 20 corrections of 16 bands", run_pw},
	{"10 times LU, one solve", run_newton},
	{"20 times C, read once, rewritten", run_reused_once},
};

const struct residency_program *residency_programs_find(size_t number)
{
	return number < sizeof programs / sizeof *programs ? &programs[number] : NULL;
}

bool residency_programs_start(int run_device, const struct schedule_clock *clock)
{
	device = run_device;
	speed = clock;
	for (int i = 0; i < MATRICES; i++) {
		matrix[i] = mmap(NULL, matrix_bytes, PROT_READ | PROT_WRITE,
		                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (matrix[i] == MAP_FAILED)
			return false;
	}
	return true;
}

void residency_programs_prepare(bool large)
{
	for (int i = 0; i < MATRICES; i++) {
		madvise(matrix[i], matrix_bytes, MADV_DONTNEED);
		madvise(matrix[i], matrix_bytes, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
		memset(matrix[i], i, matrix_bytes);
	}
}

struct residency_account residency_programs_run(const struct residency_program *program)
{
	sum = (struct residency_account){.failed = false};
	program->go();
	return sum;
}
