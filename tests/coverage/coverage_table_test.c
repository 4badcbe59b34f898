/* coverage_table_test.c - each spelling finds its row, no row twice; flops equal counted loops */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "audit/count/count_names.h"
#include "policy/call/lapack_flops.h"

static int test_failures;

__attribute__((format(printf, 2, 3))) static void test_check(bool holds, const char *format, ...)
{
	va_list arguments;
	if (holds)
		return;
	test_failures++;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
}

/* Multiplications (divisions, roots) and additions, as the plain algorithms do them. */
struct test_count {
	uint64_t multiply, add;
};

static void test_add_products(struct test_count *count, int64_t times)
{
	for (int64_t i = 0; i < times; i++) {
		count->multiply++;
		count->add++;
	}
}

static struct test_count test_multiply(int64_t m, int64_t n, int64_t k)
{
	struct test_count count = {0};
	for (int64_t i = 0; i < m * n; i++)
		test_add_products(&count, k);
	return count;
}

/* One triangle of n x n, each element with k products. */
static struct test_count test_update(int64_t n, int64_t k)
{
	struct test_count count = {0};
	for (int64_t i = 0; i < n; i++)
		test_add_products(&count, (i + 1) * k);
	return count;
}

/* A triangle of order n times columns: each row scales by its diagonal. */
static struct test_count test_triangle(int64_t n, int64_t columns)
{
	struct test_count count = {0};
	for (int64_t column = 0; column < columns; column++)
		for (int64_t i = 0; i < n; i++) {
			test_add_products(&count, i);
			count.multiply++;
		}
	return count;
}

static struct test_count test_lu(int64_t m, int64_t n)
{
	struct test_count count = {0};
	for (int64_t j = 0; j < m && j < n; j++) {
		count.multiply += (uint64_t)(m - j - 1);
		test_add_products(&count, (m - j - 1) * (n - j - 1));
	}
	return count;
}

static struct test_count test_cholesky(int64_t n)
{
	struct test_count count = {0};
	for (int64_t j = 0; j < n; j++) {
		const int64_t below = n - j - 1;
		count.multiply += 1 + (uint64_t)below;
		test_add_products(&count, below * (below + 1) / 2);
	}
	return count;
}

/* The columns of the inverse of a triangle, one by one. */
static struct test_count test_triangle_inverse(int64_t n)
{
	struct test_count count = {0};
	for (int64_t j = 0; j < n; j++) {
		count.multiply++;
		for (int64_t i = j + 1; i < n; i++) {
			count.multiply += (uint64_t)(i - j) + 1;
			count.add += (uint64_t)(i - j) - 1;
		}
	}
	return count;
}

/* An upper triangle times its own transpose, one triangle of the result. */
static struct test_count test_triangle_square(int64_t n)
{
	struct test_count count = {0};
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j <= i; j++) {
			count.multiply += (uint64_t)(n - i);
			count.add += (uint64_t)(n - i) - 1;
		}
	return count;
}

static struct test_count test_sum(struct test_count a, struct test_count b)
{
	return (struct test_count){a.multiply + b.multiply, a.add + b.add};
}

/* Forward substitution with a unit diagonal, backward substitution with divisions. */
static struct test_count test_lu_solve(int64_t n, int64_t columns)
{
	struct test_count count = test_triangle(n, columns);
	count = test_sum(count, count);
	count.multiply -= (uint64_t)(n * columns);
	return count;
}

static struct test_count test_twice(struct test_count count)
{
	return test_sum(count, count);
}

