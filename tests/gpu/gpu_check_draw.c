/* gpu_check_draw.c - the numbers of a LAPACK problem */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "gpu_check_lapack.h"
#include "gpu_check_system.h"

/* Rounded to the element, so that what is stored is what is judged. */
static long double complex draw(const struct system *system)
{
	const bool two = element_is_complex(system->wanted->element);
	const double complex value = CMPLX(gpu_check_random(), two ? gpu_check_random() : 0);
	if (system->wanted->element == ELEMENT_D || system->wanted->element == ELEMENT_Z)
		return value;
	return CMPLX((float)creal(value), (float)cimag(value));
}

/* FLAWED: a column, or of a wide matrix a row, is 0. */
static void draw_general(struct system *system)
{
	for (int64_t j = 0; j < system->a.columns; j++)
		for (int64_t i = 0; i < system->a.rows; i++)
			*dense_at(&system->a, i, j) =
				draw(system) * ldexpl(1, system->wanted->power_a);
	const bool wide = system->a.rows < system->a.columns;
	const int64_t count = wide ? system->a.columns : system->a.rows;
	for (int64_t i = 0; system->wanted->kind == CHECK_FLAWED && i < count; i++)
		*dense_at(&system->a, wide ? system->a.rows / 2 : i,
		          wide ? i : system->a.columns / 2) = 0;
}

/* Diagonally dominant. */
static void draw_definite(struct system *system)
{
	const int64_t n = system->a.rows;
	for (int64_t j = 0; j < n; j++) {
		for (int64_t i = 0; i < j; i++) {
			*dense_at(&system->a, i, j) = draw(system);
			*dense_at(&system->a, j, i) = conjl(*dense_at(&system->a, i, j));
		}
		*dense_at(&system->a, j, j) = 2 * (long double)n;
	}
	if (system->wanted->kind == CHECK_FLAWED)
		*dense_at(&system->a, n / 2, n / 2) = -1;
}

/* Hermitian, of any signature. */
static void draw_symmetric(struct system *system)
{
	const int64_t n = system->a.rows;
	for (int64_t j = 0; j < n; j++) {
		for (int64_t i = 0; i < j; i++) {
			*dense_at(&system->a, i, j) = draw(system);
			*dense_at(&system->a, j, i) = conjl(*dense_at(&system->a, i, j));
		}
		*dense_at(&system->a, j, j) = creall(draw(system));
	}
}

/* A triangular factor as an element of the matrix that is passed. */
static long double complex draw_factor(const struct system *system, int64_t i, int64_t j)
{
	const bool single =
		system->wanted->element == ELEMENT_S || system->wanted->element == ELEMENT_C;
	const long double complex value = i == j ? 2 : draw(system) / (long double)system->a.rows;
	return single ? CMPLX((float)creall(value), (float)cimagl(value))
	              : CMPLX((double)creall(value), (double)cimagl(value));
}

/* Factors are drawn, stored, and multiplied. lower, upper: of A, or of its rows in other order. */
static void draw_factors(struct system *system)
{
	const int64_t n = system->a.rows;
	const bool cholesky = system_is_cholesky(system->wanted->family);
	struct dense lower = dense_make(n, n), upper = dense_make(n, n);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++) {
			const long double complex value = draw_factor(system, i, j);
			if (!system_is_stored(system, i, j))
				continue;
			system_set(system, ARRAY_A, i, j, value);
			*dense_at(i <= j ? &upper : &lower, i, j) = value;
			if (i == j)
				*dense_at(&lower, i, j) = cholesky ? value : 1;
		}
	dense_free(&system->a);
	if (!cholesky)
		system->a = dense_multiply(&lower, TRANSPOSE_N, &upper);
	else if (system->wanted->uplo == UPLO_UPPER)
		system->a = dense_multiply(&upper, TRANSPOSE_C, &upper);
	else {
		for (int64_t i = 0; i < n * n; i++)
			upper.x[i] = 0;
		for (int64_t j = 0; j < n; j++)
			for (int64_t i = 0; i < n; i++)
				*dense_at(&upper, j, i) = conjl(*dense_at(&lower, i, j));
		system->a = dense_multiply(&lower, TRANSPOSE_N, &upper);
	}
	dense_free(&lower);
	dense_free(&upper);
}

/* With unit its diagonal is 1, and NaN in memory. */
static void draw_triangle(struct system *system)
{
	const int64_t n = system->a.rows;
	for (int64_t j = 0; j < n; j++) {
		for (int64_t i = 0; i < n; i++)
			if (system_is_stored(system, i, j))
				*dense_at(&system->a, i, j) = draw_factor(system, i, j);
		if (system->wanted->diag == DIAG_UNIT)
			*dense_at(&system->a, j, j) = 1;
	}
	if (system->wanted->kind == CHECK_FLAWED)
		*dense_at(&system->a, n / 2, n / 2) = 0;
}

static void draw_pivots(struct system *system)
{
	const int64_t n = system->a.rows;
	int64_t *pivots = malloc((size_t)n * sizeof *pivots);
	for (int64_t i = 0; i < n; i++) {
		pivots[i] = i + 1 + (int64_t)(fabs(gpu_check_random()) * (double)(n - i));
		pivots[i] = pivots[i] > n ? n : pivots[i];
		system_set_integer(system, ARRAY_IPIV, i, pivots[i]);
	}
	dense_permute(&system->a, pivots, n, true);
	free(pivots);
}

