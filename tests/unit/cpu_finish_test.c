/* cpu_finish_test.c - parts of calls by different libraries, or by none, against plain loops */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>

#include "level3_case.h"
#include "shim/execute/cpu/cpu_finish.h"
#include "shim/table/symbol.h"

enum { FINISH_CASES = 2000 };

static struct level3_case test;
static struct options options;
static uint64_t seed = 3;

static const void *caller(void)
{
	return (const void *)(uintptr_t)caller;
}

/* default_library: the library that is searched last. */
static void configure(const char *default_library)
{
	options_set_defaults(&options);
	snprintf(options.cpu_blas, sizeof options.cpu_blas, "%s", default_library);
	cpu_configure(&options);
}

static int fortran_symbol(enum family family, enum element element)
{
	char name[SYMBOL_NAME_BYTES];
	symbol_name_routine(family, element, name, sizeof name - 1);
	strcat(name, "_");
	return symbol_find(name);
}

static struct panel_span draw_span(int64_t total)
{
	const int64_t begin = level3_draw(&seed, (int)total);
	return (struct panel_span){begin, 1 + level3_draw(&seed, (int)(total - begin))};
}

/*
 * For a family that overwrites its operand: the part that remains after the first parts were
 * committed.
 */
static struct panel_span commit_some(struct panel_span other)
{
	const struct blas_call *blas = &test.call.blas;
	const bool left = blas->side == SIDE_LEFT,
		   at_end = region_begins_at_end(test.call.family, blas);
	const int64_t size_bytes = (int64_t)element_size_bytes(test.call.element);
	const int64_t cut = level3_draw(&seed, (int)blas->k);
	const struct panel_span rest = {at_end ? 0 : cut, blas->k - cut};
	for (int64_t own = 0; own < blas->k; own++)
		for (int64_t at = other.begin; at < other.begin + other.count; at++) {
			const int64_t index =
				(left ? own + at * blas->ldc : at + own * blas->ldc) * size_bytes;
			if (own < rest.begin || own >= rest.begin + rest.count)
				memcpy(test.c + index, test.wanted + index, (size_t)size_bytes);
		}
	return rest;
}

static void check_case(enum family family, enum element element)
{
	static char before[LEVEL3_BYTES];
	do
		level3_make(&test, family, element, LEVEL3_ORDER, &seed);
	while (test.call.blas.alpha[0] == 0 &&
	       test.call.blas.alpha[1] == 0); /* OpenBLAS 0.3.21 reads A and B then */
	test.call.symbol = fortran_symbol(family, element);
	struct panel_span row = draw_span(test.call.blas.m), column = draw_span(test.call.blas.n);
	if (family_is_in_place(family) && test.call.blas.side == SIDE_LEFT)
		row = commit_some(column);
	else if (family_is_in_place(family))
		column = commit_some(row);
	memcpy(before, test.c, sizeof before);
	cpu_finish_region(&test.call, caller(), row, column);
	cr_assert(level3_holds(&test, row, column, before),
	          "family %d, element %d, rows %d + %d, columns %d + %d", (int)family, (int)element,
	          (int)row.begin, (int)row.count, (int)column.begin, (int)column.count);
}

static void check_cases(void)
{
	for (int number = 0; number < FINISH_CASES; number++) {
		const enum family family = (enum family)(number % (FAMILY_TRSM + 1));
		const enum element element =
			(enum element)(number / (FAMILY_TRSM + 1) % ELEMENT_BLAS_COUNT);
		if (level3_exists(family, element))
			check_case(family, element);
	}
}

/* Whether the family's routine comes from the opened library, with its width of integers. */
static void expect_found(enum family family, enum element element, void *library, bool wide)
{
	char name[SYMBOL_NAME_BYTES];
	const int symbol = fortran_symbol(family, element);
	const struct cpu_routine routine = cpu_find_family(symbol, family, element, caller());
	snprintf(name, sizeof name, "%s", symbol_table[symbol].name);
	void *code = dlsym(library, name);
	cr_assert(code == routine.code, "%s", name);
	cr_assert(code != NULL || family == FAMILY_GEMM3M || family == FAMILY_GEMMT, "%s", name);
	cr_assert(code == NULL || routine.wide == wide, "%s", name);
}

struct provider {
	char name[32];
	bool wide;
};

