/* region_test.c - random calls committed in part, in the family's order; the rest is cut */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "level3_case.h"
#include "policy/plan/region.h"

enum { REGION_CASES = 20000, REGION_WRONG_CASES = 4000, REGION_ORDER = 9, REGION_SPANS = 3 };

static struct level3_case test;
static uint64_t seed;

static struct panel_span all(int64_t count)
{
	return (struct panel_span){0, count};
}

/* Cuts total into at most REGION_SPANS non-empty parts. Returns their number. */
static int draw_spans(int64_t total, struct panel_span spans[REGION_SPANS])
{
	int64_t begin = 0;
	int count = 0;
	while (begin < total) {
		const int64_t rest = total - begin;
		const int64_t size =
			count == REGION_SPANS - 1 ? rest : 1 + level3_draw(&seed, (int)rest);
		spans[count++] = (struct panel_span){begin, size};
		begin += size;
	}
	return count;
}

/* Commits what the device has confirmed. */
static void commit(struct panel_span row, struct panel_span column)
{
	const int64_t size_bytes = (int64_t)element_size_bytes(test.call.element);
	for (int64_t j = column.begin; j < column.begin + column.count; j++)
		for (int64_t i = row.begin; i < row.begin + row.count; i++) {
			const int64_t at = (i + j * test.call.blas.ldc) * size_bytes;
			memcpy(test.c + at, test.wanted + at, (size_t)size_bytes);
		}
}

static void expect_legal(const struct region_problem *problem)
{
	struct matrix matrix;
	cr_assert(level3_exists(problem->family, test.call.element));
	for (enum operand operand = OPERAND_A; operand < OPERAND_COUNT; operand++)
		if (operand_find(problem->family, &problem->blas, operand, &matrix)) {
			cr_assert_geq(matrix.ld, matrix.rows, "family %d", (int)test.call.family);
			cr_assert_geq(matrix.ld, 1);
			cr_assert(operand == OPERAND_C || matrix.base != NULL);
		}
}

/* Whether the problems of a rectangle compute its elements, and write nothing else. */
static bool finish(struct panel_span row, struct panel_span column)
{
	static char before[LEVEL3_BYTES];
	struct region_problem problems[REGION_PROBLEMS];
	memcpy(before, test.c, sizeof before);
	const int count = region_cut(test.call.family, &test.call.blas, row, column,
	                             test.call.element, problems);
	cr_assert_leq(count, REGION_PROBLEMS);
	for (int i = 0; i < count; i++) {
		const struct call part = {.family = problems[i].family,
		                          .element = test.call.element,
		                          .blas = problems[i].blas};
		expect_legal(&problems[i]);
		cpu_plain_run(&part);
	}
	return level3_holds(&test, row, column, before);
}

/* Blocks of C in any order, of which some are committed. */
static bool run_blocks(void)
{
	struct panel_span row[REGION_SPANS], column[REGION_SPANS];
	const int rows = draw_spans(test.call.blas.m, row),
		  columns = draw_spans(test.call.blas.n, column);
	const int first = level3_draw(&seed, rows * columns);
	bool right = true;
	for (int step = 0; step < rows * columns; step++) {
		const int block = (first + step) % (rows * columns);
		const struct panel_span *i = &row[block % rows], *j = &column[block / rows];
		if (level3_draw(&seed, 2))
			commit(*i, *j);
		else
			right = right && finish(*i, *j);
	}
	return right;
}

static bool use_part(struct panel_span own, struct panel_span other, bool committed)
{
	const bool left = test.call.blas.side == SIDE_LEFT;
	if (!committed)
		return left ? finish(own, other) : finish(other, own);
	commit(left ? own : other, left ? other : own);
	return true;
}

/* One panel: some parts are committed; the rest is one region, or several in the same order. */
static bool run_panel(struct panel_span other, bool at_end)
{
	struct panel_span own[REGION_SPANS], rest;
	const int64_t order = test.call.blas.k;
	const int count = draw_spans(order, own), committed = level3_draw(&seed, count + 1);
	const bool whole = level3_draw(&seed, 2);
	bool right = true;
	for (int step = 0; step < (whole ? committed : count); step++)
		right = right &&
		        use_part(own[at_end ? count - 1 - step : step], other, step < committed);
	if (!whole || committed == count)
		return right;
	rest.begin = at_end ? 0 : own[committed].begin;
	rest.count = at_end ? own[count - 1 - committed].begin + own[count - 1 - committed].count
	                    : order - rest.begin;
	return right && use_part(rest, other, false);
}

static bool run_panels(bool in_order)
{
	const struct blas_call *blas = &test.call.blas;
	struct panel_span other[REGION_SPANS];
	const int others = draw_spans(blas->side == SIDE_LEFT ? blas->n : blas->m, other);
	const bool at_end = region_begins_at_end(test.call.family, blas) == in_order;
	bool right = true;
	for (int i = 0; i < others; i++)
		right = run_panel(other[i], at_end) && right;
	return right;
}