/* Counts the operations of a form by loops; false if no loop exists for it. */
static bool test_count_form(int form, const struct count_sizes *s, struct test_count *count)
{
	const int64_t m = s->m, n = s->n, k = s->k, order = s->is_right ? n : m,
		      others = s->is_right ? m : n;
	const uint64_t length = (uint64_t)n;
	switch (form) {
	case COUNT_FORM_AXPY: *count = (struct test_count){length, length}; return true;
	case COUNT_FORM_AXPBY: *count = (struct test_count){2 * length, length}; return true;
	case COUNT_FORM_SCAL: *count = (struct test_count){length, 0}; return true;
	case COUNT_FORM_ASUM: *count = (struct test_count){0, length}; return true;
	case COUNT_FORM_ROT: *count = (struct test_count){4 * length, 2 * length}; return true;
	case COUNT_FORM_PAIR_AXPY:
		*count = (struct test_count){2 * length, 2 * length};
		return true;
	case COUNT_FORM_PAIR_SCAL: *count = (struct test_count){2 * length, 0}; return true;
	case COUNT_FORM_PAIR_ASUM: *count = (struct test_count){0, 2 * length}; return true;
	case COUNT_FORM_PAIR_ROT: *count = (struct test_count){8 * length, 4 * length}; return true;
	case COUNT_FORM_GEMV: *count = test_multiply(m, 1, n); return true;
	case COUNT_FORM_SYMV: *count = test_multiply(n, 1, n); return true;
	case COUNT_FORM_TRMV: *count = test_triangle(n, 1); return true;
	case COUNT_FORM_GER: *count = test_multiply(m, n, 1); return true;
	case COUNT_FORM_SYR: *count = test_update(n, 1); return true;
	case COUNT_FORM_SYR2: *count = test_update(n, 2); return true;
	case COUNT_FORM_GEMM:
	case COUNT_FORM_GEMM3M:
	case COUNT_FORM_GEMM_BATCH:
	case COUNT_FORM_GEMM_BATCH_STRIDED: *count = test_multiply(m, n, k); return true;
	case COUNT_FORM_GEMMT:
	case COUNT_FORM_SYRK:
	case COUNT_FORM_HERK: *count = test_update(n, k); return true;
	case COUNT_FORM_SYR2K:
	case COUNT_FORM_HER2K: *count = test_update(n, 2 * k); return true;
	case COUNT_FORM_SYMM:
	case COUNT_FORM_HEMM: *count = test_multiply(order, others, order); return true;
	case COUNT_FORM_TRMM:
	case COUNT_FORM_TRSM: *count = test_triangle(order, others); return true;
	case COUNT_FORM_GETRF: *count = test_lu(m, n); return true;
	case COUNT_FORM_GETRS: *count = test_lu_solve(n, k); return true;
	case COUNT_FORM_GESV: *count = test_sum(test_lu(n, n), test_lu_solve(n, k)); return true;
	case COUNT_FORM_POTRF: *count = test_cholesky(n); return true;
	case COUNT_FORM_POTRS: *count = test_twice(test_triangle(n, k)); return true;
	case COUNT_FORM_POSV:
		*count = test_sum(test_cholesky(n), test_twice(test_triangle(n, k)));
		return true;
	case COUNT_FORM_TRTRI: *count = test_triangle_inverse(n); return true;
	case COUNT_FORM_POTRI:
		*count = test_sum(test_triangle_inverse(n), test_triangle_square(n));
		return true;
	case COUNT_FORM_TRTRS: *count = test_triangle(n, k); return true;
	default: return false;
	}
}

/*
 * Forms whose count is a polynomial of the LAPACK Working Note; values at n = 10 (m = 12), computed
 * by hand.
 */
static bool test_count_by_hand(int form, struct test_count *count)
{
	switch (form) {
	case COUNT_FORM_GETRI: *count = (struct test_count){725, 525}; return true;
	case COUNT_FORM_GEQRF: *count = (struct test_count){1075, 925}; return true;
	default: return false;
	}
}

/*
 * Eigen- and singular values, orthogonal factors and least squares: the policy's formulas, which
 * are computed in floating point. k is the third size, right-hand sides of gels.
 */
static double test_count_by_policy(int form, const struct count_sizes *sizes, bool is_complex)
{
	const enum family family = count_flops_find_family((enum count_form)form);
	const bool singular = family == FAMILY_GESDD || family == FAMILY_GESVD;
	const char job = !sizes->has_vectors ? 'N' : singular ? 'S' : 'V';
	const bool square = strchr(family_sizes(family), 'm') == NULL;
	const struct call call = {.family = family,
	                          .element = is_complex ? ELEMENT_Z : ELEMENT_D,
	                          .lapack = {.jobs = {job, job},
	                                     .range = 'A',
	                                     .side = sizes->is_right ? SIDE_RIGHT : SIDE_LEFT,
	                                     .m = square ? sizes->n : sizes->m,
	                                     .n = sizes->n,
	                                     .k = sizes->k,
	                                     .nrhs = sizes->k}};
	return lapack_flops_count(&call);
}

static bool test_is_flagged(int form)
{
	return form == COUNT_FORM_ORGQR || form == COUNT_FORM_UNGQR ||
	       (form >= COUNT_FORM_SYEV && form <= COUNT_FORM_HEGVX) ||
	       (form >= COUNT_FORM_ORMQR && form <= COUNT_FORM_GEEV);
}

static void test_check_flagged(int form, const char *stem)
{
	static const struct count_sizes sizes[] = {{70, 50, 30, 0, false, false},
	                                           {70, 50, 30, 0, true, false},
	                                           {50, 50, 50, 0, false, true},
	                                           {90, 20, 10, 0, true, true},
	                                           {0, 0, 0, 0, false, true}};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		for (int is_complex = 0; is_complex < 2; is_complex++) {
			const double expected =
				test_count_by_policy(form, &sizes[i], is_complex != 0);
			const double counted = (double)count_flops_count(
				(enum count_form)form, is_complex != 0, &sizes[i]);
			test_check(fabs(counted - expected) <= 4,
			           "%s: %.0f flops, the policy has %.0f", stem, counted, expected);
		}
}

