/* verify_spectrum.c - eigenvalues of Hermitian matrices and of pairs */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "policy/verify/verify_check.h"
#include "policy/verify/verify_spectrum.h"

/* -- values ------------------------------------------------------------------------------------ */

void verify_spectrum_weigh(const struct verify_bench *bench, const struct verify_vector *x,
                           int64_t count, int power)
{
	for (int64_t i = 0; i < count; i++) {
		const double value =
			verify_view_scale(verify_bench_value(bench, bench->lapack->w, i), power);
		x->re[i] *= value;
		if (!bench->real)
			x->im[i] *= value;
	}
}

int verify_spectrum_find_unit(const struct verify_bench *bench, const struct verify_view *a,
                              int64_t count)
{
	long double norm;
	int power = verify_view_measure(a, &norm);
	for (int64_t i = 0; i < count; i++) {
		const int more =
			verify_view_find_power(verify_bench_value(bench, bench->lapack->w, i));
		power = more > power ? more : power;
	}
	return power == VERIFY_VIEW_ZERO ? 0 : -power;
}

void verify_spectrum_judge_order(struct verify_bench *bench, int64_t count, bool falls, int power)
{
	double largest = 0, step = 0;
	for (int64_t i = 0; i < count; i++) {
		const double value =
			verify_view_scale(verify_bench_value(bench, bench->lapack->w, i), power);
		const double last =
			i == 0 ? value
			       : verify_view_scale(
					 verify_bench_value(bench, bench->lapack->w, i - 1), power);
		const double back = falls ? value - last : last - value;
		step = back > step ? back : step;
		largest = __builtin_fabs(value) > largest ? __builtin_fabs(value) : largest;
	}
	verify_bench_join(bench, verify_bench_weigh_norms(bench, step, largest, power));
}

void verify_spectrum_judge_basis(struct verify_bench *bench, const struct verify_view *z,
                                 enum transpose trans)
{
	const bool plain = trans == TRANSPOSE_N;
	const int64_t count = plain ? z->matrix.columns : z->matrix.rows;
	verify_bench_draw(bench, &bench->x, count);
	verify_bench_apply_plainly(bench, z, plain ? TRANSPOSE_N : TRANSPOSE_C, &bench->x,
	                           &bench->y);
	verify_bench_apply_plainly(bench, z, plain ? TRANSPOSE_C : TRANSPOSE_N, &bench->y,
	                           &bench->z);
	verify_bench_join(bench,
	                  verify_bench_weigh_norms(
				  bench, verify_bench_distance(bench, &bench->x, &bench->z, count),
				  verify_bench_norm(bench, &bench->x, count), 0));
}

/* -- one matrix -------------------------------------------------------------------------------- */

/* The vectors overwrite A, or have an array of their own. */
static struct verify_view verify_spectrum_find_z(const struct verify_bench *bench)
{
	const struct verify_view own = verify_bench_after(bench, LAPACK_U, VERIFY_FULL);
	return own.matrix.base != NULL ? own : verify_bench_after(bench, LAPACK_A, VERIFY_FULL);
}

/* A (Z y) beside Z (W y). */
void verify_spectrum_judge_symmetric(struct verify_bench *bench)
{
	struct verify_view a = verify_bench_before(bench, LAPACK_A, verify_bench_mirrored(bench));
	const int64_t n = a.matrix.rows, count = verify_bench_count_values(bench->solved->call);
	a.exponent = verify_spectrum_find_unit(bench, &a, count);
	verify_spectrum_judge_order(bench, count, false, a.exponent);
	if (bench->lapack->jobs[0] != 'V')
		return;
	const struct verify_view z = verify_spectrum_find_z(bench);
	verify_bench_draw(bench, &bench->x, count);
	verify_bench_apply_plainly(bench, &z, TRANSPOSE_N, &bench->x, &bench->y);
	verify_bench_apply_plainly(bench, &a, TRANSPOSE_N, &bench->y, &bench->w);
	verify_spectrum_weigh(bench, &bench->x, count, a.exponent);
	verify_bench_apply_plainly(bench, &z, TRANSPOSE_N, &bench->x, &bench->y);
	verify_bench_join(bench,
	                  verify_bench_weigh_norms(
				  bench, verify_bench_distance(bench, &bench->w, &bench->y, n),
				  verify_view_find_norm(&a), a.exponent));
	verify_spectrum_judge_basis(bench, &z, TRANSPOSE_N);
}

/* -- pairs ------------------------------------------------------------------------------------- */

