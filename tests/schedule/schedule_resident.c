/* schedule_resident.c - programs that use an operand again, on virtual clocks, with real faults */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "bench/common/spawn.h"
#include "policy/call/lapack_flops.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/copy/copiers_count.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/resident/resident.h"
#include "tests/schedule/residency_bound.h"
#include "tests/schedule/schedule_copiers.h"
#include "tests/schedule/schedule_run.h"

/*
 * usage: residency [track] [NUMBER]
 *
 * NUMBER: of the only program to run, from 1. SIMCUDA_TRACE=FILE in the environment keeps the
 * operations of the calls (tests/simcuda/README.md).
 *
 * A program is a list of calls, between which it writes some of its operands. Its time is the
 * virtual time of all calls. In it the tracking takes as long as it takes here, in the thread of
 * the call and where it is done: arming, scanning, samples. What this thread's processor does
 * counts, not what other programs do meanwhile. The page faults of the program are counted and
 * clocked here, and added. Its bound is that of the bytes that the program has written since, see
 * residency_bound.h.
 */

enum { ORDER = 4000, PRODUCTS = 50, SOLVES = 200, COLUMNS = 64, BANDS = 8, MATRICES = 4 };
/* Between the columns of some programs there are gaps. */
enum { PADDED = 4100 };
static const size_t matrix_bytes = (size_t)ORDER * PADDED * sizeof(double);
static int64_t leading = ORDER;

static struct schedule_run run;
static struct schedule_clock speed;
static double *matrix[MATRICES];
static double bound_ns, bytes_bound_ns, virtual_ns;
static int64_t call_begin_ns;
static bool failed;

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* -- real time of the tracking ----------------------------------------------------------------- */

static int64_t tracking_ns, clock_ns;

