/* operand.h - the matrices of a level-3 call: sizes, addresses, overlap; pure arithmetic */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_OPERAND_H
#define GPUSHIM_POLICY_CALL_OPERAND_H

#include "policy/call/call.h"

enum operand { OPERAND_A, OPERAND_B, OPERAND_C, OPERAND_COUNT };

/* A matrix as it is stored: columns of rows elements each, ld elements apart. */
struct matrix {
	const void *base;
	int64_t rows, columns, ld;
};

/*
 * Finds one operand of a problem (of a batch: sizes of any of its problems). false where the family
 * has no such operand.
 */
bool operand_find(enum family family, const struct blas_call *blas, enum operand operand,
                  struct matrix *matrix);

/* Whether B is A: the same elements in memory, with equal sizes and leading dimensions. */
bool operand_b_is_a(enum family family, const struct blas_call *blas);

/* Whether only triangle uplo of C is read and written. */
bool operand_is_triangle(enum family family);

/*
 * Multiplications and additions of one problem, by the formula in family.def; a complex operation
 * counts four times.
 */
double operand_count_flops(enum family family, enum element element, const struct blas_call *blas);

/* Bytes of the elements without gaps between columns; UINT64_MAX on overflow. */
uint64_t operand_size_bytes(const struct matrix *matrix, enum element element);

/* x + y; UINT64_MAX on overflow. */
uint64_t operand_add_bytes(uint64_t x, uint64_t y);

/*
 * Addresses of the first byte and of the byte behind the last one; equal where the matrix is empty.
 */
void operand_find_extent(const struct matrix *matrix, enum element element, uintptr_t *begin,
                         uintptr_t *end);

/*
 * Whether two matrices share a byte. Two blocks of one matrix (equal ld) may have overlapping
 * extents and still share none.
 */
bool operand_overlaps(const struct matrix *x, const struct matrix *y, enum element element);

#endif
