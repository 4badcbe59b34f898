/* verify_blas_test.c - level 3: another order of summation passes, a wrong element does not */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "level3_case.h"
#include "shim/execute/cpu/cpu_finish.h"
#include "shim/execute/gpu/node/host_memory.h"
#include "shim/execute/verify/verify_call.h"
#include "shim/table/symbol.h"
#include "tests/driver/fewer.h"

enum { VERIFY_ORDER = 200, VERIFY_CASES = 6000, VERIFY_ERRORS = 1200 };
enum { VERIFY_BYTES = (VERIFY_ORDER + LEVEL3_GAP) * VERIFY_ORDER * 16 };

/*
 * A call, its operands in reverse order of rows and columns, C before the call, and the expected C.
 */
struct verify_case {
	struct call call, turned;
	_Alignas(16) char a[VERIFY_BYTES], b[VERIFY_BYTES], c[VERIFY_BYTES];
	_Alignas(16) char turned_a[VERIFY_BYTES], turned_b[VERIFY_BYTES], turned_c[VERIFY_BYTES];
	_Alignas(16) char before[VERIFY_BYTES];
};

static struct verify_case test;
static struct options options;
static uint64_t seed = 11;

static const void *caller(void)
{
	return (const void *)(uintptr_t)caller;
}

static void start(void)
{
	static const char *const libraries[] = {"libopenblas.so.0", "libblis.so.4", "libblas.so.3"};
	size_t i = 0;
	while (i < sizeof libraries / sizeof libraries[0] &&
	       dlopen(libraries[i], RTLD_NOW | RTLD_GLOBAL) == NULL)
		i++;
	if (i == sizeof libraries / sizeof libraries[0])
		cr_skip("no BLAS library: %s", dlerror());
	options_set_defaults(&options);
	cpu_configure(&options);
}

TestSuite(verify_blas, .init = start);

static int fortran_symbol(enum family family, enum element element)
{
	char name[SYMBOL_NAME_BYTES];
	symbol_name_routine(family, element, name, sizeof name - 1);
	strcat(name, "_");
	return symbol_find(name);
}

static double draw_unit(void)
{
	return (level3_draw(&seed, 2000001) - 1000000) * 1e-6;
}

/* decades: numbers from 10^-decades to 10^decades, 0: from -1 to 1. */
static double draw_value(int decades)
{
	return draw_unit() * pow(10, decades * draw_unit());
}

static void *memory_of(struct verify_case *t, enum operand operand, bool turned)
{
	char *const memory[2][OPERAND_COUNT] = {{t->a, t->b, t->c},
	                                        {t->turned_a, t->turned_b, t->turned_c}};
	return memory[turned][operand];
}

/*
 * Gaps and elements that the family does not reference are NaN. tame: the diagonal of a triangle is
 * large.
 */
static void fill(enum operand operand, int decades, bool tame)
{
	const struct call *call = &test.call;
	char *memory = memory_of(&test, operand, false);
	struct matrix matrix;
	memset(memory, 0xff, VERIFY_BYTES);
	if (!operand_find(call->family, &call->blas, operand, &matrix))
		return;
	for (int64_t j = 0; j < matrix.columns; j++)
		for (int64_t i = 0; i < matrix.rows; i++)
			for (int part = 0; part < level3_parts(call->element); part++) {
				const bool own =
					operand == OPERAND_A && family_is_in_place(call->family);
				double value = draw_value(decades);
				if (own && tame)
					value = i == j ? 2 + value : value / (double)matrix.rows;
				if (level3_means(call, operand, i, j, part))
					level3_write(call->element, memory, i + j * matrix.ld, part,
					             value);
			}
}

static void make(enum family family, enum element element, int order, int decades, bool tame)
{
	struct call *call = &test.call;
	int64_t *const ld[OPERAND_COUNT] = {&call->blas.lda, &call->blas.ldb, &call->blas.ldc};
	struct matrix matrix;
	*call = (struct call){
		.family = family, .element = element, .symbol = fortran_symbol(family, element)};
	level3_draw_sizes(call, order, &seed);
	if (call->blas.k == 0)
		call->blas.k = 1;
	do
		level3_draw_flags(call, &seed);
	/* such a call does not go to the GPU */
	while (call->blas.alpha[0] == 0 && call->blas.alpha[1] == 0);
	if (decades > 0 && level3_draw(&seed, 3) == 0)
		call->blas.alpha[0] = draw_value(decades);
	call->blas.a = test.a;
	call->blas.b = test.b;
	call->blas.c = test.c;
	for (enum operand operand = OPERAND_A; operand < OPERAND_COUNT; operand++) {
		if (operand_find(family, &call->blas, operand, &matrix))
			*ld[operand] = matrix.rows + level3_draw(&seed, LEVEL3_GAP + 1);
		fill(operand, decades, tame);
	}
	memcpy(test.before, test.c, sizeof test.before);
}

