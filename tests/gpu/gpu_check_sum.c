/* gpu_check_sum.c - level 3 of BLAS by its definition, element by element, in long double */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "gpu_check_blas.h"

/* A sum, and the sum of magnitudes that bounds its rounding error. */
struct sum {
	long double complex value;
	long double weight;
};

/* The operands of one comparison. */
struct sum_call {
	const struct gpu_check_blas *w;
	const struct check_matrix *a, *b, *before;
	const struct check_matrix *result;
};

/* The absolute value as BLAS defines it: |re| + |im|, which is at most 1.4 times the modulus. */
static long double sum_size(long double complex x)
{
	return fabsl(creall(x)) + fabsl(cimagl(x));
}

static void sum_add(struct sum *sum, long double complex x, long double complex y)
{
	sum->value += x * y;
	sum->weight += sum_size(x) * sum_size(y);
}

static long double complex sum_get(const struct check_matrix *matrix, enum transpose op,
                                   int64_t row, int64_t column)
{
	if (op == TRANSPOSE_N)
		return check_matrix_get(matrix, row, column);
	const double complex value = check_matrix_get(matrix, column, row);
	return op == TRANSPOSE_C ? conj(value) : value;
}

static bool sum_is_hermitian(enum family family)
{
	return family == FAMILY_HEMM || family == FAMILY_HERK || family == FAMILY_HER2K;
}

static bool sum_is_stored(enum uplo uplo, int64_t row, int64_t column)
{
	return uplo == UPLO_UPPER ? row <= column : row >= column;
}

/* An element of A of symm and hemm. */
static long double complex sum_get_square(const struct sum_call *s, int64_t row, int64_t column)
{
	const bool hermitian = sum_is_hermitian(s->w->family);
	if (row == column && hermitian)
		return creal(check_matrix_get(s->a, row, column));
	if (sum_is_stored(s->w->uplo, row, column))
		return check_matrix_get(s->a, row, column);
	return sum_get(s->a, hermitian ? TRANSPOSE_C : TRANSPOSE_T, row, column);
}

/* An element of op(A) of trmm and trsm. */
static long double complex sum_get_triangle(const struct sum_call *s, int64_t row, int64_t column)
{
	const bool turned = s->w->transa != TRANSPOSE_N;
	if (row == column && s->w->diag == DIAG_UNIT)
		return 1;
	if (!sum_is_stored(s->w->uplo, turned ? column : row, turned ? row : column))
		return 0;
	return sum_get(s->a, s->w->transa, row, column);
}

/* The operation of the second factor of a rank update: transposed, or conjugate-transposed. */
static enum transpose sum_turn(const struct gpu_check_blas *w)
{
	if (w->transa != TRANSPOSE_N)
		return TRANSPOSE_N;
	return sum_is_hermitian(w->family) ? TRANSPOSE_C : TRANSPOSE_T;
}

/* The sum for one element: alpha times op(A) op(B), or the family's product. */
static struct sum sum_products(const struct sum_call *s, const struct check_matrix *x, int64_t i,
                               int64_t j)
{
	const struct gpu_check_blas *w = s->w;
	const bool left = w->side == SIDE_LEFT;
	const long double complex alpha = w->alpha;
	const long double complex second = w->family == FAMILY_HER2K ? conjl(alpha) : alpha;
	struct sum sum = {0, 0};
	for (int64_t p = 0; p < w->k; p++)
		switch (w->family) {
		case FAMILY_SYMM:
		case FAMILY_HEMM:
			sum_add(&sum,
			        alpha * (left ? sum_get_square(s, i, p) : sum_get_square(s, p, j)),
			        left ? check_matrix_get(s->b, p, j) : check_matrix_get(s->b, i, p));
			break;
		case FAMILY_SYRK:
		case FAMILY_HERK:
			sum_add(&sum, alpha * sum_get(s->a, w->transa, i, p),
			        sum_get(s->a, sum_turn(w), p, j));
			break;
		case FAMILY_SYR2K:
		case FAMILY_HER2K:
			sum_add(&sum, alpha * sum_get(s->a, w->transa, i, p),
			        sum_get(s->b, sum_turn(w), p, j));
			sum_add(&sum, second * sum_get(s->b, w->transa, i, p),
			        sum_get(s->a, sum_turn(w), p, j));
			break;
		case FAMILY_TRMM:
		case FAMILY_TRSM:
			sum_add(&sum, left ? sum_get_triangle(s, i, p) : sum_get_triangle(s, p, j),
			        left ? check_matrix_get(x, p, j) : check_matrix_get(x, i, p));
			break;
		default:
			sum_add(&sum, alpha * sum_get(s->a, w->transa, i, p),
			        sum_get(s->b, w->transb, p, j));
		}
	return sum;
}

/*
 * The errors of gemm3m are small relative to the whole matrix only; elements, and so their
 * products, are below 2.
 */
static long double sum_weight(const struct gpu_check_blas *w, const struct sum *sum)
{
	return w->family == FAMILY_GEMM3M ? 4 * (long double)w->k * cabsl(w->alpha) : sum->weight;
}

/* The error of one element, and the rounding error allowed. */
static long double sum_judge(const struct sum_call *s, int64_t i, int64_t j, long double *allowed)
{
	const struct gpu_check_blas *w = s->w;
	const long double complex found = check_matrix_get(s->result, i, j);
	long double complex old = check_matrix_get(s->before, i, j);
	struct sum sum = sum_products(s, w->family == FAMILY_TRSM ? s->result : s->before, i, j);
	*allowed = sum_weight(w, &sum);
	if (w->family == FAMILY_TRMM) {
		*allowed *= cabsl(w->alpha);
		return cabsl(w->alpha * sum.value - found);
	}
	if (w->family == FAMILY_TRSM) { /* the residual with the solution inserted */
		*allowed += cabsl(w->alpha) * cabsl(old);
		return cabsl(sum.value - w->alpha * old);
	}
	if (i == j && sum_is_hermitian(w->family) && operand_is_triangle(w->family)) {
		EXPECT(cimagl(found) == 0, "the diagonal's imaginary part is %Lg", cimagl(found));
		sum.value = creall(sum.value);
		old = creall(old);
	}
	if (w->beta != 0) {
		sum.value += w->beta * old;
		*allowed += cabsl(w->beta) * cabsl(old);
	}
	return cabsl(sum.value - found);
}

double gpu_check_compare_blas(const struct gpu_check_blas *wanted, const struct check_matrix *a,
                              const struct check_matrix *b, const struct check_matrix *before,
                              struct check_matrix *c)
{
	const bool single = wanted->element == ELEMENT_S || wanted->element == ELEMENT_C;
	const long double unit = (single ? 0x1p-23L : 0x1p-52L) * (long double)(4 * wanted->k + 16);
	struct check_matrix result = check_matrix_copy(c);
	const struct sum_call s = {wanted, a, b, before, &result};
	long double worst = 0;
	for (int64_t j = 0; j < wanted->n; j++)
		for (int64_t i = 0; i < wanted->m; i++) {
			if (operand_is_triangle(wanted->family) &&
			    !sum_is_stored(wanted->uplo, i, j))
				continue;
			long double allowed;
			const long double error =
				sum_judge(&s, i, j, &allowed) / (unit * (allowed + 0x1p-100L));
			worst = error <= worst ? worst : error;
			check_matrix_set(c, i, j, check_matrix_get(before, i, j));
		}
	check_matrix_free(&result);
	return (double)worst;
}