static int64_t begin_tracking(void)
{
	return now_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* What the clock itself takes, at least. */
static void measure_clock(void)
{
	enum { TRIALS = 1000 };
	clock_ns = INT64_MAX;
	for (int i = 0; i < TRIALS; i++) {
		const int64_t begin_ns = begin_tracking();
		const int64_t took_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
		clock_ns = took_ns < clock_ns ? took_ns : clock_ns;
	}
}

/* A copy thread that asks takes its own time: schedule_copiers.c. No time would be a wait there. */
static void end_tracking(int64_t begin_ns)
{
	const int64_t since_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
	const int64_t took_ns = since_ns > clock_ns ? since_ns - clock_ns : 0;
	tracking_ns += took_ns;
	if (took_ns > 0 && !schedule_copiers_is_asking())
		schedule_copiers_work((double)took_ns);
}

#define TIMED(result, name, parameters, arguments)                                                 \
	result __real_##name parameters;                                                           \
	result __wrap_##name parameters;                                                           \
	result __wrap_##name parameters                                                            \
	{                                                                                          \
		const int64_t begin_ns = begin_tracking();                                         \
		result value = __real_##name arguments;                                            \
		end_tracking(begin_ns);                                                            \
		return value;                                                                      \
	}
#define TIMED_VOID(name, parameters, arguments)                                                    \
	void __real_##name parameters;                                                             \
	void __wrap_##name parameters;                                                             \
	void __wrap_##name parameters                                                              \
	{                                                                                          \
		const int64_t begin_ns = begin_tracking();                                         \
		__real_##name arguments;                                                           \
		end_tracking(begin_ns);                                                            \
	}
TIMED_VOID(resident_begin, (struct resident_call * call), (call))
TIMED(struct resident_operand *, resident_plan,
      (struct resident_call * call, const struct host_view *view, enum resident_access access),
      (call, view, access))
TIMED(enum resident_proof, resident_prove, (struct resident_operand * operand), (operand))
TIMED(enum resident_proof, resident_prove_begin,
      (struct resident_operand * operand, struct resident_question question[], int *count),
      (operand, question, count))
TIMED(enum resident_proof, resident_prove_end,
      (struct resident_operand * operand, struct resident_question question[], int count),
      (operand, question, count))
TIMED_VOID(resident_ask, (struct resident_question * question), (question))
TIMED_VOID(resident_arm, (struct resident_operand * operand, uintptr_t stored_end),
           (operand, stored_end))
TIMED_VOID(resident_sent_all, (struct resident_operand * operand), (operand))
TIMED_VOID(resident_end, (struct resident_call * call), (call))

/* -- calls ------------------------------------------------------------------------------------- */

static void begin_call(void)
{
	call_begin_ns = schedule_copiers_now_ns();
}

static void end_call(enum reason reason, double least_ns, double bytes_ns)
{
	failed = reason != REASON_NONE || failed;
	virtual_ns += (double)(schedule_copiers_now_ns() - call_begin_ns);
	bound_ns += least_ns;
	bytes_bound_ns += bytes_ns;
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
	end_call(gpu_blas_run(&call, NULL, run.device, NULL, &finished),
	         residency_bound_of_product(&speed, &product),
	         residency_bound_of_bytes(&speed, &product));
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
	return gpu_lapack_run(&call, run.device, &account, &finished);
}

static void factor(double *a)
{
	const enum reason reason = run_lapack(FAMILY_GETRF, a, NULL, 0);
	const double least_ns = residency_bound_of_lu(&speed, ORDER);
	end_call(reason, least_ns, least_ns);
}

static void solve(double *a, double *b)
{
	const enum reason reason = run_lapack(FAMILY_GETRS, a, b, COLUMNS);
	const double least_ns = residency_bound_of_solve(&speed, ORDER, COLUMNS);
	end_call(reason, least_ns, least_ns);
}

/* The program writes columns of a matrix; its time counts in either case, but for page faults. */
static void rewrite(double *target, size_t bytes)
{
	static int value;
	memset(target, ++value % 100, bytes);
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

static void run_solves(void)
{
	const size_t bytes = (size_t)ORDER * COLUMNS * sizeof(double);
	rewrite(matrix[0], matrix_bytes);
	factor(matrix[0]);
	for (int i = 0; i < SOLVES; i++) {
		rewrite(matrix[1], bytes);
		solve(matrix[0], matrix[1]);
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
	const double least_ns = residency_bound_of_complex(&speed, product->m, product->n,
	                                                   product->k, product->up_bytes);
	begin_call();
	end_call(gpu_blas_run(&call, NULL, run.device, NULL, &finished), least_ns, least_ns);
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

static const struct program_row {
	const char *name;
	void (*go)(void);
} programs[] = {
	{"50 products, one operand unchanged", run_one_kept},
	{"the same, leading dimension 4100", run_padded},
	{"50 products, C is the next operand", run_chain},
	{"LU, then 200 solves of 64 columns", run_solves},
	{"50 applications to a band of 64", run_davidson},
	{"10 products of new operands", run_rewritten},
	{"pw.x: 20 corrections of 16 bands", run_pw},
};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

/* -- ways -------------------------------------------------------------------------------------- */

enum tracking_way { TRACKING_OFF, TRACKING_AUTO, TRACKING_AT_ONCE, TRACKING_WAYS };
static const char *const way_name[TRACKING_WAYS] = {"off", "auto", "track"};

struct tracking_outcome {
	double virtual_ns, tracking_ns, bound_ns, bytes_bound_ns;
	struct resident_stats stats;
};

/* Once in a process, beside the start of CUDA, so that it is no part of a program's time here. */
static int64_t opening_ns[2 * PROGRAMS * TRACKING_WAYS];
static int openings;

static void open_tracking(enum tracking_way way)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX,
	                                           .tracks_at_once = way == TRACKING_AT_ONCE};
	const char *fault;
	const int64_t begin_ns = now_ns(CLOCK_MONOTONIC);
	if (resident_open(&settings, &fault) != TRACK_REASON_NONE) {
		printf("residency: skipped, %s\n", track_reason_sentence(resident_reason()));
		exit(77);
	}
	opening_ns[openings++] = now_ns(CLOCK_MONOTONIC) - begin_ns;
}

static int compare_times(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void print_openings(void)
{
	qsort(opening_ns, (size_t)openings, sizeof *opening_ns, compare_times);
	printf("opening the tracking, with its test: %.2f ms (%.2f to %.2f), beside CUDA's start\n",
	       (double)opening_ns[openings / 2] / 1e6, (double)opening_ns[0] / 1e6,
	       (double)opening_ns[openings - 1] / 1e6);
}

static void run_program(const struct program_row *program, enum tracking_way way,
                        struct tracking_outcome *outcome)
{
	if (way != TRACKING_OFF)
		open_tracking(way);
	bound_ns = bytes_bound_ns = virtual_ns = 0;
	tracking_ns = 0;
	program->go();
	*outcome = (struct tracking_outcome){virtual_ns, (double)tracking_ns, bound_ns,
	                                     bytes_bound_ns, resident_stats_get()};
	resident_close();
}

/* Touched anew, in pages of the kind. */
static void make_matrices(bool large)
{
	for (int i = 0; i < MATRICES; i++) {
		madvise(matrix[i], matrix_bytes, MADV_DONTNEED);
		madvise(matrix[i], matrix_bytes, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
		memset(matrix[i], i, matrix_bytes);
	}
}

static void print_row(const char *name, enum tracking_way way, const struct tracking_outcome *one,
                      const struct tracking_outcome *off)
{
	const double faults_ns = (double)one->stats.fault_ns, time_ns = one->virtual_ns + faults_ns;
	printf("%-36s %-5s %8.2f %8.2f %8.2f %7.3f %7.3f %7.3f %8.1f %8.1f\n", name, way_name[way],
	       one->virtual_ns / 1e6, one->tracking_ns / 1e6, faults_ns / 1e6,
	       time_ns / one->bytes_bound_ns, time_ns / one->bound_ns, time_ns / off->virtual_ns,
	       (double)one->stats.asked_bytes / 1e6, (double)one->stats.sent_bytes / 1e6);
}

/* Of the host; as many copy as by default. */
enum { HOST_CORES = 16 };

static bool start(void)
{
	const struct schedule_call wanted = {.routine = "gemm",
	                                     .element = "D",
	                                     .m = 8,
	                                     .n = 8,
	                                     .k = 8,
	                                     .threads = copiers_count_choose(HOST_CORES),
	                                     .cores = HOST_CORES,
	                                     .copy_gbytes_s = 10};
	char clock_path[4096], cuda_path[4096];
	snprintf(clock_path, sizeof clock_path, "%s", spawn_beside("simcuda/h200.clock", true));
	snprintf(cuda_path, sizeof cuda_path, "%s", spawn_beside("simcuda/13", true));
	setenv("SIMCUDA_CLOCK", clock_path, 1);
	setenv("SIMCUDA_DRY", "1", 1);
	measure_clock();
	for (int i = 0; i < MATRICES; i++) {
		matrix[i] = mmap(NULL, matrix_bytes, PROT_READ | PROT_WRITE,
		                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (matrix[i] == MAP_FAILED)
			return false;
	}
	return schedule_clock_read(clock_path, &speed) &&
	       schedule_run_start(&run, &wanted, cuda_path, &speed);
}

int main(int count, char **word)
{
	const bool tracks_all = count > 1 && strcmp(word[1], "track") == 0;
	const int only = count > 1 + tracks_all ? atoi(word[1 + tracks_all]) : 0;
	if (!start())
		return 1;
	printf("virtual clocks, no speed of anything; tracking and faults take real time here\n"
	       "time: of the calls, with tracking; /bytes, /bound: time and faults by the bound of\n"
	       "the bytes, and by that of panels in whole waves of tiles\n");
	printf("%-36s %-5s %8s %8s %8s %7s %7s %7s %8s %8s\n", "program", "mode", "time ms",
	       "track ms", "fault ms", "/bytes", "/bound", "/off", "MB read", "MB sent");
	for (int i = 0; i < 2 * PROGRAMS; i++) {
		struct tracking_outcome outcome[TRACKING_WAYS];
		const struct program_row *program = &programs[i % PROGRAMS];
		if (i % PROGRAMS == 0)
			printf("%s pages\n", i < PROGRAMS ? "small" : "large");
		if (only != 0 && only != i % PROGRAMS + 1)
			continue;
		for (enum tracking_way way = TRACKING_OFF;
		     way < (tracks_all ? TRACKING_WAYS : TRACKING_AT_ONCE); way++) {
			make_matrices(i >= PROGRAMS);
			run_program(program, way, &outcome[way]);
			print_row(program->name, way, &outcome[way], &outcome[TRACKING_OFF]);
		}
	}
	print_openings();
	return failed;
}
