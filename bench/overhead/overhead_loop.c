/* overhead_loop.c - prints the nanoseconds per call of routines of the no-op library */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/overhead/noop_library.h"
#include "shim/base/clock.h"

/*
 * Arguments that are legal for each routine, with sizes of 4. They are read as 32 or 64 bits, as
 * letters, and as scalars of each element.
 */
static const int64_t size = 4, one_group = 1;
static const double one[2] = {1, 0}, zero[2] = {0, 0};
static const int flag[1] = {111};
static double a[64], b[64], c[64];
static void *pointers[3] = {a, b, c};
static void *plan;

/* alpha and beta by value, for the elements that pass them so. */
#define ONE_S 1.0f
#define ONE_D 1.0
#define ONE_C one
#define ONE_Z one
#define REAL_ONE_C 1.0f
#define REAL_ONE_Z 1.0
#define REAL_ONE_S 1.0f
#define REAL_ONE_D 1.0

#define CALL_f77_GEMM(E)                                                                           \
	"N", "N", &size, &size, &size, one, a, &size, b, &size, zero, c, &size, 1, 1
#define CALL_f77_GEMMT(E)                                                                          \
	"U", "N", "N", &size, &size, one, a, &size, b, &size, zero, c, &size, 1, 1, 1
#define CALL_f77_SYMM(E) "L", "U", &size, &size, one, a, &size, b, &size, zero, c, &size, 1, 1
#define CALL_f77_SYRK(E) "U", "N", &size, &size, one, a, &size, zero, c, &size, 1, 1
#define CALL_f77_HERK(E) CALL_f77_SYRK(E)
#define CALL_f77_SYR2K(E) "U", "N", &size, &size, one, a, &size, b, &size, zero, c, &size, 1, 1
#define CALL_f77_HER2K(E) CALL_f77_SYR2K(E)
#define CALL_f77_TRMM(E) "L", "U", "N", "N", &size, &size, one, a, &size, c, &size, 1, 1, 1, 1
#define CALL_f77_BATCH(E)                                                                          \
	"N", "N", &size, &size, &size, one, pointers, &size, pointers + 1, &size, zero,            \
		pointers + 2, &size, &one_group, &one_group, 1, 1
#define CALL_f77_STRIDED(E)                                                                        \
	"N", "N", &size, &size, &size, one, a, &size, &size, b, &size, &size, zero, c, &size,      \
		&size, &one_group, 1, 1

#define CALL_cblas_GEMM(E) 102, 111, 111, 4, 4, 4, ONE_##E, a, 4, b, 4, ONE_##E, c, 4
#define CALL_cblas_GEMMT(E) 102, 121, 111, 111, 4, 4, ONE_##E, a, 4, b, 4, ONE_##E, c, 4
#define CALL_cblas_SYMM(E) 102, 141, 121, 4, 4, ONE_##E, a, 4, b, 4, ONE_##E, c, 4
#define CALL_cblas_SYRK(E) 102, 121, 111, 4, 4, ONE_##E, a, 4, ONE_##E, c, 4
#define CALL_cblas_HERK(E) 102, 121, 111, 4, 4, REAL_ONE_##E, a, 4, REAL_ONE_##E, c, 4
#define CALL_cblas_SYR2K(E) 102, 121, 111, 4, 4, ONE_##E, a, 4, b, 4, ONE_##E, c, 4
#define CALL_cblas_HER2K(E) 102, 121, 111, 4, 4, ONE_##E, a, 4, b, 4, REAL_ONE_##E, c, 4
#define CALL_cblas_TRMM(E) 102, 141, 121, 111, 131, 4, 4, ONE_##E, a, 4, c, 4
#define CALL_cblas_BATCH(E)                                                                        \
	102, flag, flag, &size, &size, &size, one, pointers, &size, pointers + 1, &size, zero,     \
		pointers + 2, &size, 1, &one_group
#define CALL_cblas_STRIDED(E)                                                                      \
	102, 111, 111, 4, 4, 4, ONE_##E, a, 4, 16, b, 4, 16, ONE_##E, c, 4, 16, 1

#define CALL_OF_f77(shape, element) CALL_f77_##shape(element)
#define CALL_OF_bare(shape, element) CALL_f77_##shape(element)
#define CALL_OF_cblas(shape, element) CALL_cblas_##shape(element)

