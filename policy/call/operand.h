/* operand.h - the matrices of a level-3 call: how large, where, whether they meet; pure arithmetic */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_OPERAND_H
#define GPUSHIM_POLICY_CALL_OPERAND_H

#include "policy/call/call.h"

enum operand { OPERAND_A, OPERAND_B, OPERAND_C, OPERAND_COUNT };

/* As it is stored: columns of rows elements each, ld elements apart. */
struct matrix {
	const void *base;
	int64_t rows, columns, ld;
};

/*
 * One operand of one problem (of a batch: of any of its problems); false where the family has none
 * of that name.
 */
bool operand_find(enum family family, const struct blas_call *blas, enum operand operand,
                  struct matrix *matrix);

/* Whether B is A: the same elements in memory, stored alike. */
bool operand_b_is_a(enum family family, const struct blas_call *blas);

/* Whether only one triangle of C, blas->uplo, is read and written. */
bool operand_is_triangle(enum family family);

/* Multiplications and additions of one problem, after family.def. */
double operand_count_flops(enum family family, enum element element, const struct blas_call *blas);

/* Bytes of the elements, not of the gaps; UINT64_MAX where that does not fit. */
uint64_t operand_size_bytes(const struct matrix *matrix, enum element element);

/* x + y, UINT64_MAX where that does not fit. */
uint64_t operand_add_bytes(uint64_t x, uint64_t y);

/* From the first byte to the one past the last; equal where the matrix is empty. */
void operand_find_extent(const struct matrix *matrix, enum element element, uintptr_t *begin,
                         uintptr_t *end);

/*
 * Whether two matrices share a byte. Two blocks of one matrix (equal ld) may interleave without
 * doing so.
 */
bool operand_overlaps(const struct matrix *x, const struct matrix *y, enum element element);

#endif