static void test_check_form(int form, const char *stem, const struct count_sizes *sizes,
                            struct test_count count)
{
	const uint64_t times = sizes->count > 0 ? (uint64_t)sizes->count : 1;
	const uint64_t real = count_flops_count((enum count_form)form, false, sizes);
	const uint64_t complex = count_flops_count((enum count_form)form, true, sizes);
	test_check(real == times * (count.multiply + count.add), "%s: %llu flops, expected %llu",
	           stem, (unsigned long long)real,
	           (unsigned long long)(times * (count.multiply + count.add)));
	test_check(complex == times * (6 * count.multiply + 2 * count.add),
	           "%s: %llu complex flops", stem, (unsigned long long)complex);
}

static void test_flops(void)
{
	static const struct count_sizes sizes[] = {{7, 5, 3, 0, false, false},
	                                           {5, 7, 3, 0, true, false},
	                                           {1, 1, 1, 0, false, false},
	                                           {4, 4, 9, 3, false, false},
	                                           {0, 0, 0, 0, false, false}};
	static const struct count_sizes by_hand = {12, 10, 0, 0, false, false};
	for (int row = 0; row < count_routine_count; row++) {
		const struct count_routine *routine = &count_routine_table[row];
		struct test_count count;
		bool is_known = test_count_by_hand(routine->form, &count);
		if (is_known)
			test_check_form(routine->form, routine->stem, &by_hand, count);
		for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] &&
		                   test_count_form(routine->form, &sizes[i], &count);
		     i++) {
			test_check_form(routine->form, routine->stem, &sizes[i], count);
			is_known = true;
		}
		if (test_is_flagged(routine->form)) {
			test_check_flagged(routine->form, routine->stem);
			is_known = true;
		}
		test_check(is_known || routine->form == COUNT_FORM_NONE ||
		                   routine->library == COUNT_FFTW,
		           "%s has a form that this test does not know", routine->stem);
	}
}

static void test_limits(void)
{
	const struct count_sizes huge = {1 << 30, 1 << 30, 1 << 30, 0, false, false},
				 negative = {-1, 5, 5, 0, false, false};
	const struct count_sizes batch = {10, 10, 10, 1000, false, false};
	test_check(count_flops_count(COUNT_FORM_GEMM, true, &huge) == UINT64_MAX,
	           "a huge product is not cut");
	test_check(count_flops_count(COUNT_FORM_GEMM, false, &negative) == 0,
	           "a negative size counts");
	test_check(count_flops_count(COUNT_FORM_GEMM_BATCH_STRIDED, false, &batch) == 2000000,
	           "a batch is not counted whole");
	test_check(count_flops_count_bytes(COUNT_FORM_GEMM, ELEMENT_Z, &batch) == 4800000,
	           "a batch's bytes");
	test_check(count_flops_count_bytes(COUNT_FORM_GETRF, ELEMENT_D, &batch) == 0,
	           "a factorisation has no bytes");
}

static void test_transforms(void)
{
	for (int64_t n = 1; n < 3000000; n = n * 3 / 2 + 1) {
		const double expected = 5.0 * (double)n * log2((double)n);
		const uint64_t whole = count_flops_count_transform(n, 1, false),
			       half = count_flops_count_transform(n, 1, true);
		test_check(fabs((double)whole - expected) <= 1e-4 * expected + 1,
		           "%lld points: %llu flops, not %g", (long long)n,
		           (unsigned long long)whole, expected);
		test_check(half == whole / 2, "%lld points: half of %llu is %llu", (long long)n,
		           (unsigned long long)whole, (unsigned long long)half);
	}
	test_check(count_flops_count_transform(1024, 3, false) == 3 * 51200,
	           "three transforms of 1024 points");
	test_check(count_flops_count_transform(0, 3, false) == 0, "no points");
}

/* The row of a name, or -1. */
static int test_find(const char *symbol, struct count_name *name)
{
	return count_names_parse(symbol, name) ? (int)(name->routine - count_routine_table) : -1;
}

static void test_spelling(int row, const char *format, const char *base,
                          enum count_convention convention, bool is_wide)
{
	char symbol[64];
	struct count_name name = {0};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(symbol, sizeof symbol, format, base);
#pragma GCC diagnostic pop
	test_check(test_find(symbol, &name) == row, "%s is not row %d", symbol, row);
	test_check(name.convention == convention && name.is_wide == is_wide,
	           "%s is taken for another convention", symbol);
}

