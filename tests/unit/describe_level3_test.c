/* describe_level3_test.c - flags, row-major forms, legality and work of the families beside gemm */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "shim/describe/describe_blas.h"

enum { ROW = 101, COLUMN, N = 111, T, C, U = 121, L, NON_UNIT = 131, UNIT, LEFT = 141, RIGHT };

static double array[4096];
static const double one[2] = {1, 2}, half[2] = {0.5, 0.25};

static struct call start(enum family family, enum element element)
{
	return (struct call){.family = family, .element = element};
}

static struct call cblas_symm(int order, int side, int uplo, int m, int n, int lda, int ldb,
                              int ldc)
{
	struct call call = start(FAMILY_SYMM, ELEMENT_D);
	describe_cblas_SYMM(&call, false, order, side, uplo, m, n, one, array, lda, array + 1000,
	                    ldb, half, array + 2000, ldc);
	return call;
}

Test(describe_level3, row_major_symm_flips_side_and_triangle)
{
	const struct call call = cblas_symm(ROW, LEFT, U, 3, 4, 3, 4, 4);
	const struct blas_call *s = &call.blas;
	cr_assert_eq(call.defect, REASON_NONE);
	cr_expect(s->side == SIDE_RIGHT && s->uplo == UPLO_LOWER && s->m == 4 && s->n == 3 &&
	          s->k == 3);
	cr_expect_eq(call.size_bytes, (9 + 12 + 12) * 8);
	cr_expect_float_eq(call.work_flops, 2.0 * 3 * 3 * 4, 0);
	cr_expect_eq(cblas_symm(ROW, LEFT, U, 3, 4, 3, 3, 4).defect, REASON_ILLEGAL_ARGUMENT,
	             "ldb counts a row");
	cr_expect_eq(cblas_symm(COLUMN, LEFT, U, 3, 4, 3, 3, 3).defect, REASON_NONE);
	cr_expect_eq(cblas_symm(COLUMN, RIGHT, U, 3, 4, 3, 3, 3).defect, REASON_ILLEGAL_ARGUMENT,
	             "A is of order 4");
	cr_expect_eq(cblas_symm(0, LEFT, U, 3, 4, 9, 9, 9).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(cblas_symm(ROW, 143, U, 3, 4, 9, 9, 9).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(cblas_symm(ROW, LEFT, 0, 3, 4, 9, 9, 9).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(cblas_symm(ROW, LEFT, U, 0, 4, 9, 9, 9).defect, REASON_QUICK_RETURN);
}

static struct call cblas_update(enum family family, enum element element, int order, int trans)
{
	struct call call = start(family, element);
	if (family == FAMILY_SYRK || family == FAMILY_HERK)
		describe_cblas_SYRK(&call, false, order, U, trans, 3, 4, one, array, 9, half,
		                    array + 2000, 9);
	else
		describe_cblas_SYR2K(&call, false, order, U, trans, 3, 4, one, array, 9,
		                     array + 1000, 9, half, array + 2000, 9);
	return call;
}

/* The transposition that a row-major update is converted to; -1 where it is illegal. */
static int turned(enum family family, enum element element, int trans)
{
	const struct call call = cblas_update(family, element, ROW, trans);
	return call.defect == REASON_NONE ? (int)call.blas.transa : -1;
}

Test(describe_level3, row_major_updates_turn_their_transposition)
{
	cr_expect_eq(turned(FAMILY_SYRK, ELEMENT_D, N), TRANSPOSE_T);
	cr_expect_eq(turned(FAMILY_SYRK, ELEMENT_D, T), TRANSPOSE_N);
	cr_expect_eq(turned(FAMILY_SYRK, ELEMENT_D, C), TRANSPOSE_N, "the same for reals");
	cr_expect_eq(turned(FAMILY_SYRK, ELEMENT_Z, T), TRANSPOSE_N);
	cr_expect_eq(turned(FAMILY_SYRK, ELEMENT_Z, C), -1);
	cr_expect_eq(turned(FAMILY_HERK, ELEMENT_Z, N), TRANSPOSE_C);
	cr_expect_eq(turned(FAMILY_HERK, ELEMENT_Z, C), TRANSPOSE_N);
	cr_expect_eq(turned(FAMILY_HERK, ELEMENT_Z, T), -1);
	cr_expect_eq(turned(FAMILY_HER2K, ELEMENT_C, N), TRANSPOSE_C);
	cr_expect_eq(turned(FAMILY_SYR2K, ELEMENT_C, C), -1);
	cr_expect_eq(cblas_update(FAMILY_SYRK, ELEMENT_D, ROW, N).blas.uplo, UPLO_LOWER);
	cr_expect_eq(cblas_update(FAMILY_SYRK, ELEMENT_D, COLUMN, N).blas.uplo, UPLO_UPPER);
}

Test(describe_level3, scalars_are_real_where_the_routine_says_so)
{
	const struct call herk = cblas_update(FAMILY_HERK, ELEMENT_Z, COLUMN, N);
	const struct call her2k = cblas_update(FAMILY_HER2K, ELEMENT_Z, COLUMN, N);
	const struct call turned_her2k = cblas_update(FAMILY_HER2K, ELEMENT_Z, ROW, N);
	const struct call syr2k = cblas_update(FAMILY_SYR2K, ELEMENT_Z, ROW, N);
	cr_expect(herk.blas.alpha[0] == 1 && herk.blas.alpha[1] == 0 && herk.blas.beta[1] == 0);
	cr_expect(her2k.blas.alpha[1] == 2 && her2k.blas.beta[0] == 0.5 && her2k.blas.beta[1] == 0);
	cr_expect_eq(turned_her2k.blas.alpha[1], -2,
	             "row-major: the conjugate belongs to the other product");
	cr_expect(syr2k.blas.alpha[1] == 2 && syr2k.blas.beta[1] == 0.25);
}

static struct call f77_trsm(const char *side, const char *uplo, const char *trans, const char *diag,
                            int ldb)
{
	struct call call = start(FAMILY_TRSM, ELEMENT_D);
	const int m = 3, n = 4, lda = 4;
	describe_f77_TRMM(&call, false, side, uplo, trans, diag, &m, &n, one, array, &lda,
	                  array + 1000, &ldb);
	return call;
}

Test(describe_level3, triangles)
{
	const struct call call = f77_trsm("right", "lower", "c", "u", 3);
	const struct blas_call *s = &call.blas;
	cr_assert_eq(call.defect, REASON_NONE);
	cr_expect(s->side == SIDE_RIGHT && s->uplo == UPLO_LOWER && s->transa == TRANSPOSE_C &&
	          s->diag == DIAG_UNIT);
	cr_expect(s->k == 4 && s->ldc == 3 && s->c == array + 1000);
	cr_expect_eq(call.input_bytes, call.size_bytes, "what is overwritten is read first");
	cr_expect_float_eq(call.work_flops, 3.0 * 4 * 4, 0);
	cr_expect_eq(f77_trsm("X", "l", "n", "n", 3).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(f77_trsm("l", "X", "n", "n", 3).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(f77_trsm("l", "l", "X", "n", 3).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(f77_trsm("l", "l", "n", "X", 3).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(f77_trsm("l", "l", "n", "n", 2).defect, REASON_ILLEGAL_ARGUMENT);
}

Test(describe_level3, triangle_that_overlaps_its_right_hand_side)
{
	struct call call = start(FAMILY_TRMM, ELEMENT_D);
	describe_cblas_TRMM(&call, false, ROW, LEFT, U, N, NON_UNIT, 3, 4, one, array, 3, array + 4,
	                    4);
	cr_expect_eq(call.defect, REASON_OVERLAP);
	describe_cblas_TRMM(&call, false, ROW, LEFT, U, N, NON_UNIT, 3, 4, one, array, 3, array + 9,
	                    4);
	cr_expect_eq(call.defect, REASON_NONE);
	cr_expect(call.blas.side == SIDE_RIGHT && call.blas.m == 4 && call.blas.n == 3 &&
	          call.blas.k == 3);
}

Test(describe_level3, row_major_gemmt_exchanges_operands_and_triangle)
{
	struct call call = start(FAMILY_GEMMT, ELEMENT_D);
	describe_cblas_GEMMT(&call, false, ROW, L, N, T, 3, 4, one, array, 4, array + 1000, 4, half,
	                     array + 2000, 3);
	cr_assert_eq(call.defect, REASON_NONE);
	cr_expect(call.blas.uplo == UPLO_UPPER && call.blas.transa == TRANSPOSE_T &&
	          call.blas.transb == TRANSPOSE_N);
	cr_expect(call.blas.a == array + 1000 && call.blas.b == array && call.blas.m == 3 &&
	          call.blas.n == 3);
	cr_expect_float_eq(call.work_flops, 3.0 * 4 * 4, 0);
}
