/* verify_test.c - norms beyond the range of doubles, verdicts, and the share of verified calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

#include "policy/verify/verify.h"
#include "shim/execute/verify/verify_call.h"

static double norm_of(const double *values, int count)
{
	struct verify_norm norm = {.spoilt = false};
	for (int i = 0; i < count; i++)
		verify_norm_add_value(&norm, values[i]);
	return (double)verify_norm_find(&norm);
}

static void expect_near(double found, double wanted)
{
	cr_expect(fabs(found - wanted) <= 1e-15 * wanted, "%.17g, not %.17g", found, wanted);
}

Test(verify, norms_of_any_size)
{
	static const double unit[] = {1, 1e300, 1e-300, 1e150, 1e-150, 1e-307, 0x1p486, 0x1p-511};
	for (size_t i = 0; i < sizeof unit / sizeof unit[0]; i++)
		expect_near(norm_of((double[]){3 * unit[i], -4 * unit[i]}, 2), 5 * unit[i]);
	cr_expect_eq(norm_of(NULL, 0), 0);
	cr_expect_eq(norm_of((double[]){0, -0.0}, 2), 0);
	expect_near(norm_of((double[]){3 * 4.9e-324}, 1), 3 * 4.9e-324);
	expect_near(norm_of((double[]){1e-200, 3, 1e-200, 4}, 4), 5);
	expect_near(norm_of((double[]){1e200, 3, 1e-200}, 3), 1e200);
}

/* Beyond a double's range, as products of norms need. */
Test(verify, norms_larger_than_any_number)
{
	struct verify_norm norm = {.spoilt = false};
	for (int i = 0; i < 16; i++)
		verify_norm_add_value(&norm, DBL_MAX);
	cr_expect_eq(verify_norm_find(&norm), 4 * (long double)DBL_MAX);
}

Test(verify, what_is_not_finite_spoils_a_norm_and_counts_no_further)
{
	static const double odd[] = {NAN, INFINITY, -INFINITY};
	for (int i = 0; i < 3; i++) {
		struct verify_norm norm = {.spoilt = false};
		verify_norm_add_value(&norm, 3);
		cr_expect_not(norm.spoilt);
		verify_norm_add_value(&norm, odd[i]);
		verify_norm_add_value(&norm, 4);
		cr_expect(norm.spoilt);
		cr_expect_eq(verify_norm_find(&norm), 5);
	}
}

Test(verify, pairs)
{
	struct verify_gap gap = {.gpu_alone = false};
	const double gpu[] = {DBL_MAX, 1, NAN, INFINITY}, cpu[] = {-DBL_MAX, 1, NAN, NAN};
	for (int i = 0; i < 4; i++)
		verify_norm_add_pair(&gap, ELEMENT_D, true, &gpu[i], &cpu[i]);
	cr_expect_eq(verify_norm_find(&gap.apart), 2 * (long double)DBL_MAX);
	cr_expect(!gap.gpu_alone && !gap.cpu_alone && gap.gpu.spoilt && gap.cpu.spoilt);
	verify_norm_add_pair(&gap, ELEMENT_Z, false, (double[]){1, INFINITY}, (double[]){1, 1});
	cr_expect(gap.gpu_alone && !gap.cpu_alone);
	verify_norm_add_pair(&gap, ELEMENT_C, false, (float[]){1, 1}, (float[]){NAN, 1});
	cr_expect(gap.cpu_alone);
}

Test(verify, the_worse_verdict)
{
	const struct verify_verdict best = verify_norm_weigh(0, 1), close = verify_norm_weigh(3, 4),
				    fine = verify_norm_weigh(1, 1e6);
	const struct verify_verdict wrong = verify_norm_weigh(2, 1), odd = verify_norm_reject();
	cr_expect(close.fits && fine.fits && !wrong.fits && !odd.fits);
	cr_expect_not(verify_norm_weigh(NAN, 1).fits);
	cr_expect(verify_norm_is_worse(&fine, &best) && verify_norm_is_worse(&close, &fine) &&
	          verify_norm_is_worse(&wrong, &close));
	cr_expect(verify_norm_is_worse(&odd, &wrong) && !verify_norm_is_worse(&wrong, &odd) &&
	          !verify_norm_is_worse(&best, &close));
}

