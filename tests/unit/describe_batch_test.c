/* describe_batch_test.c - batches in groups and strided: work, defects, problems */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/call/batch.h"
#include "shim/describe/describe_blas.h"

enum { ROW = 101, COLUMN };

static double pool[4096];

/* Two groups: two problems of 2 x 3 x 4, then one of 5 x 6 x 7 with A transposed. */
struct groups {
	char transa[2], transb[2];
	int m[2], n[2], k[2], lda[2], ldb[2], ldc[2], size[2], count;
	double alpha[2], beta[2];
	const double *a[3], *b[3];
	double *c[3];
};

static struct groups legal(void)
{
	return (struct groups){{'N', 't'},
	                       {'n', 'N'},
	                       {2, 5},
	                       {3, 6},
	                       {4, 7},
	                       {2, 7},
	                       {4, 7},
	                       {2, 5},
	                       {2, 1},
	                       2,
	                       {1, 2},
	                       {0, 3},
	                       {pool, pool, pool + 100},
	                       {pool + 200, pool + 300, pool + 400},
	                       {pool + 500, pool + 600, pool + 700}};
}

static struct call describe(const struct groups *g)
{
	struct call call = {.family = FAMILY_GEMM_BATCH, .element = ELEMENT_D};
	describe_f77_BATCH(&call, false, g->transa, g->transb, g->m, g->n, g->k, g->alpha, g->a,
	                   g->lda, g->b, g->ldb, g->beta, (void *)(uintptr_t)g->c, g->ldc,
	                   &g->count, g->size);
	return call;
}

Test(describe_batch, work_of_all_groups)
{
	const struct groups g = legal();
	const struct call call = describe(&g);
	cr_assert_eq(call.defect, REASON_NONE);
	cr_expect_eq(call.size_bytes, (2 * (2 * 4 + 4 * 3 + 2 * 3) + 5 * 7 + 7 * 6 + 5 * 6) * 8);
	cr_expect_eq(call.input_bytes, call.size_bytes - 2 * 2 * 3 * 8,
	             "beta is zero in the first group");
	cr_expect_float_eq(call.work_flops, 2.0 * (2 * 2 * 3 * 4 + 5 * 6 * 7), 0);
	cr_expect_eq(call.batch.problems, 3);
	cr_expect_eq(call.blas.m, 2, "the record shows the first problem's sizes");
}

Test(describe_batch, groups_one_by_one)
{
	const struct groups g = legal();
	const struct call call = describe(&g);
	struct batch_group group = {.next = 0};
	cr_assert(batch_next_group(&call.batch, ELEMENT_D, &group));
	cr_expect(group.first == 0 && group.count == 2 && group.blas.m == 2 &&
	          group.blas.alpha[0] == 1);
	cr_expect(batch_shares_operand(&call.batch, ELEMENT_D, &group, false),
	          "both problems have one A");
	cr_expect_not(batch_shares_operand(&call.batch, ELEMENT_D, &group, true));
	cr_assert(batch_next_group(&call.batch, ELEMENT_D, &group));
	cr_expect(group.first == 2 && group.count == 1 && group.blas.transa == TRANSPOSE_T &&
	          group.blas.beta[0] == 3);
	batch_point(&call.batch, ELEMENT_D, 2, &group.blas);
	cr_expect(group.blas.a == pool + 100 && group.blas.b == pool + 400 &&
	          group.blas.c == pool + 700);
	cr_expect_not(batch_next_group(&call.batch, ELEMENT_D, &group));
}

Test(describe_batch, defects)
{
	struct groups g = legal();
	g.lda[1] = 6;
	cr_expect_eq(describe(&g).defect, REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.transa[0] = 'x';
	cr_expect_eq(describe(&g).defect, REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.size[1] = -1;
	cr_expect_eq(describe(&g).defect, REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.count = -1;
	cr_expect_eq(describe(&g).defect, REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.count = 0;
	cr_expect_eq(describe(&g).defect, REASON_QUICK_RETURN);
	g = legal(), g.k[0] = 0;
	cr_expect_eq(describe(&g).defect, REASON_QUICK_RETURN, "the CPU library scales that group");
	g = legal(), g.size[0] = 0;
	cr_expect_eq(describe(&g).defect, REASON_NONE, "an empty group is no work");
	g = legal(), g.c[1] = g.c[0];
	cr_expect_eq(describe(&g).defect, REASON_OVERLAP);
	g = legal(), g.c[2] = pool;
	cr_expect_eq(describe(&g).defect, REASON_OVERLAP,
	             "the second group writes what the first reads");
}

static struct call strided(int order, int m, int n, int k, long stridea, long strideb, long stridec,
                           long count)
{
	struct call call = {.family = FAMILY_GEMM_BATCH_STRIDED, .element = ELEMENT_D};
	const double alpha = 1, beta = 0;
	describe_cblas_STRIDED(&call, false, order, 111, 111, m, n, k, &alpha, pool,
	                       order == ROW ? k : m, stridea, pool + 1000, order == ROW ? n : k,
	                       strideb, &beta, pool + 2000, order == ROW ? n : m, stridec, count);
	return call;
}

Test(describe_batch, strided)
{
	struct call call = strided(ROW, 2, 3, 4, 8, 0, 6, 5);
	struct blas_call fourth;
	cr_assert_eq(call.defect, REASON_NONE);
	cr_expect(call.blas.m == 3 && call.blas.n == 2, "row-major: the transposed problem");
	cr_expect_eq(call.size_bytes, 5 * (8 + 12 + 6) * 8);
	batch_point(&call.batch, ELEMENT_D, 3, &fourth);
	cr_expect(fourth.a == pool + 1000 && fourth.b == pool + 24 && fourth.c == pool + 2018);
	cr_expect_eq(strided(COLUMN, 2, 3, 4, 8, 12, 5, 5).defect, REASON_OVERLAP,
	             "results in each other's way");
	cr_expect_eq(strided(COLUMN, 2, 3, 4, 8, 12, 6, 0).defect, REASON_QUICK_RETURN);
	cr_expect_eq(strided(COLUMN, 2, 3, 4, 8, 12, 6, -1).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(strided(COLUMN, 2, -3, 4, 8, 12, 6, 1).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(strided(COLUMN, 2, 3, 4, -8, 12, 6, 5).defect, REASON_NONE,
	             "a stride may be negative");
}
