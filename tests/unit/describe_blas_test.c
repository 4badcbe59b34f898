/* describe_blas_test.c - BLAS arguments -> struct call */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "shim/describe/describe_blas.h"

struct f77 {
	const char *transa, *transb;
	int32_t m, n, k, lda, ldb, ldc;
	double alpha, beta;
	const double *a, *b;
	double *c;
};

static double array[4096];

/* A legal call on disjoint operands. */
static struct f77 legal(void)
{
	return (struct f77){"N", "N", 3, 4, 5, 3, 5, 3, 1, 0, array, array + 1000, array + 2000};
}

static struct call describe(const struct f77 *g)
{
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_D};
	describe_f77_GEMM(&call, false, g->transa, g->transb, &g->m, &g->n, &g->k, &g->alpha, g->a,
	                  &g->lda, g->b, &g->ldb, &g->beta, g->c, &g->ldc);
	return call;
}

static enum reason defect(const struct f77 *g)
{
	return describe(g).defect;
}

Test(describe_blas, sizes_and_work)
{
	struct f77 g = legal();
	struct call call = describe(&g);
	cr_assert_eq(call.defect, REASON_NONE);
	cr_assert_eq(call.size_bytes, (3 * 5 + 5 * 4 + 3 * 4) * 8);
	cr_assert_eq(call.input_bytes, (3 * 5 + 5 * 4) * 8, "beta is zero: C is not an input");
	cr_assert_eq(call.output_bytes, 3 * 4 * 8);
	cr_assert_float_eq(call.work_flops, 2.0 * 3 * 4 * 5, 0);
	g.beta = 0.5;
	call = describe(&g);
	cr_assert_eq(call.input_bytes, call.size_bytes);
}