/* The bound of a product by hand: 1 x 1 with k = 2. */
static struct verify_verdict judge_product(double gpu, double cpu, double alpha, double beta,
                                           double before, bool tf32)
{
	const double a[2] = {3, 4}, b[2] = {6, 8};
	const float sa[2] = {3, 4}, sb[2] = {6, 8}, sgpu = (float)gpu, scpu = (float)cpu;
	const struct blas_call blas = {.m = 1,
	                               .n = 1,
	                               .k = 2,
	                               .lda = 1,
	                               .ldb = 2,
	                               .ldc = 1,
	                               .a = tf32 ? (const void *)sa : a,
	                               .b = tf32 ? (const void *)sb : b,
	                               .c = tf32 ? (void *)(uintptr_t)&sgpu : &gpu,
	                               .alpha = {alpha},
	                               .beta = {beta}};
	struct verify_problem problem = {.family = FAMILY_GEMM,
	                                 .element = tf32 ? ELEMENT_S : ELEMENT_D,
	                                 .tf32 = tf32,
	                                 .blas = &blas,
	                                 .cpu = tf32 ? (const void *)&scpu : &cpu};
	struct verify_verdict verdict;
	verify_norm_add_value(&problem.before, before);
	verify_judge(&problem, &verdict);
	return verdict;
}

Test(verify, the_bound_of_a_product)
{
	expect_near(judge_product(50, 50, 1, 0, 0, false).bound, 2 * 4 * 0x1p-53 * 50);
	expect_near(judge_product(50, 50, 2, -3, 7, false).bound, 2 * 4 * 0x1p-53 * (100 + 21));
	expect_near(judge_product(50, 50, 1, 0, 0, true).bound, (2 * 4 * 0x1p-24 + 0x1p-9) * 50);
	cr_expect(judge_product(50 * (1 + 2 * DBL_EPSILON), 50, 1, 0, 0, false).fits);
	cr_expect_not(judge_product(50 * (1 + 9 * DBL_EPSILON), 50, 1, 0, 0, false).fits);
	cr_expect(judge_product(50.04, 50, 1, 0, 0, true).fits);
	cr_expect_not(judge_product(50.2, 50, 1, 0, 0, true).fits);
	cr_expect(isinf(judge_product(NAN, 50, 1, 0, 0, false).deviation));
	cr_expect(isinf(judge_product(50, NAN, 1, 0, 0, false).deviation));
	cr_expect(judge_product(NAN, INFINITY, 1, 0, 0, false).fits);
	cr_expect(judge_product(NAN, 50, 1e308, 1, -1e308, false).fits,
	          "one order of the sums overflows");
}

/*
 * Of a symmetric A one triangle is read, and counts twice; a triangular one may have a unit
 * diagonal.
 */
Test(verify, the_bound_of_a_square)
{
	double a[4] = {2, NAN, 3, 4}, b[2] = {1, 1}, c[2] = {0, 0};
	const struct blas_call symm = {.m = 2,
	                               .n = 1,
	                               .k = 2,
	                               .lda = 2,
	                               .ldb = 2,
	                               .ldc = 2,
	                               .a = a,
	                               .b = b,
	                               .c = c,
	                               .alpha = {1}};
	struct verify_problem problem = {
		.family = FAMILY_SYMM, .element = ELEMENT_D, .blas = &symm, .cpu = c};
	struct verify_verdict verdict;
	verify_judge(&problem, &verdict);
	expect_near(verdict.bound, 2 * 4 * 0x1p-53 * sqrt(2 * 2 + 2 * (3 * 3) + 4 * 4) * sqrt(2));
	struct blas_call trmm = symm;
	trmm.diag = DIAG_UNIT;
	a[0] = a[3] = NAN;
	problem.family = FAMILY_TRMM;
	problem.blas = &trmm;
	verify_norm_add_value(&problem.before, 5);
	verify_judge(&problem, &verdict);
	expect_near(verdict.bound, 2 * 4 * 0x1p-53 * sqrt(1 + 1 + 3 * 3) * 5);
}

Test(verify, a_share_of_the_calls)
{
	int wanted = 0;
	cr_expect_not(verify_call_wants(0));
	cr_expect(verify_call_wants(0.01), "the first one");
	for (int number = 1; number <= 1000; number++)
		if (verify_call_wants(0.01)) {
			cr_expect_eq(number % 100, 0, "%d", number);
			wanted++;
		}
	cr_expect_eq(wanted, 10);
	for (int number = 0; number < 100; number++)
		cr_expect(verify_call_wants(1));
	cr_expect_not(verify_call_wants(-1) || verify_call_wants(NAN));
}
