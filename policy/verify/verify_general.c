/* verify_general.c - eigenvalues of matrices without symmetry */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "policy/verify/verify_check.h"

/* Eigenvalue i: two real arrays, or one of complex elements. */
static void verify_general_read(const struct verify_bench *bench, int64_t i, int power,
                                double value[2])
{
	const struct lapack_call *lapack = bench->lapack;
	value[0] = verify_bench_value(bench, lapack->w, bench->real ? i : 2 * i);
	value[1] = bench->real ? verify_bench_value(bench, lapack->wi, i)
	                       : verify_bench_value(bench, lapack->w, 2 * i + 1);
	for (int part = 0; part < 2; part++)
		value[part] = verify_view_scale(value[part], power);
}

static int verify_general_find_unit(const struct verify_bench *bench, const struct verify_view *a)
{
	long double norm;
	int power = verify_view_measure(a, &norm);
	for (int64_t i = 0; i < a->matrix.rows; i++) {
		double value[2];
		verify_general_read(bench, i, 0, value);
		for (int part = 0; part < 2; part++) {
			const int more = verify_view_find_power(value[part]);
			power = more > power ? more : power;
		}
	}
	return power == VERIFY_VIEW_ZERO ? 0 : -power;
}

/* -- vectors ----------------------------------------------------------------------------------- */

/*
 * x := W x in the basis that V's columns are. Of real matrices a pair's two columns are the real
 * and the imaginary part of the vector of the value whose imaginary part is positive.
 */
static void verify_general_weigh(const struct verify_bench *bench, const struct verify_vector *x,
                                 int64_t n, int power)
{
	double value[2];
	for (int64_t i = 0; i < n; i++) {
		verify_general_read(bench, i, power, value);
		const double re = x->re[i];
		if (!bench->real) {
			x->re[i] = re * value[0] - x->im[i] * value[1];
			x->im[i] = re * value[1] + x->im[i] * value[0];
		} else if (value[1] > 0 && i + 1 < n) {
			const double more = x->re[i + 1];
			x->re[i] = re * value[0] + more * value[1];
			x->re[i + 1] = more * value[0] - re * value[1];
			i++;
		} else {
			x->re[i] = re * value[0];
		}
	}
}

static double verify_general_find_length(const struct verify_view *v, int64_t first, int64_t end)
{
	struct verify_view columns = *v;
	columns.matrix.base = (const char *)v->matrix.base +
	                      first * v->matrix.ld * (int64_t)element_size_bytes(v->element);
	columns.matrix.columns = end - first;
	return verify_view_find_norm(&columns);
}

/* The length of each vector, 1. */
static void verify_general_judge_lengths(struct verify_bench *bench, const struct verify_view *v)
{
	const int64_t n = v->matrix.columns;
	double apart = 0, value[2];
	for (int64_t i = 0; i < n; i++) {
		verify_general_read(bench, i, 0, value);
		const bool pair = bench->real && value[1] > 0 && i + 1 < n;
		const double length = verify_general_find_length(v, i, pair ? i + 2 : i + 1),
			     more = __builtin_fabs(length - 1);
		apart = more > apart ? more : apart;
		i += pair;
	}
	verify_bench_join(bench, verify_bench_weigh_norms(bench, apart, 1, 0));
}

/* A (V y) beside V (W y). */
static void verify_general_judge_vectors(struct verify_bench *bench, const struct verify_view *a,
                                         const struct verify_view *v)
{
	const int64_t n = a->matrix.rows;
	verify_bench_draw(bench, &bench->x, n);
	verify_bench_apply_plainly(bench, v, TRANSPOSE_N, &bench->x, &bench->y);
	verify_bench_apply_plainly(bench, a, TRANSPOSE_N, &bench->y, &bench->w);
	verify_general_weigh(bench, &bench->x, n, a->exponent);
	verify_bench_apply_plainly(bench, v, TRANSPOSE_N, &bench->x, &bench->y);
	verify_bench_join(bench,
	                  verify_bench_weigh_norms(
				  bench, verify_bench_distance(bench, &bench->w, &bench->y, n),
				  verify_view_find_norm(a), a->exponent));
	verify_general_judge_lengths(bench, v);
}

/* -- values alone ------------------------------------------------------------------------------ */

/* Adds the square of column j of A in A A to the trace: the products of column and row j. */
static void verify_general_add_square(const struct verify_bench *bench, const struct verify_view *a,
                                      int64_t j, double sum[2])
{
	for (int64_t i = 0; i < a->matrix.rows; i++) {
		const double re = verify_view_read(a, i, j, 0), more = verify_view_read(a, j, i, 0);
		sum[0] += re * more;
		if (bench->real)
			continue;
		const double im = verify_view_read(a, i, j, 1),
			     other = verify_view_read(a, j, i, 1);
		sum[0] -= im * other;
		sum[1] += re * other + im * more;
	}
}

/*
 * The sums of the eigenvalues, and of their squares, are the traces of A and A A. Unlike single
 * values they do not suffer from vectors that are nearly parallel.
 */
static void verify_general_judge_sums(struct verify_bench *bench, const struct verify_view *a)
{
	const double norm = verify_view_find_norm(a);
	double sum[2] = {0, 0}, square[2] = {0, 0}, value[2];
	for (int64_t i = 0; i < a->matrix.rows; i++) {
		verify_general_read(bench, i, a->exponent, value);
		sum[0] += value[0] - verify_view_read(a, i, i, 0);
		sum[1] += value[1] - (bench->real ? 0 : verify_view_read(a, i, i, 1));
		square[0] -= value[0] * value[0] - value[1] * value[1];
		square[1] -= 2 * value[0] * value[1];
		verify_general_add_square(bench, a, i, square);
	}
	for (int part = 0; part < 2; part++) {
		verify_bench_join(bench, verify_bench_weigh_norms(bench, __builtin_fabs(sum[part]),
		                                                  norm, a->exponent));
		verify_bench_join(bench,
		                  verify_bench_weigh_norms(bench, __builtin_fabs(square[part]),
		                                           norm * norm, a->exponent));
	}
}

void verify_general_judge_spectrum(struct verify_bench *bench)
{
	struct verify_view a = verify_bench_before(bench, LAPACK_A, VERIFY_FULL);
	const struct verify_view v = verify_bench_after(bench, LAPACK_VT, VERIFY_FULL);
	a.exponent = verify_general_find_unit(bench, &a);
	verify_general_judge_sums(bench, &a);
	if (v.matrix.base != NULL)
		verify_general_judge_vectors(bench, &a, &v);
}
