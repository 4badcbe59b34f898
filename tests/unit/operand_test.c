/* operand_test.c - shapes of operands, flops by family, overlap of extents */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/call/operand.h"

static const struct blas_call general = {.transa = TRANSPOSE_T,
                                         .transb = TRANSPOSE_N,
                                         .m = 3,
                                         .n = 4,
                                         .k = 5,
                                         .lda = 50,
                                         .ldb = 60,
                                         .ldc = 70};

static void expect_matrix(enum family family, enum operand operand, int64_t rows, int64_t columns,
                          int64_t ld)
{
	struct matrix matrix;
	cr_assert(operand_find(family, &general, operand, &matrix));
	cr_expect_eq(matrix.rows, rows);
	cr_expect_eq(matrix.columns, columns);
	cr_expect_eq(matrix.ld, ld);
}

Test(operand, shapes_as_stored)
{
	struct matrix none;
	expect_matrix(FAMILY_GEMM, OPERAND_A, 5, 3, 50);
	expect_matrix(FAMILY_GEMM, OPERAND_B, 5, 4, 60);
	expect_matrix(FAMILY_GEMM, OPERAND_C, 3, 4, 70);
	expect_matrix(FAMILY_SYMM, OPERAND_A, 5, 5, 50);
	expect_matrix(FAMILY_SYMM, OPERAND_B, 3, 4, 60);
	expect_matrix(FAMILY_TRSM, OPERAND_A, 5, 5, 50);
	expect_matrix(FAMILY_TRSM, OPERAND_C, 3, 4, 70);
	expect_matrix(FAMILY_SYRK, OPERAND_A, 5, 3, 50);
	expect_matrix(FAMILY_SYR2K, OPERAND_B, 4, 5, 60);
	cr_expect_not(operand_find(FAMILY_SYRK, &general, OPERAND_B, &none));
	cr_expect_not(operand_find(FAMILY_TRMM, &general, OPERAND_B, &none));
	cr_expect(operand_is_triangle(FAMILY_GEMMT) && operand_is_triangle(FAMILY_HER2K));
	cr_expect_not(operand_is_triangle(FAMILY_GEMM) || operand_is_triangle(FAMILY_TRMM));
}

/*
 * Counted one by one on small sizes: 2 m n k, and for triangles the products of their elements
 * only.
 */
Test(operand, flops)
{
	const struct blas_call square = {.m = 4, .n = 4, .k = 5}, left = {.m = 3, .n = 4, .k = 3};
	cr_expect_float_eq(operand_count_flops(FAMILY_GEMM, ELEMENT_D, &general), 2 * 3 * 4 * 5, 0);
	cr_expect_float_eq(operand_count_flops(FAMILY_GEMM, ELEMENT_C, &general), 8 * 3 * 4 * 5, 0);
	cr_expect_float_eq(operand_count_flops(FAMILY_SYRK, ELEMENT_S, &square), 10 * 2 * 5, 0);
	cr_expect_float_eq(operand_count_flops(FAMILY_GEMMT, ELEMENT_S, &square), 10 * 2 * 5, 0);
	cr_expect_float_eq(operand_count_flops(FAMILY_HER2K, ELEMENT_Z, &square), 10 * 4 * 5 * 4,
	                   0);
	cr_expect_float_eq(operand_count_flops(FAMILY_SYMM, ELEMENT_D, &left), 2 * 3 * 3 * 4, 0);
	cr_expect_float_eq(operand_count_flops(FAMILY_TRSM, ELEMENT_D, &left), 3 * 3 * 4, 0);
	cr_expect_float_eq(operand_count_flops(FAMILY_FFT_C2C, ELEMENT_Z, &general), 0, 0);
}

Test(operand, bytes_beyond_64_bits)
{
	const struct matrix huge = {NULL, INT64_MAX, INT64_MAX, INT64_MAX}, small = {NULL, 3, 4, 9};
	cr_expect_eq(operand_size_bytes(&huge, ELEMENT_S), UINT64_MAX);
	cr_expect_eq(operand_size_bytes(&small, ELEMENT_Z), 3 * 4 * 16);
	cr_expect_eq(operand_add_bytes(UINT64_MAX, 1), UINT64_MAX);
	cr_expect_eq(operand_add_bytes(2, 3), 5);
}

Test(operand, overlap)
{
	static double array[1000];
	const struct matrix block = {array, 3, 4, 10};
	const struct matrix beside = {array + 3, 3, 4, 10}, under = {array + 2, 3, 4, 10};
	const struct matrix wrapped = {array + 8, 3, 4, 10}, other_ld = {array + 3, 3, 4, 11};
	const struct matrix odd = {(const char *)array + 28, 3, 4, 10},
			    after = {array + 33, 3, 4, 10};
	const struct matrix empty = {array + 1, 0, 4, 10};
	cr_expect(operand_overlaps(&block, &block, ELEMENT_D));
	cr_expect_not(operand_overlaps(&block, &beside, ELEMENT_D), "other rows of one matrix");
	cr_expect(operand_overlaps(&block, &under, ELEMENT_D));
	cr_expect(operand_overlaps(&under, &block, ELEMENT_D));
	cr_expect(operand_overlaps(&block, &wrapped, ELEMENT_D),
	          "its rows reach into the next column");
	cr_expect(operand_overlaps(&block, &other_ld, ELEMENT_D),
	          "may meet, and is not looked into");
	cr_expect(operand_overlaps(&block, &odd, ELEMENT_D));
	cr_expect_not(operand_overlaps(&block, &after, ELEMENT_D));
	cr_expect_not(operand_overlaps(&block, &empty, ELEMENT_D));
}