#define BLAS(symbol, family, element, shape, abi, width)                                           \
	static void loop_##symbol(long count)                                                      \
	{                                                                                          \
		for (long i = 0; i < count; i++)                                                   \
			symbol(CALL_OF_##abi(shape, element));                                     \
	}
#include "shim/table/blas_symbols.def"

/*
 * Of LAPACK: systems of four equations, eigenvalues without vectors, work arrays of any length. An
 * output is memory of its own.
 */
static const struct {
	int64_t itype, m, n, k, nrhs, lda, ldb, ldu, ldvt, vl, vu, il, iu, abstol;
	int64_t lwork, lrwork, liwork;
} input = {1, 4, 4, 4, 4, 4, 4, 4, 4, 0, 0, 1, 4, 0, 10000, 10000, 10000};
static struct {
	double a[64], b[64], u[64], vt[64], w[8], wi[8], tau[8], work[16], rwork[16];
	int64_t ipiv[8], isuppz[8], found[1], iwork[16], info[1];
} output;
static const struct {
	char side[2], uplo[2], trans[2], diag[2], job[2], job2[2], range[2];
} letter = {"L", "U", "N", "N", "N", "N", "A"};
#define CALL_LETTER(name) letter.name
#define CALL_INPUT(name) &input.name
#define CALL_OUTPUT(name) output.name
#define CALL_LENGTHS(count) CALL_LENGTHS_##count
#define CALL_LENGTHS_1 , 1
#define CALL_LENGTHS_2 , 1, 1
#define CALL_LENGTHS_3 , 1, 1, 1

#define LAPACK(symbol, family, element, shape, width)                                              \
	static void loop_##symbol(long count)                                                      \
	{                                                                                          \
		for (long i = 0; i < count; i++)                                                   \
			symbol(LIST_f77_##shape(CALL_LETTER, CALL_INPUT, CALL_OUTPUT,              \
			                        CALL_LENGTHS));                                    \
	}
#include "shim/table/lapack_symbols.def"

#define CALL_execute plan
#define CALL_execute_new plan, a, b
#define CALL_execute_split plan, a, a + 1, b, b + 1
#define CALL_execute_split_real plan, a, b, b + 1
#define CALL_f77_execute &plan
#define CALL_f77_execute_new &plan, a, b
#define CALL_f77_execute_split &plan, a, a + 1, b, b + 1
#define CALL_f77_execute_split_real &plan, a, b, b + 1

#define FFTW_COMPUTE(symbol, shape)                                                                \
	static void loop_##symbol(long count)                                                      \
	{                                                                                          \
		for (long i = 0; i < count; i++)                                                   \
			symbol(CALL_##shape);                                                      \
	}
#include "shim/table/fftw_symbols.def"

#define FFTW_COMPUTE(symbol, shape) {#symbol, loop_##symbol},

static const struct {
	const char *name;
	void (*run)(long count);
} cases[] = {
#define BLAS(symbol, family, element, shape, abi, width) {#symbol, loop_##symbol},
#include "shim/table/blas_symbols.def"
#define LAPACK(symbol, family, element, shape, width) {#symbol, loop_##symbol},
#include "shim/table/fftw_symbols.def"
#include "shim/table/lapack_symbols.def"
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Bursts with a pause between them, in which a log is written in the background. */
static double overhead_loop_time_bursts(void (*run)(long), long burst, long bursts, long pause_us)
{
	const struct timespec pause = {.tv_sec = pause_us / 1000000,
	                               .tv_nsec = pause_us % 1000000 * 1000};
	double total = 0;
	run(100); /* finds the routine and warms the caches */
	for (long i = 0; i < bursts; i++) {
		const int64_t begin_ns = clock_monotonic_ns();
		run(burst);
		total += (double)(clock_monotonic_ns() - begin_ns);
		if (pause_us != 0)
			nanosleep(&pause, NULL);
	}
	return total / ((double)burst * (double)bursts);
}

int main(int argc, char **argv)
{
	if (argc != 5) {
		fprintf(stderr, "usage: %s ROUTINE|all BURST BURSTS PAUSE_US\n", argv[0]);
		return 2;
	}
	const bool all = strcmp(argv[1], "all") == 0;
	bool known = false;
	plan = fftw_plan_dft_1d(8, a, b, -1, 64);
	for (size_t i = 0; i < CASES; i++) {
		if (!all && strcmp(argv[1], cases[i].name) != 0)
			continue;
		printf("%.4f %s\n",
		       overhead_loop_time_bursts(cases[i].run, atol(argv[2]), atol(argv[3]),
		                                 atol(argv[4])),
		       cases[i].name);
		known = true;
	}
	if (!known)
		fprintf(stderr, "%s: no routine %s\n", argv[0], argv[1]);
	return known ? 0 : 2;
}
