/* plain_test.c - level 3 in plain loops against dense sums, every flag of every family */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <criterion/criterion.h>

#include "policy/call/operand.h"
#include "shim/execute/cpu/cpu.h"

#undef I
enum { PLAIN_ORDER = 8, PLAIN_ROOM = PLAIN_ORDER * PLAIN_ORDER };
typedef double complex plain_dense[PLAIN_ORDER][PLAIN_ORDER]; /* [row][column] */

static double complex a[PLAIN_ROOM], b[PLAIN_ROOM], c[PLAIN_ROOM], c_before[PLAIN_ROOM];
static const double complex never = (double complex)__builtin_nan("");

static double complex number(int seed)
{
	const double pair[2] = {(seed * 37 % 19) - 9, (seed * 53 % 17) - 8};
	double complex value;
	memcpy(&value, pair, sizeof value);
	return value;
}

static bool is_stored(const struct blas_call *s, int64_t row, int64_t column)
{
	return s->uplo == UPLO_UPPER ? row <= column : row >= column;
}

/*
 * The dense matrix of an operand, transposed as the call says. Elements that its family does not
 * reference are NaN.
 */
static void expand(enum family family, const struct blas_call *s, enum operand operand,
                   plain_dense dense)
{
	const bool square =
		operand == OPERAND_A && s->transa != (enum transpose) - 1 &&
		(family == FAMILY_SYMM || family == FAMILY_HEMM || family_is_in_place(family));
	const enum transpose trans = operand == OPERAND_A ? s->transa : s->transb;
	double complex *stored = operand == OPERAND_A ? a : b;
	struct matrix matrix;
	operand_find(family, s, operand, &matrix);
	for (int64_t j = 0; j < matrix.columns; j++)
		for (int64_t i = 0; i < matrix.rows; i++) {
			double complex *at = &stored[i + j * matrix.ld], value = *at;
			if (square && !is_stored(s, i, j)) {
				*at = never;
				value = family_is_in_place(family) ? 0
				        : family == FAMILY_HEMM    ? conj(number((int)(i * 8 + j)))
				                                   : number((int)(i * 8 + j));
			} else if (square && i == j && family_is_in_place(family) &&
			           s->diag == DIAG_UNIT) {
				*at = never;
				value = 1;
			} else if (square && i == j && family == FAMILY_HEMM) {
				value = creal(value);
			}
			if (trans == TRANSPOSE_N)
				dense[i][j] = value;
			else
				dense[j][i] = trans == TRANSPOSE_C ? conj(value) : value;
		}
}

/* sum += x y, or x times the (conjugate) transpose of y. */
static void multiply(plain_dense sum, plain_dense x, plain_dense y, const struct blas_call *s,
                     int turn, double complex alpha)
{
	for (int64_t i = 0; i < s->m; i++)
		for (int64_t j = 0; j < s->n; j++)
			for (int64_t l = 0; l < s->k; l++)
				sum[i][j] += alpha * x[i][l] *
				             (turn == 0   ? y[l][j]
				              : turn == 1 ? y[j][l]
				                          : conj(y[j][l]));
}

static void read_result(const struct blas_call *s, const double complex *from, plain_dense dense)
{
	for (int64_t i = 0; i < s->m; i++)
		for (int64_t j = 0; j < s->n; j++)
			dense[i][j] = from[i + j * s->ldc];
}

/*
 * The expected result of the call, by products of dense matrices; trsm is checked by the reverse
 * product.
 */
static void expect(enum family family, const struct blas_call *s, plain_dense result)
{
	static plain_dense x, y, old;
	double complex alpha, beta;
	memcpy(&alpha, s->alpha, sizeof alpha);
	memcpy(&beta, s->beta, sizeof beta);
	const bool hermitian = family == FAMILY_HERK || family == FAMILY_HER2K;
	memset(result, 0, sizeof(plain_dense));
	read_result(s, c_before, old);
	expand(family, s, OPERAND_A, x);
	if (family == FAMILY_SYRK || family == FAMILY_HERK) {
		multiply(result, x, x, s, hermitian ? 2 : 1, alpha);
	} else if (family == FAMILY_SYR2K || family == FAMILY_HER2K) {
		expand(family, s, OPERAND_B, y);
		multiply(result, x, y, s, hermitian ? 2 : 1, alpha);
		multiply(result, y, x, s, hermitian ? 2 : 1, hermitian ? conj(alpha) : alpha);
	} else {
		if (family_is_in_place(family))
			memcpy(y, old, sizeof y);
		else
			expand(family, s, OPERAND_B, y);
		if (s->side == SIDE_RIGHT)
			multiply(result, y, x, s, 0, alpha);
		else
			multiply(result, x, y, s, 0, alpha);
	}
	for (int64_t i = 0; i < s->m && !family_is_in_place(family) && beta != 0; i++)
		for (int64_t j = 0; j < s->n; j++)
			result[i][j] += beta * old[i][j];
}