/* Copies the call's operand to the reversed one, or back. */
static void turn(enum operand operand, bool back)
{
	const struct call *call = &test.call;
	const size_t size = element_size_bytes(call->element);
	char *from = memory_of(&test, operand, back), *to = memory_of(&test, operand, !back);
	struct matrix matrix;
	if (!operand_find(call->family, &call->blas, operand, &matrix))
		return;
	for (int64_t j = 0; j < matrix.columns; j++)
		for (int64_t i = 0; i < matrix.rows; i++) {
			const int64_t here = i + j * matrix.ld;
			const int64_t there =
				matrix.rows - 1 - i + (matrix.columns - 1 - j) * matrix.ld;
			if (!back || level3_means(call, operand, i, j, 0))
				memcpy(to + (back ? here : there) * (int64_t)size,
				       from + (back ? there : here) * (int64_t)size, size);
		}
}

/* Stands for the GPU: the same sums from the last term to the first. */
static void run_turned(void)
{
	test.turned = test.call;
	test.turned.blas.uplo = test.call.blas.uplo == UPLO_UPPER ? UPLO_LOWER : UPLO_UPPER;
	test.turned.blas.a = test.turned_a;
	test.turned.blas.b = test.turned_b;
	test.turned.blas.c = test.turned_c;
	for (enum operand operand = OPERAND_A; operand < OPERAND_COUNT; operand++)
		turn(operand, false);
	cpu_finish_region(&test.turned, caller(), (struct panel_span){0, test.call.blas.m},
	                  (struct panel_span){0, test.call.blas.n});
	turn(OPERAND_C, true);
}

static struct verify *begin(void)
{
	struct verify *verify = verify_call_start(
		&(struct verify_request){.call = &test.call,
	                                 .caller = caller(),
	                                 .code = test.call.symbol < 0 ? NULL : &test});
	cr_assert_not_null(verify);
	return verify;
}

static void tell(char *out, size_t size)
{
	const struct blas_call *blas = &test.call.blas;
	snprintf(out, size,
	         "family %d, element %d, %ld x %ld x %ld, side %d, uplo %d, op %d %d, diag %d, "
	         "alpha %g, beta %g",
	         (int)test.call.family, (int)test.call.element, (long)blas->m, (long)blas->n,
	         (long)blas->k, (int)blas->side, (int)blas->uplo, (int)blas->transa,
	         (int)blas->transb, (int)blas->diag, blas->alpha[0], blas->beta[0]);
}

static void expect_no_alarm(int decades, bool tame)
{
	static char gpu[VERIFY_BYTES];
	char words[256];
	struct verify *verify = begin();
	run_turned();
	memcpy(gpu, test.c, sizeof gpu);
	tell(words, sizeof words);
	cr_assert_eq(verify_call_end(verify, NULL), REASON_NONE, "%s, decades %d, tame %d", words,
	             decades, tame);
	cr_assert_eq(memcmp(gpu, test.c, sizeof gpu), 0, "%s: C was written", words);
}

/* Small sizes are more frequent. */
static int draw_order(void)
{
	return level3_draw(&seed, 4) == 0 ? VERIFY_ORDER : 1 + level3_draw(&seed, 48);
}

Test(verify_blas, no_false_alarm, .timeout = 600)
{
	static const int decades[2][4] = {{0, 3, 150, 300}, {0, 3, 19, 37}};
	for (int number = 0; number < fewer_of(VERIFY_CASES); number++) {
		const enum family family = (enum family)(number % (FAMILY_TRSM + 1));
		const enum element element =
			(enum element)(number / (FAMILY_TRSM + 1) % ELEMENT_BLAS_COUNT);
		const int range = decades[level3_is_single(element)][level3_draw(&seed, 4)];
		const bool tame = level3_draw(&seed, 2) == 0;
		if (!level3_exists(family, element))
			continue;
		make(family, element, draw_order(), range, tame);
		expect_no_alarm(range, tame);
	}
}

/* Planted errors */

