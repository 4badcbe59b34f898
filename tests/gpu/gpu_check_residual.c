/* gpu_check_residual.c - residuals of LAPACK's results, in the measures of its own testers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "gpu_check_lapack.h"
#include "gpu_check_system.h"

enum { RATIO_BOUND = 30 };

/* The factors that were written, multiplied: compared with A. */
static long double judge_factors(const struct system *system)
{
	const int64_t m = system->a.rows, n = system->a.columns, least = m < n ? m : n;
	const bool cholesky = system_is_cholesky(system->wanted->family);
	const bool upper = system->wanted->uplo == UPLO_UPPER;
	struct dense left = dense_make(m, least), right = dense_make(least, n);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < m; i++) {
			const long double complex value = system_get(system, ARRAY_A, i, j);
			if (!system_is_stored(system, i, j))
				continue;
			if (cholesky && upper) {
				*dense_at(&right, i, j) = value;
				*dense_at(&left, j, i) = conjl(value);
			} else if (cholesky) {
				*dense_at(&left, i, j) = value;
				*dense_at(&right, j, i) = conjl(value);
			} else {
				*dense_at(i <= j ? &right : &left, i, j) = value;
			}
			if (i == j && !cholesky)
				*dense_at(&left, i, j) = 1;
		}
	struct dense product = dense_multiply(&left, TRANSPOSE_N, &right);
	int64_t *pivots = malloc((size_t)least * sizeof *pivots);
	for (int64_t i = 0; i < least && !cholesky; i++) {
		pivots[i] = system_get_integer(system, ARRAY_IPIV, i);
		EXPECT(pivots[i] > i && pivots[i] <= m, "pivot %d is %d", (int)i, (int)pivots[i]);
		pivots[i] = pivots[i] > i && pivots[i] <= m ? pivots[i] : i + 1;
	}
	dense_permute(&product, pivots, cholesky ? 0 : least, true);
	dense_subtract(&product, &system->a);
	const long double ratio = dense_norm(&product) / dense_norm(&system->a) / (long double)n /
	                          dense_roundoff(system->wanted->element);
	free(pivots);
	dense_free(&left);
	dense_free(&right);
	dense_free(&product);
	return ratio;
}

/* What op(A) X = B leaves. */
static long double judge_solution(const struct system *system)
{
	const enum transpose trans =
		system->wanted->family == FAMILY_GETRS ? system->wanted->trans : TRANSPOSE_N;
	struct dense x = dense_make(system->b.rows, system->b.columns);
	for (int64_t j = 0; j < x.columns; j++)
		for (int64_t i = 0; i < x.rows; i++)
			*dense_at(&x, i, j) = system_get(system, ARRAY_B, i, j);
	struct dense product = dense_multiply(&system->a, trans, &x);
	dense_subtract(&product, &system->b);
	const long double ratio = dense_norm(&product) / dense_norm(&system->a) / dense_norm(&x) /
	                          dense_roundoff(system->wanted->element);
	dense_free(&x);
	dense_free(&product);
	return ratio;
}

void system_judge_ratio(const struct system *system, const char *what, long double ratio)
{
	EXPECT(ratio < RATIO_BOUND, "%s: %s, element %d, m %d, n %d: %g",
	       family_name(system->wanted->family), what, (int)system->wanted->element,
	       (int)system->a.rows, (int)system->a.columns, (double)ratio);
}

/* What A X = I leaves, with the triangle or matrix that was written. */
static long double judge_inverse(const struct system *system)
{
	const int64_t n = system->a.rows;
	const enum family family = system->wanted->family;
	struct dense x = dense_make(n, n);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++)
			if (system_is_stored(system, i, j)) {
				*dense_at(&x, i, j) = system_get(system, ARRAY_A, i, j);
				if (system_is_cholesky(family))
					*dense_at(&x, j, i) = conjl(*dense_at(&x, i, j));
			} else if (i == j) {
				*dense_at(&x, i, j) = 1;
			}
	struct dense product = dense_multiply(&system->a, TRANSPOSE_N, &x);
	for (int64_t i = 0; i < n; i++)
		*dense_at(&product, i, i) -= 1;
	const long double ratio = dense_norm(&product) / dense_norm(&system->a) / dense_norm(&x) /
	                          (long double)n / dense_roundoff(system->wanted->element);
	dense_free(&x);
	dense_free(&product);
	return ratio;
}

/* Values without vectors: the sums of the values and of their squares are A's. */
static long double judge_values(const struct system *system)
{
	const int64_t n = system->a.rows;
	const long double roundoff = dense_roundoff(system->wanted->element);
	long double sum = 0, squares = 0;
	for (int64_t j = 0; j < n; j++) {
		sum += creall(*dense_at(&system->a, j, j));
		for (int64_t i = 0; i < n; i++)
			squares += powl(cabsl(*dense_at(&system->a, i, j)), 2);
	}
	const long double frobenius = sqrtl(squares);
	for (int64_t i = 0; i < n; i++) {
		const long double value = system_get_real(system, ARRAY_W, i);
		sum -= value;
		squares -= value * value;
	}
	return fmaxl(fabsl(sum) / frobenius, fabsl(squares) / frobenius / frobenius) /
	       (long double)n / roundoff;
}

