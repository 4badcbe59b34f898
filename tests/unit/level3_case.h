/* level3_case.h - random level-3 calls, with guards on what must not be read or written */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_UNIT_LEVEL3_CASE_H
#define GPUSHIM_TESTS_UNIT_LEVEL3_CASE_H

#include <math.h>
#include <string.h>

#include "policy/plan/panels.h"
#include "shim/execute/cpu/cpu.h"

enum {
	LEVEL3_GAP = 3,
	LEVEL3_ORDER = 24,
	LEVEL3_BYTES = (LEVEL3_ORDER + LEVEL3_GAP) * LEVEL3_ORDER * 16
};

/*
 * A call on a, b, c, and the expected c. Gaps and elements that the family does not reference are
 * NaN.
 */
struct level3_case {
	struct call call;
	_Alignas(16) char a[LEVEL3_BYTES], b[LEVEL3_BYTES], c[LEVEL3_BYTES], wanted[LEVEL3_BYTES];
};

/* From 0 to bound - 1. */
static inline int level3_draw(uint64_t *seed, int bound)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (int)((*seed >> 33) % (uint64_t)bound);
}

static inline bool level3_is_single(enum element element)
{
	return element == ELEMENT_S || element == ELEMENT_C;
}

static inline int level3_parts(enum element element)
{
	return element_is_complex(element) ? 2 : 1;
}

/* The real or the imaginary part of an element. */
static inline double level3_read(enum element element, const void *base, int64_t index, int part)
{
	const int64_t at = index * level3_parts(element) + part;
	return level3_is_single(element) ? (double)((const float *)base)[at]
	                                 : ((const double *)base)[at];
}

static inline void level3_write(enum element element, void *base, int64_t index, int part,
                                double value)
{
	const int64_t at = index * level3_parts(element) + part;
	if (level3_is_single(element))
		((float *)base)[at] = (float)value;
	else
		((double *)base)[at] = value;
}

/* Whether the family references this element of an operand, or (part 1) its imaginary part. */
static inline bool level3_means(const struct call *call, enum operand operand, int64_t row,
                                int64_t column, int part)
{
	const bool square = operand == OPERAND_A &&
	                    (call->family == FAMILY_SYMM || call->family == FAMILY_HEMM ||
	                     family_is_in_place(call->family));
	const bool stored = call->blas.uplo == UPLO_UPPER ? row <= column : row >= column;
	if (operand == OPERAND_C)
		return stored || !operand_is_triangle(call->family);
	if (square && row == column && family_is_in_place(call->family))
		return call->blas.diag == DIAG_NON_UNIT;
	if (square && row == column && call->family == FAMILY_HEMM)
		return part == 0;
	return stored || !square;
}

/* Small off the diagonal and large on it, so that systems are well conditioned. */
static inline double level3_draw_value(uint64_t *seed, bool diagonal)
{
	return diagonal ? (level3_draw(seed, 2) ? 1.5 : -2) : (level3_draw(seed, 9) - 4) / 8.0;
}

static inline void level3_fill(struct level3_case *test, enum operand operand, uint64_t *seed)
{
	const struct call *call = &test->call;
	char *const memory[OPERAND_COUNT] = {test->a, test->b, test->c};
	const bool in_place = family_is_in_place(call->family);
	const bool zero = call->blas.alpha[0] == 0 && call->blas.alpha[1] == 0;
	const bool beta_zero = call->blas.beta[0] == 0 && call->blas.beta[1] == 0;
	struct matrix matrix;
	memset(memory[operand], 0xff, LEVEL3_BYTES);
	const bool unread = operand == OPERAND_C && !in_place ? beta_zero : zero;
	if (unread || !operand_find(call->family, &call->blas, operand, &matrix))
		return;
	for (int64_t j = 0; j < matrix.columns; j++)
		for (int64_t i = 0; i < matrix.rows; i++)
			for (int part = 0; part < level3_parts(call->element); part++)
				if (level3_means(call, operand, i, j, part))
					level3_write(call->element, memory[operand],
					             i + j * matrix.ld, part,
					             level3_draw_value(seed, i == j && part == 0));
}

static inline void level3_draw_scalar(uint64_t *seed, bool real, double scalar[2])
{
	static const double value[] = {0, 1, -1, 2, -0.5, 1.25};
	scalar[0] = value[level3_draw(seed, 6)];
	scalar[1] = real || level3_draw(seed, 2) ? 0 : value[level3_draw(seed, 6)];
}

/* Sizes from 1 (k also from 0) to order; shapes, flags and scalars that the family has. */
static inline void level3_draw_sizes(struct call *call, int order, uint64_t *seed)
{
	struct blas_call *blas = &call->blas;
	const bool square = call->family == FAMILY_SYMM || call->family == FAMILY_HEMM;
	blas->m = 1 + level3_draw(seed, order);
	blas->n = operand_is_triangle(call->family) ? blas->m : 1 + level3_draw(seed, order);
	blas->k = level3_draw(seed, order + 1);
	if (square || family_is_in_place(call->family)) {
		blas->side = (enum side)level3_draw(seed, 2);
		blas->k = blas->side == SIDE_LEFT ? blas->m : blas->n;
	}
	blas->uplo = (enum uplo)level3_draw(seed, 2);
	if (family_is_in_place(call->family))
		blas->diag = (enum diag)level3_draw(seed, 2);
}

