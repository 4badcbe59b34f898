/* verify_lapack_test.c - verified LAPACK calls: agreed, given back to the CPU library, not kept */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <string.h>

#include "shim/execute/verify/verify_call.h"
#include "shim/table/symbol.h"

/* LU of A by hand, pivots from 1 on, and the eigenvalues of a symmetric matrix. */
static const double lu_a[] = {4, 6, 3, 3}, lu_factors[] = {6, 2.0 / 3, 3, 1};
static const double eigen_a[] = {2, 1, 1, 2}, eigen_values[] = {1, 3};

static struct {
	struct call call;
	double a[4], w[2];
	int32_t ipiv[2], info;
} one;

static struct verify *begin(int symbol, const double a[4])
{
	memset(&one, 0, sizeof one);
	memcpy(one.a, a, sizeof one.a);
	one.call = (struct call){.symbol = symbol,
	                         .family = symbol_table[symbol].family,
	                         .element = ELEMENT_D,
	                         .lapack = {.jobs = {'N'},
	                                    .uplo = UPLO_UPPER,
	                                    .m = 2,
	                                    .n = 2,
	                                    .lda = 2,
	                                    .a = one.a,
	                                    .w = one.w,
	                                    .ipiv = one.ipiv,
	                                    .info = &one.info}};
	return verify_call_start(&(struct verify_request){.call = &one.call, .code = &one});
}

/* What either side leaves; error is added to the last element of the factors. */
static void factor(double error)
{
	memcpy(one.a, lu_factors, sizeof one.a);
	one.a[3] += error;
	one.ipiv[0] = one.ipiv[1] = 2;
}

Test(verify_lapack, right_factors_take_no_call_of_the_library)
{
	double ratio = -1;
	struct verify *verify = begin(SYMBOL_dgetrf_, lu_a);
	factor(0);
	cr_assert(!verify_call_needs_library(verify));
	cr_expect_eq(verify_call_end(verify, &ratio), REASON_NONE);
	cr_expect(ratio >= 0 && ratio < 1, "%g", ratio);
	cr_expect(memcmp(one.a, lu_factors, sizeof one.a) == 0, "the result is the GPU's");
}

Test(verify_lapack, wrong_factors_are_given_back, .init = cr_redirect_stderr)
{
	double ratio = -1;
	struct verify *verify = begin(SYMBOL_dgetrf_, lu_a);
	factor(1e-9);
	cr_assert(verify_call_needs_library(verify));
	cr_expect(memcmp(one.a, lu_a, sizeof one.a) == 0, "the library needs A as it was");
	factor(0);
	cr_expect_eq(verify_call_end(verify, &ratio), REASON_VERIFY_FAILED);
	cr_expect(ratio > 1, "%g", ratio);
}

/* A bound that the CPU's result misses too accuses nobody. */
Test(verify_lapack, no_better_result_excuses)
{
	double ratio = -1;
	struct verify *verify = begin(SYMBOL_dgetrf_, lu_a);
	factor(3e-9);
	cr_assert(verify_call_needs_library(verify));
	factor(1e-9);
	cr_expect_eq(verify_call_end(verify, &ratio), REASON_NONE);
	cr_expect(ratio > 0 && ratio <= 1, "%g", ratio);
}

Test(verify_lapack, nothing_is_known_where_the_library_fails)
{
	struct verify *verify = begin(SYMBOL_dgetrf_, lu_a);
	factor(1e-9);
	cr_assert(verify_call_needs_library(verify));
	one.info = 2;
	cr_expect_eq(verify_call_end(verify, NULL), REASON_NOT_SOLVED);
}

/* One that is no row must not be followed. */
Test(verify_lapack, a_wild_pivot, .init = cr_redirect_stderr)
{
	struct verify *verify = begin(SYMBOL_dgetrf_, lu_a);
	factor(0);
	one.ipiv[0] = 1 << 30;
	cr_assert(verify_call_needs_library(verify));
	factor(0);
	cr_expect_eq(verify_call_end(verify, NULL), REASON_VERIFY_FAILED);
}

Test(verify_lapack, values_are_compared_with_the_librarys, .init = cr_redirect_stderr)
{
	for (int turn = 0; turn < 2; turn++) {
		struct verify *verify = begin(SYMBOL_dsyev_, eigen_a);
		memcpy(one.w, eigen_values, sizeof one.w);
		one.w[1] += turn == 0 ? 4e-16 : 1e-9;
		cr_assert(verify_call_needs_library(verify));
		memset(one.a, 0, sizeof one.a); /* what the library leaves there is nobody's */
		memcpy(one.w, eigen_values, sizeof one.w);
		cr_expect_eq(verify_call_end(verify, NULL),
		             turn == 0 ? REASON_NONE : REASON_VERIFY_FAILED);
	}
}

/* Nothing is read before the memory for its copy is there. */
Test(verify_lapack, no_memory_for_a_copy, .init = cr_redirect_stderr)
{
	verify_shadow_free(begin(SYMBOL_dgetrf_, lu_a));
	one.call.lapack.m = one.call.lapack.n = one.call.lapack.lda = 1 << 28;
	cr_expect_null(
		verify_call_start(&(struct verify_request){.call = &one.call, .code = &one}));
	one.call.lapack.n = INT64_MAX / 2;
	cr_expect_null(
		verify_call_start(&(struct verify_request){.call = &one.call, .code = &one}));
}
