/* verify_orthogonal.c - QR factors, products of reflectors, least squares, by vectors */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/verify/verify_check.h"
#include "policy/verify/verify_reflect.h"

static int verify_orthogonal_unit(const struct verify_view *x, const struct verify_view *y)
{
	long double norm;
	const int one = verify_view_measure(x, &norm), two = verify_view_measure(y, &norm),
		  larger = one > two ? one : two;
	return larger == VERIFY_VIEW_ZERO ? 0 : -larger;
}

/* The upper triangle of the first rows. */
static struct verify_view verify_orthogonal_find_r(const struct verify_view *a)
{
	struct verify_view r = *a;
	r.form = VERIFY_UPPER;
	if (r.matrix.rows > r.matrix.columns)
		r.matrix.rows = r.matrix.columns;
	return r;
}

/* A y beside Q R y; and y beside Q^H Q y. */
void verify_orthogonal_judge_factor(struct verify_bench *bench)
{
	struct verify_view a = verify_bench_before(bench, LAPACK_A, VERIFY_FULL);
	const struct verify_view qr = verify_bench_after(bench, LAPACK_A, VERIFY_FULL);
	struct verify_view r = verify_orthogonal_find_r(&qr);
	const int64_t m = a.matrix.rows, n = a.matrix.columns, least = r.matrix.rows;
	const struct verify_reflectors q = {qr, bench->lapack->tau, least};
	a.exponent = r.exponent = verify_orthogonal_unit(&a, &r);
	verify_bench_draw(bench, &bench->x, n);
	verify_bench_apply_plainly(bench, &a, TRANSPOSE_N, &bench->x, &bench->w);
	verify_bench_apply_plainly(bench, &r, TRANSPOSE_N, &bench->x, &bench->y);
	verify_bench_clear(bench, &bench->y, least, m);
	verify_reflect_apply(&q, false, &bench->y, &bench->column);
	verify_bench_join(bench,
	                  verify_bench_weigh_norms(
				  bench, verify_bench_distance(bench, &bench->w, &bench->y, m),
				  verify_view_find_norm(&a), a.exponent));
	verify_bench_draw(bench, &bench->x, m);
	verify_bench_copy(bench, &bench->y, &bench->x, m);
	verify_reflect_apply(&q, false, &bench->y, &bench->column);
	verify_reflect_apply(&q, true, &bench->y, &bench->column);
	verify_bench_join(bench,
	                  verify_bench_weigh_norms(
				  bench, verify_bench_distance(bench, &bench->x, &bench->y, m),
				  verify_bench_norm(bench, &bench->x, m), 0));
}

static struct verify_reflectors verify_orthogonal_find_q(const struct verify_bench *bench)
{
	return (struct verify_reflectors){verify_bench_before(bench, LAPACK_A, VERIFY_FULL),
	                                  bench->lapack->tau, bench->lapack->k};
}

/* The columns of Q, times y, beside the reflectors, times y and zeros. */
void verify_orthogonal_judge_columns(struct verify_bench *bench)
{
	const struct verify_reflectors q = verify_orthogonal_find_q(bench);
	const struct verify_view columns = verify_bench_after(bench, LAPACK_A, VERIFY_FULL);
	const int64_t m = columns.matrix.rows, n = columns.matrix.columns;
	verify_bench_draw(bench, &bench->x, n);
	verify_bench_apply_plainly(bench, &columns, TRANSPOSE_N, &bench->x, &bench->w);
	verify_bench_clear(bench, &bench->x, n, m);
	const double size = verify_bench_norm(bench, &bench->x, m),
		     growth = verify_reflect_apply(&q, false, &bench->x, &bench->column);
	verify_bench_join(bench,
	                  verify_bench_weigh_norms(
				  bench, verify_bench_distance(bench, &bench->w, &bench->x, m),
				  size * growth, 0));
}

/* C y beside op(Q) (C y), or C (op(Q) y), of C as it was. */
void verify_orthogonal_judge_product(struct verify_bench *bench)
{
	const struct verify_reflectors q = verify_orthogonal_find_q(bench);
	struct verify_view before = verify_bench_before(bench, LAPACK_B, VERIFY_FULL),
			   after = verify_bench_after(bench, LAPACK_B, VERIFY_FULL);
	const bool left = bench->lapack->side == SIDE_LEFT,
		   back = bench->lapack->trans != TRANSPOSE_N;
	double growth = 1;
	before.exponent = after.exponent = verify_orthogonal_unit(&before, &after);
	verify_bench_draw(bench, &bench->x, after.matrix.columns);
	verify_bench_apply_plainly(bench, &after, TRANSPOSE_N, &bench->x, &bench->w);
	if (!left)
		growth = verify_reflect_apply(&q, back, &bench->x, &bench->column);
	verify_bench_apply_plainly(bench, &before, TRANSPOSE_N, &bench->x, &bench->y);
	if (left)
		growth = verify_reflect_apply(&q, back, &bench->y, &bench->column);
	verify_bench_join(bench, verify_bench_weigh_norms(
					 bench,
					 verify_bench_distance(bench, &bench->w, &bench->y,
	                                                       after.matrix.rows),
					 verify_view_find_norm(&before) * growth, before.exponent));
}

/* -- least squares ----------------------------------------------------------------------------- */

/* A least squares problem, in units in which no number is more than about 1. */
struct verify_least {
	struct verify_view a, r, b, x, rest;
	double a_norm, size; /* |A|, and |A| |X| + |B| */
};

