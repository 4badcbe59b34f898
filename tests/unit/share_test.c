/* share_test.c - the parts of a call: disjoint, complete, proportional to the devices' speeds */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "level3_case.h"
#include "policy/plan/share.h"

enum { SHARE_CASES = 4000, SHARE_DEVICES = 5 };

static struct level3_case test;
static struct share_part parts[SHARE_DEVICES];
static uint64_t seed = 4;

static int64_t span_end(struct panel_span span)
{
	return span.begin + span.count;
}

/* Random speeds, of which some are 0, but not all. */
static int draw_weights(double weights[SHARE_DEVICES])
{
	const int count = 1 + level3_draw(&seed, SHARE_DEVICES);
	for (int device = 0; device < count; device++)
		weights[device] = level3_draw(&seed, 4);
	weights[level3_draw(&seed, count)] += 1;
	return count;
}

/* Each part writes its own elements only, and all parts together write the call's. */
Test(share, parts_are_the_call)
{
	static char before[LEVEL3_BYTES], whole[LEVEL3_BYTES];
	double weights[SHARE_DEVICES];
	for (int number = 0; number < SHARE_CASES; number++) {
		const enum family family = (enum family)(number % (FAMILY_TRSM + 1));
		const struct blas_call *blas = &test.call.blas;
		level3_make(&test, family, ELEMENT_Z, LEVEL3_ORDER, &seed);
		memcpy(whole, test.c, sizeof whole);
		const int count =
			share_cut(family, blas, ELEMENT_Z, weights, draw_weights(weights), parts);
		for (int i = 0; i < count; i++) {
			memcpy(before, test.c, sizeof before);
			for (int p = 0; p < parts[i].problem_count; p++) {
				const struct call part = {.family = parts[i].problems[p].family,
				                          .element = ELEMENT_Z,
				                          .blas = parts[i].problems[p].blas};
				cpu_plain_run(&part);
			}
			cr_assert(level3_holds(&test, parts[i].row, parts[i].column, before),
			          "family %d", (int)family);
			cr_assert_gt(weights[parts[i].device], 0);
			cr_assert(i == 0 || parts[i].device > parts[i - 1].device);
		}
		cr_assert(level3_holds(&test, (struct panel_span){0, blas->m},
		                       (struct panel_span){0, blas->n}, whole),
		          "family %d", (int)family);
	}
}

static void compute(enum family family, const struct blas_call *blas)
{
	const struct call part = {.family = family, .element = ELEMENT_Z, .blas = *blas};
	cpu_plain_run(&part);
}

/* The device's part is one problem, and the CPU's is all the rest: each writes its own only. */
Test(share, parts_with_the_cpu_are_the_call)
{
	static char before[LEVEL3_BYTES], whole[LEVEL3_BYTES];
	int divided = 0;
	for (int number = 0; number < SHARE_CASES; number++) {
		const enum family family = (enum family)(number % (FAMILY_TRSM + 1));
		const struct blas_call *blas = &test.call.blas;
		const double share = (1 + level3_draw(&seed, 98)) / 100.0;
		struct share_part device, cpu;
		struct region_problem rest[REGION_PROBLEMS];
		level3_make(&test, family, ELEMENT_Z, LEVEL3_ORDER, &seed);
		if (!share_cut_cpu(family, blas, ELEMENT_Z, share, &device, &cpu))
			continue;
		divided++;
		memcpy(before, test.c, sizeof before);
		memcpy(whole, test.c, sizeof whole);
		cr_assert_eq(device.problem_count, 1);
		compute(device.problems[0].family, &device.problems[0].blas);
		cr_assert(level3_holds(&test, device.row, device.column, before), "family %d",
		          (int)family);
		const int count = region_cut(family, blas, cpu.row, cpu.column, ELEMENT_Z, rest);
		for (int i = 0; i < count; i++)
			compute(rest[i].family, &rest[i].blas);
		cr_assert(level3_holds(&test, (struct panel_span){0, blas->m},
		                       (struct panel_span){0, blas->n}, whole),
		          "family %d", (int)family);
	}
	cr_assert_gt(divided, SHARE_CASES / 2);
}

