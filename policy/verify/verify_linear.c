/* verify_linear.c - factors, solutions and inverses, by products with vectors */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "policy/verify/verify_check.h"

/*
 * A matrix that is known by its factors: op(A) x is the last factor times ... the first one times
 * x. pivots: of LU; rows are exchanged before the factors where A is transposed, else behind them.
 */
struct verify_product {
	int factors, power;
	struct verify_view factor[2];
	enum transpose trans[2];
	bool pivots, before;
};

static int verify_linear_larger(int x, int y)
{
	return x > y ? x : y;
}

/* The power of two that brings the largest number to about 1; of zeros 0. */
static int verify_linear_unit(int power)
{
	return power == VERIFY_VIEW_ZERO ? 0 : -power;
}

static int verify_linear_measure(const struct verify_view *view)
{
	long double norm;
	return verify_view_measure(view, &norm);
}

/* -- products --------------------------------------------------------------------------------- */

/* op(A), of A = P L U; the factors lie in one matrix. */
static struct verify_product verify_linear_make_lu(struct verify_view lu, enum transpose trans)
{
	const int64_t rows = lu.matrix.rows, columns = lu.matrix.columns;
	const bool before = trans != TRANSPOSE_N;
	struct verify_view upper = lu, lower = lu;
	upper.form = VERIFY_UPPER;
	upper.matrix.rows = rows < columns ? rows : columns;
	upper.exponent = verify_linear_unit(verify_linear_measure(&upper));
	lower.form = VERIFY_LOWER;
	lower.unit = true;
	lower.matrix.columns = upper.matrix.rows;
	return (struct verify_product){.factors = 2,
	                               .power = upper.exponent,
	                               .factor = {before ? lower : upper, before ? upper : lower},
	                               .trans = {trans, trans},
	                               .pivots = true,
	                               .before = before};
}

/* U^H U, or L L^H. */
static struct verify_product verify_linear_make_square(struct verify_view factor)
{
	const bool upper = factor.form == VERIFY_UPPER;
	factor.exponent = verify_linear_unit(verify_linear_measure(&factor));
	return (struct verify_product){
		.factors = 2,
		.power = 2 * factor.exponent,
		.factor = {factor, factor},
		.trans = {upper ? TRANSPOSE_N : TRANSPOSE_C, upper ? TRANSPOSE_C : TRANSPOSE_N}};
}

/* Other units; of A that is not transposed. */
static void verify_linear_rescale(struct verify_product *product, int power)
{
	product->factor[0].exponent = power;
	product->power = power;
	if (product->pivots)
		return;
	product->factor[1].exponent = power;
	product->power = 2 * power;
}

static void verify_linear_swap(const struct verify_bench *bench, const struct verify_vector *x,
                               int64_t i, int64_t j)
{
	double *const arrays[] = {x->re, x->size, bench->real ? NULL : x->im};
	for (size_t a = 0; a < sizeof arrays / sizeof arrays[0] && arrays[a] != NULL; a++) {
		const double kept = arrays[a][i];
		arrays[a][i] = arrays[a][j];
		arrays[a][j] = kept;
	}
}

static int64_t verify_linear_read_pivot(const struct verify_bench *bench, int64_t i)
{
	const char *base = bench->lapack->ipiv;
	int64_t wide;
	int32_t narrow;
	if (bench->lapack->wide) {
		memcpy(&wide, base + i * (int64_t)sizeof wide, sizeof wide);
		return wide - 1;
	}
	memcpy(&narrow, base + i * (int64_t)sizeof narrow, sizeof narrow);
	return (int64_t)narrow - 1;
}

/* Exchanges rows as the factorization did, or back. A pivot that is no row spoils the verdict. */
static void verify_linear_exchange(struct verify_bench *bench, const struct verify_product *product,
                                   const struct verify_vector *x, bool back)
{
	const struct matrix *lower = &product->factor[product->before ? 0 : 1].matrix;
	const int64_t rows = lower->rows, count = lower->columns;
	for (int64_t step = 0; step < count; step++) {
		const int64_t i = back ? count - 1 - step : step,
			      pivot = verify_linear_read_pivot(bench, i);
		if (pivot >= i && pivot < rows)
			verify_linear_swap(bench, x, i, pivot);
		else
			verify_bench_join(bench, verify_norm_reject());
	}
}