static struct verify_view verify_orthogonal_take_rows(struct verify_view view, int64_t first,
                                                      int64_t end)
{
	view.matrix.base =
		(const char *)view.matrix.base + first * (int64_t)element_size_bytes(view.element);
	view.matrix.rows = end - first;
	return view;
}

static void verify_orthogonal_open_least(struct verify_bench *bench, struct verify_least *least)
{
	const bool plain = bench->lapack->trans == TRANSPOSE_N;
	const struct verify_view after = verify_bench_after(bench, LAPACK_B, VERIFY_FULL),
				 before = verify_bench_before(bench, LAPACK_B, VERIFY_FULL),
				 qr = verify_bench_after(bench, LAPACK_A, VERIFY_FULL);
	const int64_t m = bench->lapack->m, n = bench->lapack->n;
	long double norm;
	*least = (struct verify_least){.a = verify_bench_before(bench, LAPACK_A, VERIFY_FULL),
	                               .r = verify_orthogonal_find_r(&qr),
	                               .b = verify_orthogonal_take_rows(before, 0, plain ? m : n),
	                               .x = verify_orthogonal_take_rows(after, 0, plain ? n : m),
	                               .rest = verify_orthogonal_take_rows(after, n, m)};
	least->a.exponent = least->r.exponent = verify_orthogonal_unit(&least->a, &least->r);
	const int x_power = verify_view_measure(&least->x, &norm) - least->a.exponent,
		  b_power = verify_view_measure(&least->b, &norm),
		  power = x_power > b_power ? x_power : b_power;
	least->b.exponent = power > VERIFY_VIEW_ZERO / 2 ? -power : 0;
	least->rest.exponent = least->b.exponent;
	least->x.exponent = least->b.exponent - least->a.exponent;
	least->a_norm = verify_view_find_norm(&least->a);
	least->size =
		least->a_norm * verify_view_find_norm(&least->x) + verify_view_find_norm(&least->b);
}

/* R^H R y beside A^H A y. The reflectors are of no use to anyone, without tau. */
static void verify_orthogonal_judge_r(struct verify_bench *bench, const struct verify_least *least)
{
	const int64_t n = bench->lapack->n;
	verify_bench_draw(bench, &bench->x, n);
	verify_bench_apply_plainly(bench, &least->a, TRANSPOSE_N, &bench->x, &bench->y);
	verify_bench_apply_plainly(bench, &least->a, TRANSPOSE_C, &bench->y, &bench->w);
	verify_bench_apply_plainly(bench, &least->r, TRANSPOSE_N, &bench->x, &bench->y);
	verify_bench_apply_plainly(bench, &least->r, TRANSPOSE_C, &bench->y, &bench->z);
	verify_bench_join(bench,
	                  verify_bench_weigh_norms(
				  bench, verify_bench_distance(bench, &bench->w, &bench->z, n),
				  least->a_norm * least->a_norm, least->a.exponent));
}

/* w := B y - op(A) X y, of this many numbers. */
static void verify_orthogonal_find_residual(struct verify_bench *bench,
                                            const struct verify_least *least, int64_t count)
{
	const enum transpose trans =
		bench->lapack->trans == TRANSPOSE_N ? TRANSPOSE_N : TRANSPOSE_C;
	verify_bench_draw(bench, &bench->x, least->x.matrix.columns);
	verify_bench_apply_plainly(bench, &least->x, TRANSPOSE_N, &bench->x, &bench->y);
	verify_bench_apply_plainly(bench, &least->a, trans, &bench->y, &bench->z);
	verify_bench_apply_plainly(bench, &least->b, TRANSPOSE_N, &bench->x, &bench->w);
	for (int64_t i = 0; i < count; i++) {
		bench->w.re[i] -= bench->z.re[i];
		if (!bench->real)
			bench->w.im[i] -= bench->z.im[i];
	}
}

/* The rows of B behind the solution have the norm of the residual. */
static void verify_orthogonal_judge_rest(struct verify_bench *bench,
                                         const struct verify_least *least)
{
	const double residual = verify_bench_norm(bench, &bench->w, bench->lapack->m);
	verify_bench_apply_plainly(bench, &least->rest, TRANSPOSE_N, &bench->x, &bench->y);
	const double rest = verify_bench_norm(bench, &bench->y, least->rest.matrix.rows);
	verify_bench_join(bench, verify_bench_weigh_norms(bench, __builtin_fabs(residual - rest),
	                                                  least->size, least->b.exponent));
}

/* A residual that A^H makes vanish; of a system with too few equations none at all. */
void verify_orthogonal_judge_least(struct verify_bench *bench)
{
	const bool plain = bench->lapack->trans == TRANSPOSE_N;
	const int64_t m = bench->lapack->m, n = bench->lapack->n;
	struct verify_least least;
	verify_orthogonal_open_least(bench, &least);
	verify_orthogonal_judge_r(bench, &least);
	verify_orthogonal_find_residual(bench, &least, plain ? m : n);
	const int power = least.x.exponent > least.b.exponent ? least.x.exponent : least.b.exponent;
	if (!plain) {
		verify_bench_join(bench, verify_bench_weigh_norms(
						 bench, verify_bench_norm(bench, &bench->w, n),
						 least.size, power));
		return;
	}
	verify_orthogonal_judge_rest(bench, &least);
	verify_bench_apply_plainly(bench, &least.a, TRANSPOSE_C, &bench->w, &bench->z);
	verify_bench_join(bench,
	                  verify_bench_weigh_norms(bench, verify_bench_norm(bench, &bench->z, n),
	                                           least.a_norm * least.size, power));
}