/* The root mean square of the elements that the call wrote. */
static double typical(void)
{
	const struct blas_call *blas = &test.call.blas;
	double sum = 0, count = 0;
	for (int64_t j = 0; j < blas->n; j++)
		for (int64_t i = 0; i < blas->m; i++)
			for (int part = 0; part < level3_parts(test.call.element); part++)
				if (level3_means(&test.call, OPERAND_C, i, j, part)) {
					const double value = level3_read(test.call.element, test.c,
					                                 i + j * blas->ldc, part);
					sum += value * value;
					count += part == 0;
				}
	return sqrt(sum / count);
}

static int64_t draw_written(void)
{
	int64_t i, j;
	do {
		i = level3_draw(&seed, (int)test.call.blas.m);
		j = level3_draw(&seed, (int)test.call.blas.n);
	} while (!level3_means(&test.call, OPERAND_C, i, j, 0));
	return i + j * test.call.blas.ldc;
}

/* C is the CPU library's result, and all else is unchanged. */
static void expect_cpu_result(void)
{
	static char wanted[VERIFY_BYTES];
	struct call whole = test.call;
	memcpy(wanted, test.before, sizeof wanted);
	whole.blas.c = wanted;
	cpu_finish_region(&whole, caller(), (struct panel_span){0, whole.blas.m},
	                  (struct panel_span){0, whole.blas.n});
	const int64_t size = (int64_t)element_size_bytes(test.call.element);
	for (int64_t at = 0; at < VERIFY_BYTES / size; at++) {
		const int64_t i = at % whole.blas.ldc, j = at / whole.blas.ldc;
		const bool written = i < whole.blas.m && j < whole.blas.n &&
		                     level3_means(&whole, OPERAND_C, i, j, 0);
		if (!written)
			cr_assert_eq(
				memcmp(test.c + at * size, test.before + at * size, (size_t)size),
				0, "beside the result: row %ld, column %ld", (long)i, (long)j);
		for (int part = 0; written && part < level3_parts(test.call.element); part++) {
			const double x = level3_read(test.call.element, test.c, at, part);
			const double y = level3_read(test.call.element, wanted, at, part);
			cr_assert(fabs(x - y) <= 1e-3 * (1 + fabs(y)) || (isnan(x) && isnan(y)),
			          "%g, not %g", x, y);
		}
	}
}

static void expect_alarm(double relative)
{
	char words[256];
	struct verify *verify = begin();
	run_turned();
	const int64_t at = draw_written();
	const int part = level3_draw(&seed, level3_parts(test.call.element));
	const double wrong =
		level3_read(test.call.element, test.c, at, part) + relative * typical();
	tell(words, sizeof words);
	level3_write(test.call.element, test.c, at, part, wrong);
	cr_assert_eq(verify_call_end(verify, NULL), REASON_VERIFY_FAILED, "%s", words);
	expect_cpu_result();
}

Test(verify_blas, a_wrong_element_is_found, .timeout = 600)
{
	for (int number = 0; number < fewer_of(VERIFY_ERRORS); number++) {
		const enum family family = (enum family)(number % (FAMILY_TRSM + 1));
		const enum element element =
			(enum element)(number / (FAMILY_TRSM + 1) % ELEMENT_BLAS_COUNT);
		if (!level3_exists(family, element))
			continue;
		make(family, element, level3_is_single(element) ? 40 : draw_order(), 0, true);
		expect_alarm(level3_is_single(element) ? 1 : 1e-3);
	}
}

/* Infinities and NaN */

static enum reason verify_after(double value, int64_t at)
{
	struct verify *verify = begin();
	run_turned();
	level3_write(test.call.element, test.c, at, 0, value);
	return verify_call_end(verify, NULL);
}

static void make_square(enum family family, enum element element)
{
	do
		make(family, element, 30, 0, true);
	while (test.call.blas.m < 3 || test.call.blas.n < 3);
}

Test(verify_blas, what_is_finite_on_one_side_alone_is_wrong)
{
	for (int family = FAMILY_GEMM; family <= (int)FAMILY_TRSM; family++) {
		make_square((enum family)family, ELEMENT_Z);
		cr_expect_eq(verify_after(NAN, draw_written()), REASON_VERIFY_FAILED, "family %d",
		             family);
		expect_cpu_result();
		make_square((enum family)family, ELEMENT_C);
		cr_expect_eq(verify_after(-INFINITY, draw_written()), REASON_VERIFY_FAILED,
		             "family %d", family);
	}
}

/*
 * An operand with NaN: the same elements are not finite on both sides, whichever of NaN and
 * infinity; a number in their place is wrong.
 */