/* Large calls, by arithmetic only: the CPU's part of the work is what was asked for. */
Test(share, part_of_the_cpu_is_as_asked)
{
	static const int64_t size[][2] = {{2000, 2000}, {10000, 10000}, {40000, 300}, {300, 40000}};
	for (enum family family = FAMILY_GEMM; family <= FAMILY_TRSM; family++)
		for (size_t s = 0; s < sizeof size / sizeof size[0]; s++)
			for (int percent = 5; percent < 100; percent += 9) {
				const bool triangle = operand_is_triangle(family);
				const struct blas_call blas = {
					.m = triangle ? size[s][1] : size[s][0],
					.n = size[s][1],
					.k = size[s][0],
					.side = s % 2 == 0 ? SIDE_LEFT : SIDE_RIGHT,
					.lda = 50000,
					.ldb = 50000,
					.ldc = 50000,
				};
				struct share_part device, cpu;
				cr_assert(share_cut_cpu(family, &blas, ELEMENT_D, percent / 100.0,
				                        &device, &cpu));
				const double done = share_find_rest(family, &blas, &device);
				cr_expect_float_eq(done, percent / 100.0, 0.07,
				                   "family %d, %d per cent: %g", (int)family,
				                   percent, done);
			}
}

/* Of a product no side waits for more than a hundredth of the call because of the cut. */
Test(share, part_of_the_cpu_is_fine)
{
	for (int64_t order = 1600; order <= 12800; order *= 2)
		for (int percent = 5; percent < 100; percent++) {
			const struct blas_call blas = {.m = order, .n = order, .k = order};
			struct share_part device, cpu;
			cr_assert(share_cut_cpu(FAMILY_GEMM, &blas, ELEMENT_D, percent / 100.0,
			                        &device, &cpu));
			const double done = share_find_rest(FAMILY_GEMM, &blas, &device);
			cr_expect_float_eq(done, percent / 100.0, 0.0051, "%ld: %d per cent: %g",
			                   (long)order, percent, done);
		}
}

/* Elements of C that a part computes. */
static double count_elements(const struct share_part *part, bool triangle)
{
	const double columns = (double)part->column.count;
	return columns * (double)part->row.count - (triangle ? columns * (columns - 1) / 2 : 0);
}

/*
 * Large calls, by arithmetic only: shares differ from the weights' by less than a column of blocks.
 */
static void check_shares(enum family family, struct blas_call blas, bool rows)
{
	const double weights[] = {1, 3, 0, 2.5, 1.5};
	const bool triangle = operand_is_triangle(family);
	const double m = (double)blas.m, n = (double)blas.n,
		     all = triangle ? n * (n + 1) / 2 : m * n;
	const double slack = (double)SHARE_MULTIPLE * (rows ? n : m);
	const int count = share_cut(family, &blas, ELEMENT_Z, weights, SHARE_DEVICES, parts);
	int64_t end = 0;
	cr_assert_eq(count, 4, "the device of weight 0 has nothing to do");
	for (int i = 0; i < count; i++) {
		const struct panel_span span = rows ? parts[i].row : parts[i].column;
		cr_expect_eq(span.begin, end, "family %d, part %d", (int)family, i);
		cr_expect_eq(span.begin % SHARE_MULTIPLE, 0);
		cr_expect_float_eq(count_elements(&parts[i], triangle),
		                   all * weights[parts[i].device] / 8, slack, "family %d, part %d",
		                   (int)family, i);
		end = span_end(span);
	}
	cr_expect_eq(end, rows ? blas.m : blas.n);
}

Test(share, in_proportion)
{
	const struct blas_call square = {
		.m = 10007, .n = 10007, .k = 10007, .lda = 10007, .ldb = 10007, .ldc = 10007};
	struct blas_call right = square, lower = square, tall = square, narrow = square;
	right.side = SIDE_RIGHT;
	lower.uplo = UPLO_LOWER;
	tall.m = tall.lda = tall.ldc = 100000;
	narrow.n = 600;
	check_shares(FAMILY_GEMM, square, false);
	check_shares(FAMILY_GEMM, tall, true);
	check_shares(FAMILY_GEMM, narrow, true);
	check_shares(FAMILY_SYMM, square, false);
	check_shares(FAMILY_TRSM, square, false);
	check_shares(FAMILY_HEMM, right, true);
	check_shares(FAMILY_TRMM, right, true);
	check_shares(FAMILY_GEMMT, square, false);
	check_shares(FAMILY_SYRK, lower, false);
	check_shares(FAMILY_HER2K, square, false);
}

Test(share, one_device_has_the_call_itself)
{
	const struct blas_call blas = {
		.m = 300, .n = 300, .k = 7, .lda = 300, .ldb = 7, .ldc = 300, .uplo = UPLO_LOWER};
	const double weight = 0.1;
	for (int family = FAMILY_GEMM; family <= (int)FAMILY_TRSM; family++) {
		cr_assert_eq(share_cut((enum family)family, &blas, ELEMENT_Z, &weight, 1, parts),
		             1);
		cr_expect_eq(parts[0].problem_count, 1);
		cr_expect_eq(parts[0].problems[0].family, (enum family)family);
		cr_expect(parts[0].problems[0].blas.m == 300 && parts[0].problems[0].blas.n == 300);
	}
}