/*
 * B = L L^H or U^H U; the vectors are scaled as its factor asks for. values: the unit of W. norm,
 * inverse: of the factor, the latter from a few steps of inverse iteration.
 */
struct verify_pair {
	struct verify_view a, b, factor, z;
	int values, power;
	double a_norm, norm, inverse;
};

/* x := inv(U) or inv(L^H) x, or (back) the inverse of its conjugate transpose. */
static void verify_spectrum_solve(const struct verify_bench *bench, const struct verify_pair *pair,
                                  const struct verify_vector *x, bool back)
{
	const bool upper = pair->factor.form == VERIFY_UPPER;
	const struct verify_vector plain = {x->re, x->im, NULL};
	verify_view_solve(&pair->factor, upper != back ? TRANSPOSE_N : TRANSPOSE_C, &plain,
	                  &bench->column);
}

/* |inv(L)|: the square root of the greatest growth by inv(L L^H). */
static double verify_spectrum_find_inverse(struct verify_bench *bench,
                                           const struct verify_pair *pair)
{
	enum { STEPS = 4 };
	const int64_t n = pair->factor.matrix.rows;
	double growth = 0;
	verify_bench_draw(bench, &bench->x, n);
	for (int step = 0; step < STEPS; step++) {
		const double before = verify_bench_norm(bench, &bench->x, n);
		verify_spectrum_solve(bench, pair, &bench->x, true);
		verify_spectrum_solve(bench, pair, &bench->x, false);
		const double after = verify_bench_norm(bench, &bench->x, n);
		if (!__builtin_isfinite(after))
			return __builtin_inf();
		growth = after / before > growth ? after / before : growth;
		verify_bench_scale(bench, &bench->x, n, -verify_view_find_power(after));
	}
	return __builtin_sqrt(growth);
}

static void verify_spectrum_open_pair(struct verify_bench *bench, struct verify_pair *pair)
{
	const bool product = bench->lapack->itype != 1, third = bench->lapack->itype == 3;
	long double norm;
	*pair = (struct verify_pair){
		.a = verify_bench_before(bench, LAPACK_A, verify_bench_mirrored(bench)),
		.b = verify_bench_before(bench, LAPACK_B, verify_bench_mirrored(bench)),
		.factor = verify_bench_after(bench, LAPACK_B, verify_bench_triangle(bench)),
		.z = verify_spectrum_find_z(bench)};
	const int a = verify_view_measure(&pair->a, &norm),
		  factor = verify_view_measure(&pair->factor, &norm);
	pair->a.exponent = a == VERIFY_VIEW_ZERO ? 0 : -a;
	pair->factor.exponent = factor == VERIFY_VIEW_ZERO ? 0 : -factor;
	pair->b.exponent = 2 * pair->factor.exponent;
	pair->z.exponent = third ? pair->factor.exponent : -pair->factor.exponent;
	pair->values = pair->a.exponent + (product ? 1 : -1) * pair->b.exponent;
	pair->power = pair->values > pair->a.exponent ? pair->values : pair->a.exponent;
	pair->a_norm = verify_view_find_norm(&pair->a);
	pair->norm = verify_view_find_norm(&pair->factor);
	pair->inverse = verify_spectrum_find_inverse(bench, pair);
}

/* How much of A's rounding errors the residual, or the values, may have. */
static double verify_spectrum_find_growth(const struct verify_bench *bench,
                                          const struct verify_pair *pair, bool residual)
{
	const double norm = pair->norm, inverse = pair->inverse,
		     most = norm * inverse > 1 ? norm * inverse : 1;
	if (bench->lapack->itype == 1)
		return pair->a_norm * inverse * inverse * (residual ? norm : most);
	if (bench->lapack->itype == 2)
		return pair->a_norm * norm * norm * (residual ? inverse : most);
	return pair->a_norm * norm * norm * (residual ? norm : most);
}