/* |A Z - Z W| or (orthogonal) |I - Z' Z|, of the vectors that were found. */
static long double judge_vectors(const struct system *system, bool orthogonal)
{
	const int64_t n = system->a.rows, found = system->array[ARRAY_W].rows;
	const int name = system_has_z(system->wanted->family) ? ARRAY_Z : ARRAY_A;
	struct dense z = dense_make(n, found);
	for (int64_t j = 0; j < found; j++)
		for (int64_t i = 0; i < n; i++)
			*dense_at(&z, i, j) = system_get(system, name, i, j);
	struct dense rest = orthogonal ? dense_multiply(&z, TRANSPOSE_C, &z)
	                               : dense_multiply(&system->a, TRANSPOSE_N, &z);
	for (int64_t j = 0; j < found; j++)
		for (int64_t i = 0; i < rest.rows; i++)
			*dense_at(&rest, i, j) -=
				orthogonal
					? (long double complex)(i == j)
					: *dense_at(&z, i, j) * system_get_real(system, ARRAY_W, j);
	const long double ratio = dense_norm(&rest) / (orthogonal ? 1 : dense_norm(&system->a)) /
	                          (long double)n / dense_roundoff(system->wanted->element);
	dense_free(&z);
	dense_free(&rest);
	return ratio;
}

/* What A and B, by the type of the problem, leave of the vectors. */
static long double judge_pencil(const struct system *system)
{
	const int64_t n = system->a.rows, found = system->array[ARRAY_W].rows;
	const int type = system->wanted->itype;
	const int name = system_has_z(system->wanted->family) ? ARRAY_Z : ARRAY_A;
	struct dense z = dense_make(n, found), scaled = dense_make(n, found);
	for (int64_t j = 0; j < found; j++)
		for (int64_t i = 0; i < n; i++) {
			*dense_at(&z, i, j) = system_get(system, name, i, j);
			*dense_at(&scaled, i, j) =
				*dense_at(&z, i, j) * system_get_real(system, ARRAY_W, j);
		}
	struct dense inner = dense_multiply(type == 3 ? &system->a : &system->b, TRANSPOSE_N,
	                                    type == 1 ? &scaled : &z);
	struct dense outer = dense_multiply(type == 3 ? &system->b : &system->a, TRANSPOSE_N,
	                                    type == 1 ? &z : &inner);
	dense_subtract(&outer, type == 1 ? &inner : &scaled);
	const long double ratio = dense_norm(&outer) / dense_norm(&system->a) / dense_norm(&z) /
	                          (long double)n / (type == 1 ? 1 : dense_norm(&system->b)) /
	                          dense_roundoff(system->wanted->element);
	dense_free(&z);
	dense_free(&scaled);
	dense_free(&inner);
	dense_free(&outer);
	return ratio;
}

static void judge_spectrum(const struct system *system)
{
	const struct gpu_check_lapack *wanted = system->wanted;
	const int64_t found = system->array[ARRAY_W].rows;
	const bool rows = wanted->family == FAMILY_SYEVR || wanted->family == FAMILY_HEEVR;
	for (int64_t i = 1; i < found; i++)
		EXPECT(system_get_real(system, ARRAY_W, i - 1) <=
		               system_get_real(system, ARRAY_W, i),
		       "eigenvalue %d is not in order", (int)i);
	if (system_has_z(wanted->family))
		EXPECT(system_get_integer(system, ARRAY_FOUND, 0) == found, "found %d",
		       (int)system_get_integer(system, ARRAY_FOUND, 0));
	for (int64_t i = 0; i < system->array[ARRAY_SUPPORT].rows; i++)
		EXPECT(system_get_integer(system, ARRAY_SUPPORT, i) == (!rows        ? 0
		                                                        : i % 2 == 0 ? 1
		                                                                     : wanted->n),
		       "isuppz or ifail %d", (int)i);
	if (system_is_pencil(wanted->family)) {
		if (wanted->job == 'V')
			system_judge_ratio(system, "pencil", judge_pencil(system));
	} else if (wanted->job == 'V') {
		system_judge_ratio(system, "vectors", judge_vectors(system, false));
		system_judge_ratio(system, "orthogonality", judge_vectors(system, true));
	} else if (found == wanted->n) {
		system_judge_ratio(system, "values", judge_values(system));
	}
}

void system_judge(const struct system *system)
{
	const enum family family = system->wanted->family;
	EXPECT(system_get_integer(system, ARRAY_INFO, 0) == 0, "info is %d",
	       (int)system_get_integer(system, ARRAY_INFO, 0));
	if (system_is_spectrum(family))
		judge_spectrum(system);
	else if (system_is_orthogonal(family))
		system_judge_orthogonal(system);
	else if (system_is_singular(family))
		system_judge_singular(system);
	else if (system_is_general(family))
		system_judge_general(system);
	else if (system_is_least(family))
		system_judge_least(system);
	else if (system_is_inverse(family))
		system_judge_ratio(system, "inverse", judge_inverse(system));
	else if (!system_is_factored(family))
		system_judge_ratio(system, "factors", judge_factors(system));
	if (system_has_right_sides(family))
		system_judge_ratio(system, "solution", judge_solution(system));
}
