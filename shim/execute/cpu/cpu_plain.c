/* cpu_plain.c - level 3 in plain loops, for a process without any BLAS */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <string.h>

#include "policy/call/batch.h"
#include "policy/call/operand.h"
#include "shim/execute/cpu/cpu.h"

/* One factor of a product: an operand, and how the family reads it. */
struct plain_factor {
	enum element element;
	struct matrix matrix;
	enum { PLAIN_GENERAL, PLAIN_SYMMETRIC, PLAIN_HERMITIAN, PLAIN_TRIANGULAR } kind;
	enum transpose transpose;
	enum uplo uplo;
	enum diag diag;
};

static double complex cpu_plain_read(enum element element, const struct matrix *matrix, int64_t row,
                                     int64_t column)
{
	const int64_t index = row + column * matrix->ld;
	switch (element) {
	case ELEMENT_S: return ((const float *)matrix->base)[index];
	case ELEMENT_D: return ((const double *)matrix->base)[index];
	case ELEMENT_C: return ((const float complex *)matrix->base)[index];
	default: return ((const double complex *)matrix->base)[index];
	}
}

static void cpu_plain_write(enum element element, const struct matrix *matrix, int64_t row,
                            int64_t column, double complex value)
{
	void *base = (void *)(uintptr_t)matrix->base;
	const int64_t index = row + column * matrix->ld;
	switch (element) {
	case ELEMENT_S: ((float *)base)[index] = (float)creal(value); break;
	case ELEMENT_D: ((double *)base)[index] = creal(value); break;
	case ELEMENT_C: ((float complex *)base)[index] = (float complex)value; break;
	default: ((double complex *)base)[index] = value; break;
	}
}

static bool cpu_plain_is_stored(enum uplo uplo, int64_t row, int64_t column)
{
	return uplo == UPLO_UPPER ? row <= column : row >= column;
}

/* An element before transposition; elements that the family does not reference are not read. */
static double complex cpu_plain_read_stored(const struct plain_factor *factor, int64_t row,
                                            int64_t column)
{
	const bool stored =
		factor->kind == PLAIN_GENERAL || cpu_plain_is_stored(factor->uplo, row, column);
	const bool hermitian = factor->kind == PLAIN_HERMITIAN;
	if (factor->kind == PLAIN_TRIANGULAR && row == column && factor->diag == DIAG_UNIT)
		return 1;
	if (!stored && factor->kind == PLAIN_TRIANGULAR)
		return 0;
	const double complex value =
		stored ? cpu_plain_read(factor->element, &factor->matrix, row, column)
		       : cpu_plain_read(factor->element, &factor->matrix, column, row);
	if (hermitian && row == column)
		return creal(value);
	return hermitian && !stored ? conj(value) : value;
}

static double complex cpu_plain_read_factor(const struct plain_factor *factor, int64_t row,
                                            int64_t column)
{
	if (factor->transpose == TRANSPOSE_N)
		return cpu_plain_read_stored(factor, row, column);
	const double complex value = cpu_plain_read_stored(factor, column, row);
	return factor->transpose == TRANSPOSE_C ? conj(value) : value;
}

/* Whether the factor, as transposed, has its elements above the diagonal. */
static bool cpu_plain_is_upper(const struct plain_factor *factor)
{
	return (factor->uplo == UPLO_UPPER) == (factor->transpose == TRANSPOSE_N);
}

static struct plain_factor cpu_plain_make_factor(const struct call *call,
                                                 const struct blas_call *blas, enum operand operand)
{
	struct plain_factor factor = {
		.element = call->element, .uplo = blas->uplo, .diag = blas->diag};
	operand_find(call->family, blas, operand, &factor.matrix);
	factor.transpose = operand == OPERAND_A ? blas->transa : blas->transb;
	if (operand != OPERAND_A)
		return factor;
	if (family_find_kind(call->family) == FAMILY_KIND_SYMMETRIC)
		factor.kind = family_is_hermitian(call->family) ? PLAIN_HERMITIAN : PLAIN_SYMMETRIC;
	else if (family_is_in_place(call->family))
		factor.kind = PLAIN_TRIANGULAR;
	return factor;
}

static double complex cpu_plain_scalar(const double value[2])
{
	double complex scalar;
	memcpy(&scalar, value, sizeof scalar);
	return scalar;
}

/* Row i of left times column j of right, or with turned of its (conjugate) transpose. */
static double complex cpu_plain_sum(const struct plain_factor *left,
                                    const struct plain_factor *right, bool turned, bool conjugate,
                                    int64_t i, int64_t j, int64_t terms)
{
	double complex sum = 0;
	for (int64_t l = 0; l < terms; l++) {
		const double complex factor = turned ? cpu_plain_read_factor(right, j, l)
		                                     : cpu_plain_read_factor(right, l, j);
		sum += cpu_plain_read_factor(left, i, l) * (conjugate ? conj(factor) : factor);
	}
	return sum;
}

