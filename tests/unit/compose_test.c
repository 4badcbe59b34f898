/* compose_test.c - gemmt, gemm3m and batches by a library's gemm, against plain loops */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <math.h>

#include "shim/execute/cpu/cpu.h"

enum {
	COMPOSE_N = 150,
	COMPOSE_K = 7,
	COMPOSE_LD = 160,
	COMPOSE_ROOM = 2 * COMPOSE_LD * COMPOSE_N
};

static double a[COMPOSE_ROOM], b[COMPOSE_ROOM], composed[COMPOSE_ROOM], plain[COMPOSE_ROOM];
static struct options options;

/* A library in the global scope. Without one there is no gemm to compose from. */
static void start(void)
{
	if (dlopen("libblas.so.3", RTLD_NOW | RTLD_GLOBAL) == NULL)
		cr_skip("no libblas.so.3: %s", dlerror());
	options_set_defaults(&options);
	cpu_configure(&options);
	for (int i = 0; i < COMPOSE_ROOM; i++) {
		a[i] = (i * 37 % 19) - 9;
		b[i] = (i * 53 % 17) - 8;
		composed[i] = plain[i] = (i * 71 % 23) - 11;
	}
}

TestSuite(compose, .init = start);

static struct call call_of(enum family family, enum element element, enum uplo uplo,
                           enum transpose trans)
{
	return (struct call){.family = family,
	                     .element = element,
	                     .blas = {.uplo = uplo,
	                              .transa = trans,
	                              .transb = trans,
	                              .m = COMPOSE_N,
	                              .n = COMPOSE_N,
	                              .k = COMPOSE_K,
	                              .lda = COMPOSE_LD,
	                              .ldb = COMPOSE_LD,
	                              .ldc = COMPOSE_LD,
	                              .a = a,
	                              .b = b,
	                              .alpha = {2, 0},
	                              .beta = {3, 0}}};
}

/* Whole numbers: both sums are exact, and elements that are not written are equal too. */
static void expect_equal(void)
{
	for (int i = 0; i < COMPOSE_ROOM; i++)
		cr_assert_eq(composed[i], plain[i], "at %d: %g and %g", i, composed[i], plain[i]);
}

static void check(struct call call)
{
	start();
	call.blas.c = composed;
	cr_assert(cpu_compose_run(&call, (const void *)(uintptr_t)check));
	call.blas.c = plain;
	cpu_plain_run(&call);
	expect_equal();
}

Test(compose, gemmt)
{
	for (int uplo = UPLO_UPPER; uplo <= UPLO_LOWER; uplo++)
		for (int trans = TRANSPOSE_N; trans <= TRANSPOSE_C; trans++) {
			check(call_of(FAMILY_GEMMT, ELEMENT_D, (enum uplo)uplo,
			              (enum transpose)trans));
			check(call_of(FAMILY_GEMMT, ELEMENT_Z, (enum uplo)uplo,
			              (enum transpose)trans));
		}
}

Test(compose, gemm3m)
{
	check(call_of(FAMILY_GEMM3M, ELEMENT_Z, UPLO_UPPER, TRANSPOSE_C));
}

Test(compose, strided_batch)
{
	struct call call = call_of(FAMILY_GEMM_BATCH_STRIDED, ELEMENT_D, UPLO_UPPER, TRANSPOSE_N);
	call.blas.m = call.blas.n = 20;
	call.batch = (struct batch_call){.strided = true,
	                                 .groups = 1,
	                                 .problems = 5,
	                                 .a = a,
	                                 .b = b,
	                                 .c = composed,
	                                 .stridea = 30,
	                                 .stridec = 20 * COMPOSE_LD,
	                                 .first = call.blas};
	cr_assert(cpu_compose_run(&call, (const void *)(uintptr_t)check));
	call.batch.c = plain;
	cpu_plain_run(&call);
	expect_equal();
}

Test(compose, other_families_are_left_alone)
{
	const struct call call = call_of(FAMILY_SYRK, ELEMENT_D, UPLO_UPPER, TRANSPOSE_N);
	cr_assert_not(cpu_compose_run(&call, (const void *)(uintptr_t)check));
}