static inline void level3_draw_flags(struct call *call, uint64_t *seed)
{
	struct blas_call *blas = &call->blas;
	const bool hermitian = call->family == FAMILY_HERK || call->family == FAMILY_HER2K;
	const bool update = operand_is_triangle(call->family) && call->family != FAMILY_GEMMT;
	const bool turned = level3_draw(seed, 2);
	const enum transpose any[] = {TRANSPOSE_N, TRANSPOSE_T, TRANSPOSE_C};
	if (update)
		blas->transa = !turned ? TRANSPOSE_N : hermitian ? TRANSPOSE_C : TRANSPOSE_T;
	else if (call->family != FAMILY_SYMM && call->family != FAMILY_HEMM)
		blas->transa = any[level3_draw(seed, 3)];
	if (update)
		blas->transb = call->family == FAMILY_SYR2K || call->family == FAMILY_HER2K
		                       ? blas->transa
		                       : TRANSPOSE_N;
	else if (call->family == FAMILY_GEMM || call->family == FAMILY_GEMM3M ||
	         call->family == FAMILY_GEMMT)
		blas->transb = any[level3_draw(seed, 3)];
	const bool real = !element_is_complex(call->element);
	level3_draw_scalar(seed, real || call->family == FAMILY_HERK, blas->alpha);
	if (!family_is_in_place(call->family))
		level3_draw_scalar(seed, real || hermitian, blas->beta);
}

/* A call of family with element, of at most this order. */
static inline void level3_make(struct level3_case *test, enum family family, enum element element,
                               int order, uint64_t *seed)
{
	struct call *call = &test->call;
	int64_t *const ld[OPERAND_COUNT] = {&call->blas.lda, &call->blas.ldb, &call->blas.ldc};
	struct matrix matrix;
	*call = (struct call){.family = family, .element = element};
	level3_draw_sizes(call, order, seed);
	level3_draw_flags(call, seed);
	call->blas.a = test->a;
	call->blas.b = test->b;
	call->blas.c = test->c;
	for (enum operand operand = OPERAND_A; operand < OPERAND_COUNT; operand++) {
		if (operand_find(family, &call->blas, operand, &matrix))
			*ld[operand] = (matrix.rows > 0 ? matrix.rows : 1) +
			               level3_draw(seed, LEVEL3_GAP + 1);
		level3_fill(test, operand, seed);
	}
	memcpy(test->wanted, test->c, LEVEL3_BYTES);
	struct call whole = *call;
	whole.blas.c = test->wanted;
	cpu_plain_run(&whole);
}

/* Whether the family exists for the element: Hermitian ones and gemm3m are complex. */
static inline bool level3_exists(enum family family, enum element element)
{
	const bool complex_only = family == FAMILY_HEMM || family == FAMILY_HERK ||
	                          family == FAMILY_HER2K || family == FAMILY_GEMM3M;
	return family <= FAMILY_TRSM && (element_is_complex(element) || !complex_only);
}

/* Whether an element of c is as expected. */
static inline bool level3_is_right(const struct level3_case *test, int64_t row, int64_t column)
{
	const enum element element = test->call.element;
	const int64_t index = row + column * test->call.blas.ldc;
	const double tolerance = level3_is_single(element) ? 1e-4 : 1e-11;
	bool right = true;
	for (int part = 0; part < level3_parts(element); part++) {
		const double wanted = level3_read(element, test->wanted, index, part);
		right = right && fabs(level3_read(element, test->c, index, part) - wanted) <=
		                         tolerance * (1 + fabs(wanted));
	}
	return right;
}

/*
 * Whether c is as expected: close inside the rectangle, where the family writes it; byte for byte
 * as before elsewhere, also in gaps and after the matrix.
 */
static inline bool level3_holds(const struct level3_case *test, struct panel_span row,
                                struct panel_span column, const char *before)
{
	const struct blas_call *blas = &test->call.blas;
	const int64_t size_bytes = (int64_t)element_size_bytes(test->call.element);
	for (int64_t index = 0; index < LEVEL3_BYTES / size_bytes; index++) {
		const int64_t i = index % blas->ldc, j = index / blas->ldc;
		const bool inside = i >= row.begin && i < row.begin + row.count &&
		                    j >= column.begin && j < column.begin + column.count &&
		                    level3_means(&test->call, OPERAND_C, i, j, 0);
		if (inside ? !level3_is_right(test, i, j)
		           : memcmp(test->c + index * size_bytes, before + index * size_bytes,
		                    (size_t)size_bytes) != 0)
			return false;
	}
	return true;
}

#endif