/* alpha times the sum of products of element (i, j). */
static double complex cpu_plain_product(const struct call *call, const struct blas_call *blas,
                                        int64_t i, int64_t j)
{
	const double complex alpha = cpu_plain_scalar(blas->alpha);
	const bool hermitian = family_has_hermitian_result(call->family);
	const bool twice = family_is_twice(call->family);
	const bool update = twice || family_find_kind(call->family) == FAMILY_KIND_RANK_K;
	const struct plain_factor a = cpu_plain_make_factor(call, blas, OPERAND_A);
	struct plain_factor b = a;
	if (alpha == 0) /* A and B must not be read */
		return 0;
	if (!update || twice)
		b = cpu_plain_make_factor(call, blas, OPERAND_B);
	if (!update && blas->side == SIDE_RIGHT)
		return alpha * cpu_plain_sum(&b, &a, false, false, i, j, blas->k);
	const double complex first =
		alpha * cpu_plain_sum(&a, &b, update, hermitian, i, j, blas->k);
	if (!twice)
		return first;
	return first + (hermitian ? conj(alpha) : alpha) *
	                       cpu_plain_sum(&b, &a, true, hermitian, i, j, blas->k);
}

static void cpu_plain_run_product(const struct call *call, const struct blas_call *blas)
{
	const double complex beta = cpu_plain_scalar(blas->beta);
	const bool triangle = operand_is_triangle(call->family);
	const bool hermitian = family_has_hermitian_result(call->family);
	const bool computes = blas->k != 0 && cpu_plain_scalar(blas->alpha) != 0;
	struct matrix c;
	operand_find(call->family, blas, OPERAND_C, &c);
	if (!computes && beta == 1)
		return;
	for (int64_t j = 0; j < blas->n; j++)
		for (int64_t i = 0; i < blas->m; i++) {
			if (triangle && !cpu_plain_is_stored(blas->uplo, i, j))
				continue;
			double complex value =
				beta == 0 ? 0 : beta * cpu_plain_read(call->element, &c, i, j);
			value += cpu_plain_product(call, blas, i, j);
			cpu_plain_write(call->element, &c, i, j,
			                hermitian && i == j ? creal(value) : value);
		}
}

/*
 * One element of op(A) C or C op(A), or of the solution. The elements of C that it depends on are
 * not overwritten yet when multiplying, and solved already when solving.
 */
static double complex cpu_plain_triangle(const struct call *call, const struct blas_call *blas,
                                         const struct plain_factor *a, const struct matrix *c,
                                         int64_t i, int64_t j)
{
	const bool left = blas->side == SIDE_LEFT, solves = call->family == FAMILY_TRSM;
	const int64_t own = left ? i : j;
	const double complex alpha = cpu_plain_scalar(blas->alpha),
			     old = cpu_plain_read(call->element, c, i, j);
	double complex sum = 0;
	for (int64_t l = 0; l < blas->k; l++) {
		const bool meant = cpu_plain_is_upper(a) == left ? l > own : l < own;
		if (meant)
			sum += left ? cpu_plain_read_factor(a, i, l) *
			                       cpu_plain_read(call->element, c, l, j)
			            : cpu_plain_read(call->element, c, i, l) *
			                       cpu_plain_read_factor(a, l, j);
	}
	if (!solves)
		return alpha * (sum + old * cpu_plain_read_factor(a, own, own));
	const double complex rest = alpha * old - sum;
	return a->diag == DIAG_UNIT ? rest : rest / cpu_plain_read_factor(a, own, own);
}

/* In an order in which each element is overwritten after its last use, or solved before it. */
static void cpu_plain_run_triangle(const struct call *call, const struct blas_call *blas)
{
	const struct plain_factor a = cpu_plain_make_factor(call, blas, OPERAND_A);
	const bool left = blas->side == SIDE_LEFT, solves = call->family == FAMILY_TRSM;
	const bool ascending = (cpu_plain_is_upper(&a) == left) != solves;
	const int64_t others = left ? blas->n : blas->m;
	struct matrix c;
	operand_find(call->family, blas, OPERAND_C, &c);
	for (int64_t step = 0; step < blas->k; step++)
		for (int64_t other = 0; other < others; other++) {
			const int64_t own = ascending ? step : blas->k - 1 - step;
			const int64_t i = left ? own : other, j = left ? other : own;
			const bool zero = cpu_plain_scalar(blas->alpha) == 0; /* A, C: not read */
			cpu_plain_write(call->element, &c, i, j,
			                zero ? 0 : cpu_plain_triangle(call, blas, &a, &c, i, j));
		}
}

static void cpu_plain_run_batch(const struct call *call)
{
	struct batch_group group = {.next = 0};
	while (batch_next_group(&call->batch, call->element, &group))
		for (int64_t i = 0; i < group.count; i++) {
			batch_point(&call->batch, call->element, group.first + i, &group.blas);
			cpu_plain_run_product(call, &group.blas);
		}
}

void cpu_plain_run(const struct call *call)
{
	if (family_is_batch(call->family))
		cpu_plain_run_batch(call);
	else if (family_is_in_place(call->family))
		cpu_plain_run_triangle(call, &call->blas);
	else
		cpu_plain_run_product(call, &call->blas);
}