/* A Z y beside B Z W y; A B Z y, or B A Z y, beside Z W y. */
static void verify_spectrum_judge_residual(struct verify_bench *bench,
                                           const struct verify_pair *pair, int64_t count)
{
	const int itype = bench->lapack->itype;
	const int64_t n = pair->a.matrix.rows;
	const struct verify_view *const first = itype == 2 ? &pair->b : &pair->a,
					*const second = itype == 2 ? &pair->a : &pair->b;
	verify_bench_draw(bench, &bench->x, count);
	verify_bench_apply_plainly(bench, &pair->z, TRANSPOSE_N, &bench->x, &bench->y);
	verify_bench_apply_plainly(bench, first, TRANSPOSE_N, &bench->y, &bench->w);
	verify_spectrum_weigh(bench, &bench->x, count, pair->values);
	verify_bench_apply_plainly(bench, &pair->z, TRANSPOSE_N, &bench->x, &bench->y);
	verify_bench_apply_plainly(bench, second, TRANSPOSE_N, itype == 1 ? &bench->y : &bench->w,
	                           &bench->z);
	verify_bench_join(bench,
	                  verify_bench_weigh_norms(
				  bench,
				  verify_bench_distance(bench, itype == 1 ? &bench->w : &bench->y,
	                                                &bench->z, n),
				  verify_spectrum_find_growth(bench, pair, true), pair->power));
}

/* Z^H B Z y, or Z^H inv(B) Z y, beside y. */
static void verify_spectrum_judge_pair_basis(struct verify_bench *bench,
                                             const struct verify_pair *pair, int64_t count)
{
	verify_bench_draw(bench, &bench->x, count);
	verify_bench_apply_plainly(bench, &pair->z, TRANSPOSE_N, &bench->x, &bench->y);
	if (bench->lapack->itype == 3) {
		verify_spectrum_solve(bench, pair, &bench->y, true);
		verify_spectrum_solve(bench, pair, &bench->y, false);
		verify_bench_copy(bench, &bench->w, &bench->y, pair->a.matrix.rows);
	} else {
		verify_bench_apply_plainly(bench, &pair->b, TRANSPOSE_N, &bench->y, &bench->w);
	}
	verify_bench_apply_plainly(bench, &pair->z, TRANSPOSE_C, &bench->w, &bench->z);
	verify_bench_join(
		bench,
		verify_bench_weigh_norms(
			bench, verify_bench_distance(bench, &bench->x, &bench->z, count),
			pair->norm * pair->inverse * verify_bench_norm(bench, &bench->x, count),
			0));
}

void verify_spectrum_judge_pair(struct verify_bench *bench)
{
	const int64_t count = verify_bench_count_values(bench->solved->call);
	struct verify_pair pair;
	verify_linear_judge_cholesky(bench, LAPACK_B);
	verify_spectrum_open_pair(bench, &pair);
	verify_spectrum_judge_order(bench, count, false, pair.values);
	if (bench->lapack->jobs[0] != 'V')
		return;
	verify_spectrum_judge_residual(bench, &pair, count);
	verify_spectrum_judge_pair_basis(bench, &pair, count);
}

/* -- values alone ------------------------------------------------------------------------------ */

static bool verify_spectrum_is_singular(enum family family)
{
	return family == FAMILY_GESDD || family == FAMILY_GESVD;
}

static bool verify_spectrum_is_pair(const struct call *call)
{
	return call->lapack.itype > 0;
}

/* The unit of values, and how far rounding may move them. */
struct verify_reach {
	int values, power;
	double bound;
};

static struct verify_reach verify_spectrum_find_reach(struct verify_bench *bench, int64_t count)
{
	struct verify_view a = verify_bench_before(bench, LAPACK_A, VERIFY_FULL);
	struct verify_pair pair;
	if (verify_spectrum_is_pair(bench->solved->call)) {
		verify_spectrum_open_pair(bench, &pair);
		return (struct verify_reach){pair.values, pair.power,
		                             verify_spectrum_find_growth(bench, &pair, false)};
	}
	if (!verify_spectrum_is_singular(bench->solved->call->family))
		a.form = verify_bench_mirrored(bench);
	a.exponent = verify_spectrum_find_unit(bench, &a, count);
	return (struct verify_reach){a.exponent, a.exponent, verify_view_find_norm(&a)};
}

void verify_spectrum_judge_values(struct verify_bench *bench, const void *values)
{
	const int64_t count = verify_bench_count_values(bench->solved->call);
	const struct verify_reach reach = verify_spectrum_find_reach(bench, count);
	struct verify_norm apart = {.spoilt = false};
	for (int64_t i = 0; i < count; i++) {
		const double gpu = verify_bench_value(bench, values, i),
			     cpu = verify_bench_value(bench, bench->lapack->w, i);
		verify_norm_add_value(&apart, verify_view_scale(gpu, reach.values) -
		                                      verify_view_scale(cpu, reach.values));
	}
	const double distance = apart.spoilt ? __builtin_inf() : (double)verify_norm_find(&apart);
	verify_bench_join(bench,
	                  verify_bench_weigh_norms(bench, distance, reach.bound, reach.power));
}