/* y := A x, by way of z. x changes where rows are exchanged before. */
static void verify_linear_multiply(struct verify_bench *bench, const struct verify_product *product,
                                   const struct verify_vector *x, const struct verify_vector *y,
                                   const struct verify_vector *z)
{
	if (product->pivots && product->before)
		verify_linear_exchange(bench, product, x, false);
	verify_bench_apply(bench, &product->factor[0], product->trans[0], x,
	                   product->factors == 2 ? z : y);
	if (product->factors == 2)
		verify_bench_apply(bench, &product->factor[1], product->trans[1], z, y);
	if (product->pivots && !product->before)
		verify_linear_exchange(bench, product, y, true);
}

/* -- factors ----------------------------------------------------------------------------------- */

/* A x, and the product of its factors and x. */
static void verify_linear_judge_factors(struct verify_bench *bench, struct verify_product *product,
                                        struct verify_view *a)
{
	a->exponent = product->power;
	verify_bench_draw(bench, &bench->x, a->matrix.columns);
	verify_bench_apply_plainly(bench, a, TRANSPOSE_N, &bench->x, &bench->w);
	verify_linear_multiply(bench, product, &bench->x, &bench->y, &bench->z);
	verify_bench_join(bench, verify_bench_weigh_chain(bench, &bench->w, &bench->y,
	                                                  a->matrix.rows, product->power));
}

static void verify_linear_judge_lu(struct verify_bench *bench)
{
	struct verify_view a = verify_bench_before(bench, LAPACK_A, VERIFY_FULL);
	struct verify_product product = verify_linear_make_lu(
		verify_bench_after(bench, LAPACK_A, VERIFY_FULL), TRANSPOSE_N);
	const int power = verify_linear_unit(verify_linear_measure(&a));
	verify_linear_rescale(&product, power < product.power ? power : product.power);
	verify_linear_judge_factors(bench, &product, &a);
}

void verify_linear_judge_cholesky(struct verify_bench *bench, enum lapack_name name)
{
	struct verify_view a = verify_bench_before(bench, name, verify_bench_mirrored(bench));
	struct verify_product product = verify_linear_make_square(
		verify_bench_after(bench, name, verify_bench_triangle(bench)));
	const int power = verify_linear_unit(verify_linear_measure(&a)),
		  half = power >= 0 ? power / 2 : -((1 - power) / 2);
	if (half < product.power / 2)
		verify_linear_rescale(&product, half);
	verify_linear_judge_factors(bench, &product, &a);
}

/* -- solutions --------------------------------------------------------------------------------- */

/* B y, and A X y by the factors of A, in the units of A times those of X. */
static void verify_linear_judge_solution(struct verify_bench *bench,
                                         const struct verify_product *product)
{
	struct verify_view x = verify_bench_after(bench, LAPACK_B, VERIFY_FULL),
			   b = verify_bench_before(bench, LAPACK_B, VERIFY_FULL);
	x.exponent = verify_linear_unit(verify_linear_measure(&x));
	b.exponent = product->power + x.exponent;
	verify_bench_draw(bench, &bench->x, x.matrix.columns);
	verify_bench_apply_plainly(bench, &b, TRANSPOSE_N, &bench->x, &bench->w);
	verify_bench_apply(bench, &x, TRANSPOSE_N, &bench->x, &bench->y);
	verify_linear_multiply(bench, product, &bench->y, &bench->x, &bench->z);
	verify_bench_join(bench,
	                  verify_bench_weigh_chain(bench, &bench->w, &bench->x, b.matrix.rows,
	                                           verify_linear_larger(b.exponent, x.exponent)));
}

void verify_linear_judge_getrf(struct verify_bench *bench)
{
	verify_linear_judge_lu(bench);
}

void verify_linear_judge_gesv(struct verify_bench *bench)
{
	const struct verify_product product = verify_linear_make_lu(
		verify_bench_after(bench, LAPACK_A, VERIFY_FULL), TRANSPOSE_N);
	verify_linear_judge_lu(bench);
	verify_linear_judge_solution(bench, &product);
}