Test(describe_blas, each_illegal_argument)
{
	struct f77 g = legal();
	g.transa = "X";
	cr_assert_eq(defect(&g), REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.transb = "";
	cr_assert_eq(defect(&g), REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.m = -1;
	cr_assert_eq(defect(&g), REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.n = -1;
	cr_assert_eq(defect(&g), REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.k = -1;
	cr_assert_eq(defect(&g), REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.lda = 2;
	cr_assert_eq(defect(&g), REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.ldb = 4;
	cr_assert_eq(defect(&g), REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.ldc = 2;
	cr_assert_eq(defect(&g), REASON_ILLEGAL_ARGUMENT);
	g = legal(), g.m = 0, g.lda = 0;
	cr_assert_eq(defect(&g), REASON_ILLEGAL_ARGUMENT,
	             "an empty call with a bad lda is still illegal");
	g = legal(), g.transa = "T", g.lda = 4;
	cr_assert_eq(defect(&g), REASON_ILLEGAL_ARGUMENT, "A has k rows when it is transposed");
}

Test(describe_blas, letters_in_both_cases)
{
	struct f77 g = legal();
	g.transa = "no transpose", g.transb = "c", g.ldb = 4;
	const struct call call = describe(&g);
	cr_assert_eq(call.defect, REASON_NONE);
	cr_assert_eq(call.blas.transa, TRANSPOSE_N);
	cr_assert_eq(call.blas.transb, TRANSPOSE_C);
}

Test(describe_blas, empty_calls_read_nothing)
{
	struct f77 g = legal();
	g.m = 0, g.a = NULL, g.b = NULL, g.c = NULL;
	cr_assert_eq(defect(&g), REASON_QUICK_RETURN);
	g = legal(), g.k = 0;
	cr_assert_eq(defect(&g), REASON_QUICK_RETURN);
	g = legal(), g.alpha = 0;
	cr_assert_eq(defect(&g), REASON_QUICK_RETURN);
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_Z};
	const int32_t zero = 0, one = 1;
	describe_f77_GEMM(&call, false, "N", "N", &zero, &one, &one, NULL, NULL, &one, NULL, &one,
	                  NULL, NULL, &one);
	cr_assert_eq(call.defect, REASON_QUICK_RETURN, "alpha and beta are not read either");
}

Test(describe_blas, overlap)
{
	struct f77 g = legal();
	g.b = g.a, g.ldb = 5, g.lda = 5, g.m = 3;
	cr_assert_eq(defect(&g), REASON_NONE, "A may be B");
	g = legal(), g.c = array + 7;
	cr_assert_eq(defect(&g), REASON_OVERLAP);
	/* Rows 0-2 and rows 4-6 of one matrix with ld 10. */
	g = legal(), g.lda = g.ldc = 10, g.c = array + 4;
	cr_assert_eq(defect(&g), REASON_NONE, "interleaved blocks share no element");
	g.c = array + 2;
	cr_assert_eq(defect(&g), REASON_OVERLAP, "row 2 is in both");
	g.c = array + 8;
	cr_assert_eq(defect(&g), REASON_OVERLAP,
	             "rows 8, 9 and 10, which is row 0 of the next column");
	g.c = (double *)((char *)array + 36);
	cr_assert_eq(defect(&g), REASON_OVERLAP, "half an element apart");
}

Test(describe_blas, row_major_is_the_exchanged_column_major)
{
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_D};
	const double alpha = 2, beta = 3;
	describe_cblas_GEMM(&call, false, 101, 111, 112, 3, 4, 5, &alpha, array, 6, array + 1000, 7,
	                    &beta, array + 2000, 8);
	const struct blas_call *g = &call.blas;
	cr_assert_eq(call.defect, REASON_NONE);
	cr_assert(g->m == 4 && g->n == 3 && g->k == 5);
	cr_assert(g->a == array + 1000 && g->b == array && g->lda == 7 && g->ldb == 6 &&
	          g->ldc == 8);
	cr_assert(g->transa == TRANSPOSE_T && g->transb == TRANSPOSE_N);
	cr_assert(g->alpha[0] == 2 && g->beta[0] == 3);
	describe_cblas_GEMM(&call, false, 100, 111, 112, 3, 4, 5, &alpha, array, 6, array, 7, &beta,
	                    array + 2000, 8);
	cr_assert_eq(call.defect, REASON_ILLEGAL_ARGUMENT, "no such order");
	describe_cblas_GEMM(&call, false, 102, 114, 111, 3, 4, 5, &alpha, array, 6, array, 7, &beta,
	                    array + 2000, 8);
	cr_assert_eq(call.defect, REASON_ILLEGAL_ARGUMENT, "not every library knows ConjNoTrans");
}

Test(describe_blas, width_of_integers)
{
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_D};
	const double one = 1;
	const int64_t huge = (int64_t)1 << 32 | 3, small = 4;
	describe_f77_GEMM(&call, true, "N", "N", &huge, &small, &small, &one, NULL, &huge, NULL,
	                  &small, &one, (void *)((uintptr_t)1 << 60), &huge);
	cr_assert_eq(call.blas.m, huge);
	cr_assert_eq(call.blas.ldc, huge);
	/* 32-bit integers by value arrive in registers whose upper half is undefined. */
	const blas_wide dirty = (blas_wide)0x7777777700000000;
	describe_cblas_GEMM(&call, false, 102, 111, 111, dirty | 3, dirty | 4, dirty | 5, &one,
	                    array, dirty | 3, array, dirty | 5, &one, array + 2000, dirty | 3);
	cr_assert(call.blas.m == 3 && call.blas.n == 4 && call.blas.k == 5 && call.blas.ldc == 3);
}

Test(describe_blas, sizes_saturate)
{
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_Z};
	const double scalar[2] = {1, 1};
	const int64_t n = (int64_t)1 << 40;
	describe_f77_GEMM(&call, true, "N", "N", &n, &n, &n, scalar, NULL, &n, NULL, &n, scalar,
	                  NULL, &n);
	cr_assert_eq(call.size_bytes, UINT64_MAX);
}