/* What is not referenced is NaN, and the imaginary part of a Hermitian diagonal anything. */
static void system_store(struct system *system)
{
	const bool odd = (system_is_cholesky(system->wanted->family) ||
	                  system_is_spectrum(system->wanted->family)) &&
	                 element_is_complex(system->wanted->element);
	for (int64_t j = 0; j < system->a.columns; j++)
		for (int64_t i = 0; i < system->a.rows; i++)
			system_set(system, ARRAY_A, i, j,
			           !system_is_stored(system, i, j)
			                   ? (long double complex)CMPLX(NAN, NAN)
			                   : *dense_at(&system->a, i, j) +
			                             (odd && i == j ? 7 * I : 0));
}

static void system_store_factored(struct system *system)
{
	for (int64_t j = 0; j < system->a.columns; j++)
		for (int64_t i = 0; i < system->a.rows; i++)
			if (!system_is_stored(system, i, j))
				system_set(system, ARRAY_A, i, j, CMPLX(NAN, NAN));
	draw_factors(system);
	if (!system_is_cholesky(system->wanted->family))
		draw_pivots(system);
}

static void system_spoil(struct system *system)
{
	const int64_t last = system->a.columns - 1;
	const bool lower = system->wanted->uplo == UPLO_LOWER;
	if (system->wanted->kind != CHECK_SPOILT)
		return;
	if (system_has_reflectors(system->wanted->family)) {
		system_set(system, ARRAY_A, system->a.rows - 1, 0, CMPLX(NAN, 0));
		return;
	}
	if (system->b.columns > 0 && !system_is_pencil(system->wanted->family) &&
	    system->wanted->gap % 2 == 0)
		system_set(system, ARRAY_B, system->wanted->n / 2, system->wanted->nrhs / 2,
		           INFINITY);
	else
		system_set(system, ARRAY_A, lower ? last : 0, lower ? 0 : last, CMPLX(NAN, 0));
}

/* The reflectors in A: v has 1 at its head, which is not stored, and 0 above. */
void system_reflect(const struct system *system, struct dense *x, bool back)
{
	const int64_t count = system->array[ARRAY_TAU].rows, rows = x->rows;
	for (int64_t step = 0; step < count; step++) {
		const int64_t i = back ? step : count - 1 - step;
		long double complex tau = system_get(system, ARRAY_TAU, i, 0);
		tau = back ? conjl(tau) : tau;
		for (int64_t j = 0; j < x->columns; j++) {
			long double complex sum = *dense_at(x, i, j);
			for (int64_t r = i + 1; r < rows; r++)
				sum += conjl(system_get(system, ARRAY_A, r, i)) *
				       *dense_at(x, r, j);
			*dense_at(x, i, j) -= tau * sum;
			for (int64_t r = i + 1; r < rows; r++)
				*dense_at(x, r, j) -= tau * sum * system_get(system, ARRAY_A, r, i);
		}
	}
}

/* Reflectors are unitary: tau is 2 by the square of v's norm. What is not read is NaN. */
static void draw_reflectors(struct system *system)
{
	const int64_t count = system->array[ARRAY_TAU].rows;
	for (int64_t j = 0; j < system->a.columns; j++) {
		long double square = 1;
		for (int64_t i = 0; i < system->a.rows; i++) {
			const bool stored = j < count && i > j;
			system_set(system, ARRAY_A, i, j,
			           stored ? draw(system) : (long double complex)CMPLX(NAN, NAN));
			if (stored)
				square += powl(cabsl(system_get(system, ARRAY_A, i, j)), 2);
		}
		if (j < count)
			system_set(system, ARRAY_TAU, j, 0, 2 / square);
	}
}

/* B of a pencil: like A, of which one triangle is stored, with an odd diagonal. */
static void draw_pencil(struct system *system)
{
	const struct dense a = system->a;
	const bool odd = element_is_complex(system->wanted->element);
	system->a = dense_make(a.rows, a.columns);
	draw_definite(system);
	for (int64_t j = 0; j < a.columns; j++)
		for (int64_t i = 0; i < a.rows; i++)
			system_set(system, ARRAY_B, i, j,
			           !system_is_stored(system, i, j)
			                   ? (long double complex)CMPLX(NAN, NAN)
			                   : *dense_at(&system->a, i, j) +
			                             (odd && i == j ? 5 * I : 0));
	dense_free(&system->b);
	system->b = system->a;
	system->a = a;
}

/* Below the rows of op(A) nothing of B is read. */
static void hide_rest(struct system *system)
{
	for (int64_t j = 0; j < system->b.columns; j++)
		for (int64_t i = system->a.columns; i < system->b.rows; i++)
			system_set(system, ARRAY_B, i, j, CMPLX(NAN, NAN));
}

void system_fill(struct system *system)
{
	const struct gpu_check_lapack *wanted = system->wanted;
	system->a = dense_make(system->array[ARRAY_A].rows, system->array[ARRAY_A].columns);
	system->b = dense_make(system->array[ARRAY_B].rows, system->array[ARRAY_B].columns);
	if (system_has_reflectors(wanted->family)) {
		draw_reflectors(system);
	} else if (system_is_factored(wanted->family)) {
		system_store_factored(system);
	} else {
		if (system_is_cholesky(wanted->family))
			draw_definite(system);
		else if (system_is_spectrum(wanted->family))
			draw_symmetric(system);
		else if (wanted->family == FAMILY_TRTRI)
			draw_triangle(system);
		else
			draw_general(system);
		system_store(system);
	}
	if (system_is_pencil(wanted->family))
		draw_pencil(system);
	for (int64_t j = 0; !system_is_pencil(wanted->family) && j < system->b.columns; j++)
		for (int64_t i = 0; i < system->b.rows; i++)
			system_set(system, ARRAY_B, i, j,
			           *dense_at(&system->b, i, j) =
			                   draw(system) * ldexpl(1, wanted->power_b));
	if (system_is_least(wanted->family) && wanted->trans != TRANSPOSE_N)
		hide_rest(system);
	system_spoil(system);
}
