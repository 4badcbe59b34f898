/* operand.c - the matrices of a level-3 call */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/call/operand.h"

#include <stddef.h>

/* The shapes of family.def. */
enum shape {
	SHAPE_NONE,
	SHAPE_MK,
	SHAPE_KN,
	SHAPE_NK,
	SHAPE_KK,
	SHAPE_MN,
	SHAPE_TRIANGLE,
	SHAPE_IN_PLACE
};

static const uint8_t operand_shape[FAMILY_COUNT][OPERAND_COUNT] = {
#define FAMILY(id, name, kind, conjugate, sizes, a, b, c, flops) {SHAPE_##a, SHAPE_##b, SHAPE_##c},
#include "policy/call/family.def"
};

static struct matrix operand_make(const void *base, int64_t rows, int64_t columns, int64_t ld,
                                  enum transpose transpose)
{
	if (transpose == TRANSPOSE_N)
		return (struct matrix){base, rows, columns, ld};
	return (struct matrix){base, columns, rows, ld};
}

bool operand_find(enum family family, const struct blas_call *blas, enum operand operand,
                  struct matrix *matrix)
{
	const void *const base[OPERAND_COUNT] = {blas->a, blas->b, blas->c};
	const int64_t ld[OPERAND_COUNT] = {blas->lda, blas->ldb, blas->ldc};
	const enum shape shape = operand_shape[family][operand];
	int64_t rows = blas->m, columns = blas->n;
	enum transpose transpose = TRANSPOSE_N;
	switch (shape) {
	case SHAPE_NONE: return false;
	case SHAPE_MK:
		columns = blas->k;
		transpose = blas->transa;
		break;
	case SHAPE_KN:
		rows = blas->k;
		transpose = blas->transb;
		break;
	case SHAPE_NK:
		rows = blas->n;
		columns = blas->k;
		transpose = blas->transb;
		break;
	case SHAPE_KK: rows = columns = blas->k; break;
	case SHAPE_MN:
	case SHAPE_TRIANGLE:
	case SHAPE_IN_PLACE: break;
	}
	*matrix = operand_make(base[operand], rows, columns, ld[operand], transpose);
	return true;
}

bool operand_b_is_a(enum family family, const struct blas_call *blas)
{
	struct matrix a, b;
	if (blas->a == NULL || blas->a != blas->b)
		return false;
	return operand_find(family, blas, OPERAND_A, &a) &&
	       operand_find(family, blas, OPERAND_B, &b) && a.ld == b.ld && a.rows == b.rows &&
	       a.columns == b.columns;
}

bool operand_is_triangle(enum family family)
{
	return operand_shape[family][OPERAND_C] == SHAPE_TRIANGLE;
}

double operand_count_flops(enum family family, enum element element, const struct blas_call *blas)
{
	const double m = (double)blas->m, n = (double)blas->n, k = (double)blas->k;
	const double work[FAMILY_COUNT] = {
#define FAMILY(id, name, kind, conjugate, sizes, a, b, c, flops) (flops),
#include "policy/call/family.def"
	};
	return work[family] * (element_is_complex(element) ? 4 : 1);
}

uint64_t operand_size_bytes(const struct matrix *matrix, enum element element)
{
	uint64_t elements, bytes;
	if (__builtin_mul_overflow((uint64_t)matrix->rows, (uint64_t)matrix->columns, &elements) ||
	    __builtin_mul_overflow(elements, element_size_bytes(element), &bytes))
		return UINT64_MAX;
	return bytes;
}

uint64_t operand_add_bytes(uint64_t x, uint64_t y)
{
	return x > UINT64_MAX - y ? UINT64_MAX : x + y;
}

void operand_find_extent(const struct matrix *matrix, enum element element, uintptr_t *begin,
                         uintptr_t *end)
{
	*begin = *end = (uintptr_t)matrix->base;
	if (matrix->rows <= 0 || matrix->columns <= 0)
		return;
	const uint64_t last =
		(uint64_t)(matrix->columns - 1) * (uint64_t)matrix->ld + (uint64_t)matrix->rows;
	*end += last * element_size_bytes(element);
}

/*
 * Blocks of one matrix are a whole number of elements apart. They are disjoint if their row ranges,
 * counted modulo ld, are.
 */
bool operand_overlaps(const struct matrix *x, const struct matrix *y, enum element element)
{
	const uint64_t size = element_size_bytes(element);
	uintptr_t x_begin, x_end, y_begin, y_end;
	operand_find_extent(x, element, &x_begin, &x_end);
	operand_find_extent(y, element, &y_begin, &y_end);
	if (x_end <= y_begin || y_end <= x_begin || x_begin == x_end || y_begin == y_end)
		return false;
	const struct matrix *low = x_begin > y_begin ? y : x, *high = x_begin > y_begin ? x : y;
	const uintptr_t apart = (uintptr_t)high->base - (uintptr_t)low->base;
	if (x->ld != y->ld || apart % size != 0)
		return true;
	const int64_t row = (int64_t)(apart / size % (uint64_t)low->ld);
	return row < low->rows || high->rows > low->ld - row;
}