Test(verify_blas, what_the_operands_spoil_is_compared_no_further)
{
	for (enum element element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++) {
		make_square(FAMILY_GEMM, element);
		level3_write(element, test.a, 0, 0, INFINITY);
		struct verify *verify = begin();
		run_turned();
		for (int64_t at = 0; at < test.call.blas.m; at++)
			if (!isfinite(level3_read(element, test.c, at, 0)))
				level3_write(element, test.c, at, 0, NAN);
		cr_expect_eq(verify_call_end(verify, NULL), REASON_NONE);
		if (element_is_complex(element))
			continue; /* the other part would still be NaN */
		make_square(FAMILY_GEMM, element);
		memset(test.a, 0xff, sizeof test.a);
		cr_expect_eq(verify_after(1, 0), REASON_VERIFY_FAILED,
		             "all of C is NaN but for a number");
	}
}

/* A zero on the diagonal: its equation is not compared, the others are. */
Test(verify_blas, singular_systems)
{
	for (int number = 0; number < 200; number++) {
		make_square(FAMILY_TRSM, ELEMENT_D);
		test.call.blas.diag = DIAG_NON_UNIT;
		fill(OPERAND_A, 0, true);
		const int64_t at = level3_draw(&seed, (int)test.call.blas.k);
		level3_write(ELEMENT_D, test.a, at + at * test.call.blas.lda, 0, 0);
		expect_no_alarm(0, true);
	}
}

/*
 * One equation of a system is not finite on both sides: a wrong number in another equation is
 * found, one in its own is not.
 */
Test(verify_blas, systems_are_compared_equation_by_equation)
{
	for (int number = 0; number < 100; number++) {
		make_square(FAMILY_TRSM, number % 2 ? ELEMENT_D : ELEMENT_Z);
		const struct blas_call *blas = &test.call.blas;
		const bool left = blas->side == SIDE_LEFT, lost = number % 4 < 2;
		const int64_t line = level3_draw(&seed, (int)(left ? blas->n : blas->m));
		for (int64_t at = 0; at < (left ? blas->m : blas->n); at++)
			level3_write(test.call.element, test.c,
			             left ? at + line * blas->ldc : line + at * blas->ldc, 0, NAN);
		memcpy(test.before, test.c, sizeof test.before);
		const int64_t other = lost ? line : line == 0;
		const int64_t at =
			left ? blas->m / 2 + other * blas->ldc : other + blas->n / 2 * blas->ldc;
		cr_expect_eq(verify_after(100, at), lost ? REASON_NONE : REASON_VERIFY_FAILED,
		             "side %d, line %ld of %ld x %ld", (int)blas->side, (long)line,
		             (long)blas->m, (long)blas->n);
	}
}

/* Numbers near the largest one may overflow in another order of summation; others may not. */
Test(verify_blas, solutions_near_overflow)
{
	static const double sizes[] = {1.7e308, 1e300};
	for (int number = 0; number < 2; number++) {
		make_square(FAMILY_TRSM, ELEMENT_D);
		test.call.blas.alpha[0] = 1;
		fill(OPERAND_C, 0, false);
		level3_write(ELEMENT_D, test.c, 0, 0, sizes[number]);
		memcpy(test.before, test.c, sizeof test.before);
		cr_expect_eq(verify_after(INFINITY, 0),
		             number == 0 ? REASON_NONE : REASON_VERIFY_FAILED, "of size %g",
		             sizes[number]);
	}
}

/* Calls that cannot be verified */

Test(verify_blas, without_a_library_or_memory_nothing_is_verified)
{
	make_square(FAMILY_GEMM, ELEMENT_D);
	cr_expect_null(verify_call_start(
		&(struct verify_request){.call = &test.call, .caller = caller()}));
	test.call.blas.m = test.call.blas.n = test.call.blas.ldc = (int64_t)1 << 30;
	cr_expect_null(verify_call_start(
		&(struct verify_request){.call = &test.call, .caller = caller(), .code = &test}));
	verify_shadow_free(NULL);
}

/*
 * Nothing of it is touched here, but the CPU's copy would be: three quarters of the memory are too
 * much.
 */
Test(verify_blas, memory_is_left_for_the_program)
{
	make_square(FAMILY_GEMM, ELEMENT_D);
	test.call.blas.m = test.call.blas.ldc = 1 << 10;
	test.call.blas.n = (int64_t)(host_memory_available("") / 4 * 3 / (8 << 10));
	test.call.blas.beta[0] = 0;
	const struct verify_request request = {
		.call = &test.call, .caller = caller(), .code = &test};
	cr_expect_null(verify_call_start(&request));
	test.call.blas.n /= 3;
	struct verify *verify = verify_call_start(&request);
	cr_expect_not_null(verify);
	verify_shadow_free(verify);
}