static void fill(void)
{
	for (int i = 0; i < PLAIN_ROOM; i++) {
		a[i] = number(i % 8 * 8 + i / 8);
		b[i] = number(i + 5);
		c[i] = c_before[i] = number(i + 11);
	}
	for (int i = 0; i < PLAIN_ORDER;
	     i++) /* elements (i, j) and (j, i) of a symmetric A are told apart by NaN */
		for (int j = 0; j < PLAIN_ORDER; j++)
			a[i + j * PLAIN_ORDER] = number(j * 8 + i);
}

static void check(enum family family, const struct blas_call *s)
{
	static plain_dense wanted, got;
	struct call call = {.family = family, .element = ELEMENT_Z, .blas = *s};
	fill();
	call.blas.a = a, call.blas.b = b, call.blas.c = c;
	expect(family, s, wanted);
	cpu_plain_run(&call);
	read_result(s, c, got);
	if (family == FAMILY_TRSM) { /* what was solved for, multiplied, is what was given */
		memcpy(c_before, c, sizeof c);
		struct blas_call back = *s;
		back.alpha[0] = 1, back.alpha[1] = 0;
		static plain_dense given;
		read_result(s, c, given);
		for (int i = 0; i < PLAIN_ROOM; i++)
			c[i] = number(i + 11);
		expect(FAMILY_TRMM, &back, wanted);
		read_result(s, c, got);
		double complex alpha;
		memcpy(&alpha, s->alpha, sizeof alpha);
		for (int64_t i = 0; i < s->m; i++)
			for (int64_t j = 0; j < s->n; j++)
				got[i][j] *= alpha;
	}
	for (int64_t j = 0; j < s->n; j++)
		for (int64_t i = 0; i < s->m; i++) {
			double complex value = wanted[i][j];
			const bool written = !operand_is_triangle(family) || is_stored(s, i, j);
			if ((family == FAMILY_HERK || family == FAMILY_HER2K) && i == j)
				value = creal(value);
			if (!written)
				value = c_before[i + j * s->ldc];
			cr_assert(cabs(got[i][j] - value) <= 1e-9 * (1 + cabs(value)),
			          "family %d at (%d, %d)", family, (int)i, (int)j);
		}
}

/* Every side, triangle, transposition and diagonal that the family has. */
static void check_flags(enum family family, bool sides, bool triangles, const enum transpose *trans,
                        int count)
{
	const bool update = operand_is_triangle(family) && family != FAMILY_GEMMT;
	for (int side = 0; side <= (int)sides; side++)
		for (int uplo = 0; uplo <= (int)triangles; uplo++)
			for (int diag = 0; diag < 2; diag++)
				for (int ta = 0; ta < count; ta++)
					for (int tb = 0; tb < count; tb++) {
						struct blas_call s = {
							.side = (enum side)side,
							.uplo = (enum uplo)uplo,
							.diag = (enum diag)diag,
							.transa = trans[ta],
							.transb = update ? trans[ta] : trans[tb],
							.m = operand_is_triangle(family) ? 4 : 3,
							.n = 4,
							.k = 5,
							.lda = 8,
							.ldb = 8,
							.ldc = 8,
							.alpha = {2, family == FAMILY_HERK ? 0 : 1},
							.beta = {diag * 3, 0}};
						if (sides)
							s.k = side == SIDE_LEFT ? s.m : s.n;
						if (family == FAMILY_SYMM || family == FAMILY_HEMM)
							s.transa = s.transb = TRANSPOSE_N;
						if (family_is_in_place(family))
							s.transb = TRANSPOSE_N;
						check(family, &s);
					}
}

static const enum transpose all[] = {TRANSPOSE_N, TRANSPOSE_T, TRANSPOSE_C},
			    conjugate[] = {TRANSPOSE_N, TRANSPOSE_C};

Test(plain, products)
{
	check_flags(FAMILY_GEMM, false, false, all, 3);
	check_flags(FAMILY_GEMM3M, false, false, all, 3);
	check_flags(FAMILY_GEMMT, false, true, all, 3);
	check_flags(FAMILY_SYMM, true, true, all, 1);
	check_flags(FAMILY_HEMM, true, true, all, 1);
}

Test(plain, updates)
{
	check_flags(FAMILY_SYRK, false, true, all, 2);
	check_flags(FAMILY_SYR2K, false, true, all, 2);
	check_flags(FAMILY_HERK, false, true, conjugate, 2);
	check_flags(FAMILY_HER2K, false, true, conjugate, 2);
}

Test(plain, triangles)
{
	check_flags(FAMILY_TRMM, true, true, all, 3);
	check_flags(FAMILY_TRSM, true, true, all, 3);
}

Test(plain, nothing_is_read_where_alpha_is_zero)
{
	struct call call = {.family = FAMILY_TRSM,
	                    .element = ELEMENT_D,
	                    .blas = {.m = 1, .n = 1, .k = 1, .lda = 1, .ldc = 1}};
	double result = __builtin_nan("");
	call.blas.c = &result;
	cpu_plain_run(&call);
	cr_assert_eq(result, 0);
	call.family = FAMILY_GEMM;
	result = __builtin_nan("");
	cpu_plain_run(&call);
	cr_assert_eq(result, 0, "neither is C where beta is zero");
	result = 3;
	call.blas.beta[0] = 2;
	cpu_plain_run(&call);
	cr_assert_eq(result, 6);
}
