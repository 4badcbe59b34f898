/* batch_part_test.c - some problems of a batch: by a library's routine, or composed, or in loops */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <string.h>

#include "policy/call/batch.h"
#include "policy/plan/share.h"
#include "shim/execute/cpu/cpu.h"
#include "shim/execute/cpu/cpu_batch.h"
#include "shim/table/symbol.h"

enum { ORDER = 3, ITEMS = ORDER * ORDER, GROUPS = 3, PROBLEMS = 6 };

static double a[PROBLEMS * ITEMS], b[PROBLEMS * ITEMS], c[PROBLEMS * ITEMS];
static double wanted[PROBLEMS * ITEMS];
static const void *pointer[3][PROBLEMS];
static struct options options;
static const int *library_calls;

static const char letters[2][GROUPS + 1] = {"NTN", "NNT"};
static const int flags[2][GROUPS] = {{111, 112, 111}, {111, 111, 112}};
static const int32_t order[GROUPS] = {3, 3, 3}, half[GROUPS] = {3, 2, 3}, sizes[GROUPS] = {3, 0, 3};
static const double alpha[GROUPS] = {2, 1, 3}, beta[GROUPS] = {1, 0, 2};

static const void *caller(void)
{
	return (const void *)(uintptr_t)caller;
}

static struct call make_groups(bool exchange, bool listed)
{
	return (struct call){
		.symbol = symbol_find(listed ? "dgemm_batch_" : "dsymm_"),
		.family = FAMILY_GEMM_BATCH,
		.element = ELEMENT_D,
		.batch = {.letters = !exchange,
	                  .exchange = exchange,
	                  .groups = GROUPS,
	                  .problems = PROBLEMS,
	                  .transa = exchange ? (const void *)flags[0] : letters[0],
	                  .transb = exchange ? (const void *)flags[1] : letters[1],
	                  .m = order,
	                  .n = order,
	                  .k = half,
	                  .alpha = alpha,
	                  .lda = order,
	                  .ldb = order,
	                  .beta = beta,
	                  .ldc = order,
	                  .group_size = sizes,
	                  .a = pointer[0],
	                  .b = pointer[1],
	                  .c = pointer[2]},
	};
}

static void fill(void)
{
	for (int i = 0; i < PROBLEMS * ITEMS; i++) {
		a[i] = i * 37 % 19 - 9;
		b[i] = i * 53 % 17 - 8;
		c[i] = i * 71 % 23 - 11;
	}
	for (int i = 0; i < PROBLEMS; i++) {
		pointer[0][i] = a + i * ITEMS;
		pointer[1][i] = b + i * ITEMS;
		pointer[2][i] = c + i * ITEMS;
	}
}

static void start(void)
{
	void *library = dlopen(BATCH_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
	cr_assert_not_null(library, "%s", dlerror());
	library_calls = dlsym(library, "batch_library_calls");
	options_set_defaults(&options);
	cpu_configure(&options);
}

TestSuite(batch_part, .init = start);

/* Each part computes its own problems and nothing else; whole numbers make the sums exact. */
static void check(struct call call)
{
	fill();
	cpu_plain_run(&call);
	memcpy(wanted, c, sizeof wanted);
	for (int64_t begin = 0; begin < PROBLEMS; begin++)
		for (int64_t end = begin + 1; end <= PROBLEMS; end++) {
			fill();
			cpu_batch_run(&call, caller(), begin, end);
			for (int i = 0; i < PROBLEMS * ITEMS; i++) {
				const bool own = i / ITEMS >= begin && i / ITEMS < end;
				cr_assert_eq(c[i], own ? wanted[i] : i * 71 % 23 - 11,
				             "%d of %d to %d: %g", i, (int)begin, (int)end, c[i]);
			}
		}
}

Test(batch_part, groups_by_the_library)
{
	check(make_groups(false, true));
	cr_expect_gt(*library_calls, 0);
	check(make_groups(true, true));
}

/* With other integers than the library's, and without the routine, each problem is a gemm. */
Test(batch_part, groups_without_the_routine)
{
	check(make_groups(false, false));
	check(make_groups(true, false));
	cr_expect_eq(*library_calls, 0);
}

Test(batch_part, strided)
{
	struct call call = {.symbol = symbol_find("dsymm_"),
	                    .family = FAMILY_GEMM_BATCH_STRIDED,
	                    .element = ELEMENT_D,
	                    .batch = {.strided = true,
	                              .groups = 1,
	                              .problems = PROBLEMS,
	                              .a = a,
	                              .b = b,
	                              .c = c,
	                              .stridea = ITEMS,
	                              .stridec = ITEMS,
	                              .first = {.m = ORDER,
	                                        .n = ORDER,
	                                        .k = ORDER,
	                                        .lda = ORDER,
	                                        .ldb = ORDER,
	                                        .ldc = ORDER,
	                                        .alpha = {2, 0},
	                                        .beta = {3, 0}}}};
	check(call);
}

/* The work of problems, not their number, is divided; each side has at least one. */
Test(batch_part, division)
{
	static const int32_t large[GROUPS] = {3, 3, 6};
	struct share_problems cut;
	struct call call = make_groups(false, false);
	call.batch.k = call.batch.m = call.batch.n = large;
	cr_assert(share_cut_problems(&call, 0.5, &cut));
	cr_expect_eq(cut.device, 4);
	cr_expect_float_eq(cut.cpu_share, 16.0 / 27, 1e-12);
	cr_assert(share_cut_problems(&call, 0.01, &cut));
	cr_expect_eq(cut.device, PROBLEMS - 1);
	cr_assert(share_cut_problems(&call, 0.99, &cut));
	cr_expect_eq(cut.device, 1);
	call.batch.problems = 1;
	cr_expect_not(share_cut_problems(&call, 0.5, &cut));
}
