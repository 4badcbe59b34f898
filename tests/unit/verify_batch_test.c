/* verify_batch_test.c - batches compared problem by problem, and corrected in place */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "shim/execute/cpu/cpu.h"
#include "shim/execute/verify/verify_call.h"
#include "shim/table/symbol.h"

enum { BATCH_PROBLEMS = 5, BATCH_ORDER = 7 };

struct batch_case {
	struct call call;
	int64_t m[2], n[2], k[2], ld[2], size[2];
	double alpha[2], beta[2];
	double a[BATCH_PROBLEMS][BATCH_ORDER * BATCH_ORDER],
		b[BATCH_PROBLEMS][BATCH_ORDER * BATCH_ORDER];
	double c[BATCH_PROBLEMS][BATCH_ORDER * BATCH_ORDER];
	const void *a_list[BATCH_PROBLEMS], *b_list[BATCH_PROBLEMS];
	void *c_list[BATCH_PROBLEMS];
};

static struct batch_case batch;

static const void *caller(void)
{
	return (const void *)(uintptr_t)caller;
}

/* Without any library products are sums in plain loops. */
static void start(void)
{
	static struct options options;
	options_set_defaults(&options);
	cpu_configure(&options);
}

TestSuite(verify_batch, .init = start);

static double batch_draw(void)
{
	static uint64_t seed = 7;
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(int64_t)(seed >> 11) * 0x1p-52 - 1;
}

static void batch_fill(void)
{
	for (int p = 0; p < BATCH_PROBLEMS; p++) {
		for (int i = 0; i < BATCH_ORDER * BATCH_ORDER; i++) {
			batch.a[p][i] = batch_draw();
			batch.b[p][i] = batch_draw();
			batch.c[p][i] = batch_draw();
		}
		batch.a_list[p] = batch.a[p];
		batch.b_list[p] = batch.b[p];
		batch.c_list[p] = batch.c[p];
	}
}

/* Two groups, of 2 problems and of 3. */
static void batch_make_groups(void)
{
	batch_fill();
	for (int g = 0; g < 2; g++) {
		batch.m[g] = 4 + g;
		batch.n[g] = 3 + g;
		batch.k[g] = 5;
		batch.ld[g] = BATCH_ORDER;
		batch.size[g] = 2 + g;
		batch.alpha[g] = 1.5;
		batch.beta[g] = g;
	}
	batch.call = (struct call){.symbol = SYMBOL_dgemm_,
	                           .family = FAMILY_GEMM_BATCH,
	                           .element = ELEMENT_D,
	                           .batch = {.wide = true,
	                                     .letters = true,
	                                     .groups = 2,
	                                     .problems = BATCH_PROBLEMS,
	                                     .transa = "NN",
	                                     .transb = "TN",
	                                     .m = batch.m,
	                                     .n = batch.n,
	                                     .k = batch.k,
	                                     .alpha = batch.alpha,
	                                     .beta = batch.beta,
	                                     .lda = batch.ld,
	                                     .ldb = batch.ld,
	                                     .ldc = batch.ld,
	                                     .group_size = batch.size,
	                                     .a = batch.a_list,
	                                     .b = batch.b_list,
	                                     .c = batch.c_list}};
}

static void batch_make_strided(void)
{
	const int64_t apart = BATCH_ORDER * BATCH_ORDER;
	batch_fill();
	batch.call = (struct call){.symbol = SYMBOL_dgemm_,
	                           .family = FAMILY_GEMM_BATCH_STRIDED,
	                           .element = ELEMENT_D,
	                           .batch = {.strided = true,
	                                     .groups = 1,
	                                     .problems = BATCH_PROBLEMS,
	                                     .a = batch.a,
	                                     .b = batch.b,
	                                     .c = batch.c,
	                                     .stridea = apart,
	                                     .strideb = 0,
	                                     .stridec = apart,
	                                     .first = {.m = 4,
	                                               .n = 6,
	                                               .k = 3,
	                                               .lda = BATCH_ORDER,
	                                               .ldb = BATCH_ORDER,
	                                               .ldc = BATCH_ORDER,
	                                               .alpha = {-1},
	                                               .beta = {2}}}};
}

static void batch_compute(void)
{
	if (!cpu_compose_run(&batch.call, caller()))
		cpu_plain_run(&batch.call);
}

static enum reason batch_run(int problem, double error)
{
	static double before[BATCH_PROBLEMS][BATCH_ORDER * BATCH_ORDER],
		wanted[BATCH_PROBLEMS][BATCH_ORDER * BATCH_ORDER];
	struct verify *verify = verify_call_start(
		&(struct verify_request){.call = &batch.call, .caller = caller(), .code = &batch});
	cr_assert_not_null(verify);
	memcpy(before, batch.c, sizeof before);
	batch_compute();
	memcpy(wanted, batch.c, sizeof wanted);
	batch.c[problem][0] += error;
	const enum reason reason = verify_call_end(verify, NULL);
	for (int p = 0; p < BATCH_PROBLEMS; p++)
		for (int i = 0; i < BATCH_ORDER * BATCH_ORDER; i++)
			cr_assert_float_eq(batch.c[p][i], wanted[p][i], 1e-12,
			                   "problem %d, element %d", p, i);
	return reason;
}

Test(verify_batch, each_problem_is_compared)
{
	for (int problem = 0; problem < BATCH_PROBLEMS; problem++) {
		batch_make_groups();
		cr_expect_eq(batch_run(problem, 0), REASON_NONE);
		batch_make_groups();
		cr_expect_eq(batch_run(problem, 1e-3), REASON_VERIFY_FAILED, "problem %d", problem);
		batch_make_strided();
		cr_expect_eq(batch_run(problem, 0), REASON_NONE);
		batch_make_strided();
		cr_expect_eq(batch_run(problem, 1e-3), REASON_VERIFY_FAILED, "problem %d", problem);
	}
}

/* Measured together, a problem of large numbers would hide the error of one of small numbers. */
Test(verify_batch, a_small_problem_beside_large_ones)
{
	batch_make_strided();
	for (int i = 0; i < BATCH_ORDER * BATCH_ORDER; i++) {
		batch.a[0][i] *= 1e20;
		batch.c[0][i] *= 1e20;
	}
	struct verify *verify = verify_call_start(
		&(struct verify_request){.call = &batch.call, .caller = caller(), .code = &batch});
	batch_compute();
	batch.c[3][0] += 1e-3;
	cr_expect_eq(verify_call_end(verify, NULL), REASON_VERIFY_FAILED);
}