static void test_blas_name(int row, const char *base)
{
	test_spelling(row, "%s_", base, COUNT_FORTRAN, false);
	test_spelling(row, "%s", base, COUNT_BARE, false);
	test_spelling(row, "%s_64_", base, COUNT_FORTRAN, true);
	test_spelling(row, "%s_64", base, COUNT_FORTRAN, true);
	test_spelling(row, "%s64_", base, COUNT_FORTRAN, true);
	test_spelling(row, "scipy_%s_", base, COUNT_FORTRAN, false);
	test_spelling(row, "scipy_%s_64_", base, COUNT_FORTRAN, true);
	if (count_routine_table[row].library == COUNT_LAPACK) {
		test_spelling(row, "LAPACKE_%s", base, COUNT_VALUE, false);
		return;
	}
	test_spelling(row, "cblas_%s", base, COUNT_VALUE, false);
	test_spelling(row, "cblas_%s_64", base, COUNT_VALUE, true);
	test_spelling(row, "cblas_%s64_", base, COUNT_VALUE, true);
	test_spelling(row, "scipy_cblas_%s", base, COUNT_VALUE, false);
	test_spelling(row, "scipy_cblas_%s64_", base, COUNT_VALUE, true);
}

static void test_names(void)
{
	char base[64];
	for (int row = 0; row < count_routine_count; row++) {
		const struct count_routine *routine = &count_routine_table[row];
		if (routine->library == COUNT_FFTW) {
			test_spelling(row, "fftw_%s", routine->stem, COUNT_FFTW_C, false);
			test_spelling(row, "fftwf_%s", routine->stem, COUNT_FFTW_C, false);
			test_spelling(row, "dfftw_%s_", routine->stem, COUNT_FFTW_FORTRAN, false);
			continue;
		}
		if (routine->library == COUNT_OUTSIDE) {
			test_spelling(row, "%s", routine->stem, COUNT_NAMED, false);
			continue;
		}
		for (const char *letter = routine->letters; *letter != '\0'; letter++) {
			snprintf(base, sizeof base, "%c%s", *letter, routine->stem);
			test_blas_name(row, base);
		}
		if (routine->letters[0] == '\0')
			test_blas_name(row, routine->stem);
	}
}

/*
 * test_names also finds a duplicate, because the second row of a name is never reached; this test
 * prints the name.
 */
static void test_duplicates(void)
{
	for (int a = 0; a < count_routine_count; a++)
		for (int b = 0; b < a; b++) {
			const struct count_routine *left = &count_routine_table[a],
						   *right = &count_routine_table[b];
			test_check(strcmp(left->stem, right->stem) != 0 ||
			                   strpbrk(left->letters, right->letters) == NULL,
			           "%s is there twice", left->stem);
		}
}

static void test_strangers(void)
{
	static const char *const strangers[] = {
		"",        "_",           "dgemm__x",     "xgemm_",        "gemm_",        "dgem_",
		"printf",  "fftw_malloc", "fftw_",        "dfftw_",        "cblas_",       "scipy_",
		"ddgemm_", "drotgx_",     "cblas_dgetrf", "LAPACKE_dgemm", "dfftw_execute"};
	struct count_name name;
	for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
		test_check(!count_names_parse(strangers[i], &name), "'%s' is taken for a routine",
		           strangers[i]);
	test_check(count_names_parse("DGEMM_", &name) && name.element == 'd',
	           "DGEMM_ is not dgemm_");
	test_check(count_names_parse("izamax_", &name) && name.routine->level == 1,
	           "izamax_ is not of level 1");
	test_check(count_names_parse("dfftw_execute__", &name),
	           "the name with two underscores is not found");
}

/* The position of lwork, by which a routine is asked for the size of its workspace. */
static void test_queries(void)
{
	static const struct {
		const char *symbol;
		int position;
	} rows[] = {{"dgeev_", 12},
	            {"zgeev_", 11},
	            {"dsyevd_64_", 7},
	            {"zheevd_", 7},
	            {"dgesdd_", 11},
	            {"cunmqr_", 11},
	            {"dgetrf_", COUNT_NO},
	            {"dgemm_", COUNT_NO},
	            {"zsyevd_", COUNT_NO},
	            {"LAPACKE_dgeev", COUNT_NO},
	            {"fftw_execute", COUNT_NO}};
	struct count_name name;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		test_check(count_names_parse(rows[i].symbol, &name) &&
		                   count_names_find_query(&name) == rows[i].position,
		           "lwork of %s is not at %d", rows[i].symbol, rows[i].position);
}

int main(void)
{
	count_names_prepare();
	count_names_prepare(); /* a second call has no effect */
	test_flops();
	test_limits();
	test_transforms();
	test_names();
	test_duplicates();
	test_strangers();
	test_queries();
	printf("%d rows, %d failures\n", count_routine_count, test_failures);
	return test_failures == 0 ? 0 : 1;
}