/* Family after family with each of its elements. */
static void make_case(int number, enum family first, enum family last)
{
	const int families = (int)last - (int)first + 1;
	const enum family family = (enum family)((int)first + number % families);
	enum element element = (enum element)(number / families % ELEMENT_BLAS_COUNT);
	if (!level3_exists(family, element))
		element = (enum element)(element + 2);
	level3_make(&test, family, element, REGION_ORDER, &seed);
}

Test(region, whatever_is_left)
{
	seed = 1;
	for (int number = 0; number < REGION_CASES; number++) {
		make_case(number, FAMILY_GEMM, FAMILY_TRSM);
		const struct blas_call *blas = &test.call.blas;
		static char before[LEVEL3_BYTES];
		memcpy(before, test.c, sizeof before);
		const bool right =
			family_is_in_place(test.call.family) ? run_panels(true) : run_blocks();
		cr_assert(right, "case %d: family %d, element %d, %d x %d x %d", number,
		          (int)test.call.family, (int)test.call.element, (int)blas->m, (int)blas->n,
		          (int)blas->k);
		cr_assert(level3_holds(&test, all(blas->m), all(blas->n), before), "case %d",
		          number);
	}
}

/* Shows that the order matters, and that these cases detect a wrong one. */
Test(region, fails_in_the_other_order)
{
	int wrong[FAMILY_COUNT] = {0};
	seed = 2;
	for (int number = 0; number < REGION_WRONG_CASES; number++) {
		make_case(number, FAMILY_TRMM, FAMILY_TRSM);
		wrong[test.call.family] += !run_panels(false);
	}
	cr_expect_gt(wrong[FAMILY_TRMM], REGION_WRONG_CASES / 12, "%d cases of trmm",
	             wrong[FAMILY_TRMM]);
	cr_expect_gt(wrong[FAMILY_TRSM], REGION_WRONG_CASES / 12, "%d cases of trsm",
	             wrong[FAMILY_TRSM]);
}

static int count_problems(enum family family, struct blas_call blas, struct panel_span row,
                          struct panel_span column)
{
	struct region_problem problems[REGION_PROBLEMS];
	return region_cut(family, &blas, row, column, ELEMENT_Z, problems);
}

Test(region, number_of_problems)
{
	const struct blas_call square = {
		.m = 10, .n = 10, .k = 10, .uplo = UPLO_LOWER, .lda = 10, .ldb = 10, .ldc = 10};
	const struct panel_span low = {0, 4}, middle = {2, 6}, high = {6, 4}, none = {3, 0};
	cr_expect_eq(count_problems(FAMILY_GEMM, square, low, high), 1);
	cr_expect_eq(count_problems(FAMILY_GEMM, square, none, high), 0);
	cr_expect_eq(count_problems(FAMILY_SYRK, square, all(10), all(10)), 1, "the call itself");
	cr_expect_eq(count_problems(FAMILY_SYRK, square, low, high), 0, "above the diagonal");
	cr_expect_eq(count_problems(FAMILY_SYRK, square, high, low), 1);
	cr_expect_eq(count_problems(FAMILY_HER2K, square, high, low), 2);
	cr_expect_eq(count_problems(FAMILY_HER2K, square, middle, low), 5,
	             "two rectangles and a triangle");
	cr_expect_eq(count_problems(FAMILY_SYMM, square, all(10), low), 1);
	cr_expect_eq(count_problems(FAMILY_SYMM, square, middle, low), 3);
	cr_expect_eq(count_problems(FAMILY_TRSM, square, low, all(10)), 1,
	             "nothing stands above the first rows");
	cr_expect_eq(count_problems(FAMILY_TRSM, square, high, all(10)), 1,
	             "alpha is 0: nothing is read");
}

/* The order depends on the half of A that is used, and on the side. */
Test(region, order_of_commits)
{
	struct blas_call blas = {.side = SIDE_LEFT, .uplo = UPLO_LOWER, .transa = TRANSPOSE_N};
	cr_expect(region_begins_at_end(FAMILY_TRMM, &blas),
	          "a row needs what the rows above it were");
	cr_expect_not(region_begins_at_end(FAMILY_TRSM, &blas),
	              "a row needs the solution above it");
	blas.transa = TRANSPOSE_C;
	cr_expect_not(region_begins_at_end(FAMILY_TRMM, &blas));
	cr_expect(region_begins_at_end(FAMILY_TRSM, &blas));
	blas.side = SIDE_RIGHT;
	cr_expect(region_begins_at_end(FAMILY_TRMM, &blas));
	cr_expect_not(region_begins_at_end(FAMILY_TRSM, &blas));
	blas.uplo = UPLO_UPPER;
	cr_expect_not(region_begins_at_end(FAMILY_TRMM, &blas));
	cr_expect(region_begins_at_end(FAMILY_TRSM, &blas));
}