ParameterizedTestParameters(cpu_finish, by_library)
{
	static struct provider providers[] = {
		{"libblas.so.3", false},  {"libopenblas.so.0", false},  {"libblis.so.4", false},
		{"libblas64.so.3", true}, {"libopenblas64.so.0", true}, {"libblis64.so.4", true}};
	return cr_make_param_array(struct provider, providers,
	                           sizeof providers / sizeof providers[0]);
}

ParameterizedTest(struct provider *provider, cpu_finish, by_library)
{
	void *handle = dlopen(provider->name, RTLD_NOW | RTLD_GLOBAL);
	if (handle == NULL)
		cr_skip("no %s: %s", provider->name, dlerror());
	configure("libnowhere.so");
	for (int family = FAMILY_GEMM; family <= (int)FAMILY_TRSM; family++)
		for (int element = ELEMENT_S; element < (int)ELEMENT_BLAS_COUNT; element++)
			if (level3_exists((enum family)family, (enum element)element))
				expect_found((enum family)family, (enum element)element, handle,
				             provider->wide);
	check_cases();
}

Test(cpu_finish, without_a_library)
{
	configure("libnowhere.so");
	cr_assert_null(cpu_find_family(SYMBOL_dgemm_, FAMILY_SYRK, ELEMENT_D, caller()).code);
	check_cases();
}

/* SciPy's libraries have no name in common with another library. */
Test(cpu_finish, in_the_spelling_of_the_call)
{
	const double a = 3;
	double c = 5;
	const struct call call = {.symbol = SYMBOL_scipy_cblas_dsyrk64_,
	                          .family = FAMILY_SYRK,
	                          .element = ELEMENT_D,
	                          .blas = {.uplo = UPLO_LOWER,
	                                   .m = 1,
	                                   .n = 1,
	                                   .k = 1,
	                                   .lda = 1,
	                                   .ldc = 1,
	                                   .a = &a,
	                                   .c = &c,
	                                   .alpha = {2},
	                                   .beta = {10}}};
	void *handle = dlopen(UNIT_SPELLING, RTLD_NOW | RTLD_GLOBAL);
	cr_assert_not_null(handle, "%s", dlerror());
	configure("libnowhere.so");
	cpu_finish_region(&call, caller(), (struct panel_span){0, 1}, (struct panel_span){0, 1});
	cr_expect_eq(c, 68);
	cr_expect_eq(*(int64_t *)dlsym(handle, "spelling_n"), 1);
	cr_expect_eq(*(int64_t *)dlsym(handle, "spelling_k"), 1);
	cr_expect_eq(*(char *)dlsym(handle, "spelling_uplo"), 'L');
}

/*
 * Two columns that are further apart than 32 bits: by the library where it has 64-bit integers,
 * else by plain loops.
 */
ParameterizedTestParameters(cpu_finish, far_columns)
{
	static struct provider providers[] = {{"libblas.so.3", false},
	                                      {"libopenblas64.so.0", true}};
	return cr_make_param_array(struct provider, providers,
	                           sizeof providers / sizeof providers[0]);
}

ParameterizedTest(struct provider *provider, cpu_finish, far_columns)
{
	const int64_t far = ((int64_t)1 << 32) + 8;
	const double a[2] = {2, 3}, b[2] = {5, 7};
	double *c = mmap(NULL, (size_t)(far + 2) * sizeof *c, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (dlopen(provider->name, RTLD_NOW | RTLD_GLOBAL) == NULL)
		cr_skip("no %s: %s", provider->name, dlerror());
	if (c == MAP_FAILED)
		cr_skip("no 32 GB of address space");
	configure("libnowhere.so");
	const struct call call = {.symbol = SYMBOL_dgemm_,
	                          .family = FAMILY_GEMM,
	                          .element = ELEMENT_D,
	                          .blas = {.m = 2,
	                                   .n = 2,
	                                   .k = 1,
	                                   .lda = 2,
	                                   .ldb = 1,
	                                   .ldc = far,
	                                   .a = a,
	                                   .b = b,
	                                   .c = c,
	                                   .alpha = {1}}};
	cpu_finish_region(&call, caller(), (struct panel_span){1, 1}, (struct panel_span){0, 2});
	cr_expect(c[0] == 0 && c[1] == 15 && c[far] == 0 && c[far + 1] == 21);
}
