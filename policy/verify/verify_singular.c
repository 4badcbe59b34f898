/* verify_singular.c - singular values and their vectors */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "policy/verify/verify_check.h"
#include "policy/verify/verify_spectrum.h"

/* The vectors that belong to values; U and VT may have more. */
static struct verify_view verify_singular_cut(struct verify_view view, int64_t rows,
                                              int64_t columns)
{
	view.matrix.rows = rows;
	view.matrix.columns = columns;
	return view;
}

static void verify_singular_judge(struct verify_bench *bench, const struct verify_view *a,
                                  int64_t count, int times)
{
	const double norm = verify_view_find_norm(a);
	verify_bench_join(bench,
	                  verify_bench_weigh_norms(
				  bench, verify_bench_distance(bench, &bench->w, &bench->z, count),
				  times == 2 ? norm * norm : norm, a->exponent));
}

/* A y beside U S VT y. */
static void verify_singular_judge_both(struct verify_bench *bench, const struct verify_view *a,
                                       const struct verify_view *u, const struct verify_view *vt)
{
	const int64_t m = a->matrix.rows, n = a->matrix.columns, least = m < n ? m : n;
	const struct verify_view left = verify_singular_cut(*u, m, least),
				 right = verify_singular_cut(*vt, least, n);
	verify_bench_draw(bench, &bench->x, n);
	verify_bench_apply_plainly(bench, a, TRANSPOSE_N, &bench->x, &bench->w);
	verify_bench_apply_plainly(bench, &right, TRANSPOSE_N, &bench->x, &bench->y);
	verify_spectrum_weigh(bench, &bench->y, least, a->exponent);
	verify_bench_apply_plainly(bench, &left, TRANSPOSE_N, &bench->y, &bench->z);
	verify_singular_judge(bench, a, m, 1);
}

/* A A^H U y beside U S^2 y; or A^H A V y beside V S^2 y. */
static void verify_singular_judge_one(struct verify_bench *bench, const struct verify_view *a,
                                      const struct verify_view *basis, bool is_left)
{
	const int64_t m = a->matrix.rows, n = a->matrix.columns, least = m < n ? m : n,
		      order = is_left ? m : n;
	const struct verify_view cut = is_left ? verify_singular_cut(*basis, m, least)
	                                       : verify_singular_cut(*basis, least, n);
	const enum transpose trans = is_left ? TRANSPOSE_N : TRANSPOSE_C;
	verify_bench_draw(bench, &bench->x, least);
	verify_bench_apply_plainly(bench, &cut, trans, &bench->x, &bench->y);
	verify_bench_apply_plainly(bench, a, is_left ? TRANSPOSE_C : TRANSPOSE_N, &bench->y,
	                           &bench->z);
	verify_bench_apply_plainly(bench, a, trans, &bench->z, &bench->w);
	verify_spectrum_weigh(bench, &bench->x, least, a->exponent);
	verify_spectrum_weigh(bench, &bench->x, least, a->exponent);
	verify_bench_apply_plainly(bench, &cut, trans, &bench->x, &bench->z);
	verify_singular_judge(bench, a, order, 2);
}

void verify_singular_judge_vectors(struct verify_bench *bench)
{
	const int64_t count = verify_bench_count_values(bench->solved->call);
	struct verify_view a = verify_bench_before(bench, LAPACK_A, VERIFY_FULL);
	const struct verify_view u = verify_bench_after(bench, LAPACK_U, VERIFY_FULL),
				 vt = verify_bench_after(bench, LAPACK_VT, VERIFY_FULL);
	const bool left = u.matrix.base != NULL, right = vt.matrix.base != NULL;
	a.exponent = verify_spectrum_find_unit(bench, &a, count);
	verify_spectrum_judge_order(bench, count, true, a.exponent);
	if (left && right)
		verify_singular_judge_both(bench, &a, &u, &vt);
	else if (left || right)
		verify_singular_judge_one(bench, &a, left ? &u : &vt, left);
	if (left)
		verify_spectrum_judge_basis(bench, &u, TRANSPOSE_N);
	if (right)
		verify_spectrum_judge_basis(bench, &vt, TRANSPOSE_T);
}