void verify_linear_judge_getrs(struct verify_bench *bench)
{
	const struct verify_product product = verify_linear_make_lu(
		verify_bench_before(bench, LAPACK_A, VERIFY_FULL), bench->lapack->trans);
	verify_linear_judge_solution(bench, &product);
}

void verify_linear_judge_potrf(struct verify_bench *bench)
{
	verify_linear_judge_cholesky(bench, LAPACK_A);
}

void verify_linear_judge_potrs(struct verify_bench *bench)
{
	const struct verify_product product = verify_linear_make_square(
		verify_bench_before(bench, LAPACK_A, verify_bench_triangle(bench)));
	verify_linear_judge_solution(bench, &product);
}

void verify_linear_judge_posv(struct verify_bench *bench)
{
	const struct verify_product product = verify_linear_make_square(
		verify_bench_after(bench, LAPACK_A, verify_bench_triangle(bench)));
	verify_linear_judge_cholesky(bench, LAPACK_A);
	verify_linear_judge_solution(bench, &product);
}

/* -- inverses ---------------------------------------------------------------------------------- */

/* (A X) y or (X A) y, beside y in the same units. */
static struct verify_verdict verify_linear_weigh_inverse(struct verify_bench *bench,
                                                         const struct verify_product *product,
                                                         const struct verify_view *x, bool left)
{
	const int64_t n = x->matrix.rows;
	const int power = product->power + x->exponent;
	verify_bench_draw(bench, &bench->x, n);
	verify_bench_copy(bench, &bench->w, &bench->x, n);
	verify_bench_scale(bench, &bench->w, n, power);
	if (left) {
		verify_linear_multiply(bench, product, &bench->x, &bench->y, &bench->z);
		verify_bench_apply(bench, x, TRANSPOSE_N, &bench->y, &bench->x);
	} else {
		verify_bench_apply(bench, x, TRANSPOSE_N, &bench->x, &bench->y);
		verify_linear_multiply(bench, product, &bench->y, &bench->x, &bench->z);
	}
	return verify_bench_weigh_chain(bench, &bench->w, &bench->x, n,
	                                verify_linear_larger(product->power, x->exponent));
}

/* Algorithms make the product small on one side, and not always on the other. */
static void verify_linear_judge_inverse(struct verify_bench *bench,
                                        const struct verify_product *product, struct verify_view x)
{
	x.exponent = verify_linear_unit(verify_linear_measure(&x));
	const struct verify_verdict left = verify_linear_weigh_inverse(bench, product, &x, true),
				    right = verify_linear_weigh_inverse(bench, product, &x, false);
	verify_bench_join(bench, verify_norm_is_worse(&left, &right) ? right : left);
}

void verify_linear_judge_getri(struct verify_bench *bench)
{
	const struct verify_product product = verify_linear_make_lu(
		verify_bench_before(bench, LAPACK_A, VERIFY_FULL), TRANSPOSE_N);
	verify_linear_judge_inverse(bench, &product,
	                            verify_bench_after(bench, LAPACK_A, VERIFY_FULL));
}

void verify_linear_judge_potri(struct verify_bench *bench)
{
	const struct verify_product product = verify_linear_make_square(
		verify_bench_before(bench, LAPACK_A, verify_bench_triangle(bench)));
	verify_linear_judge_inverse(
		bench, &product, verify_bench_after(bench, LAPACK_A, verify_bench_mirrored(bench)));
}

void verify_linear_judge_trtri(struct verify_bench *bench)
{
	struct verify_view a = verify_bench_before(bench, LAPACK_A, verify_bench_triangle(bench)),
			   x = verify_bench_after(bench, LAPACK_A, verify_bench_triangle(bench));
	a.unit = x.unit = bench->lapack->diag == DIAG_UNIT;
	a.exponent = verify_linear_unit(verify_linear_measure(&a));
	const struct verify_product product = {
		.factors = 1, .power = a.exponent, .factor = {a}, .trans = {TRANSPOSE_N}};
	verify_linear_judge_inverse(bench, &product, x);
}
