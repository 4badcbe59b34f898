/* gpu_check_orthogonal.c - residuals of QR factors, singular values, and geev */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "gpu_check_lapack.h"
#include "gpu_check_system.h"

struct dense system_copy(const struct system *system, int name, bool upper)
{
	const struct array *array = &system->array[name];
	struct dense copy = dense_make(array->rows, array->columns);
	for (int64_t j = 0; j < array->columns; j++)
		for (int64_t i = 0; i < array->rows; i++)
			if (!upper || i <= j)
				*dense_at(&copy, i, j) = system_get(system, name, i, j);
	return copy;
}

static struct dense make_unit(int64_t rows, int64_t columns)
{
	struct dense unit = dense_make(rows, columns);
	for (int64_t i = 0; i < rows && i < columns; i++)
		*dense_at(&unit, i, i) = 1;
	return unit;
}

static struct dense transpose(const struct dense *a)
{
	struct dense turned = dense_make(a->columns, a->rows);
	for (int64_t j = 0; j < a->columns; j++)
		for (int64_t i = 0; i < a->rows; i++)
			*dense_at(&turned, j, i) = conjl(*dense_at(a, i, j));
	return turned;
}

/* |X - Y| by m and a norm; both are freed. */
static void judge_difference(const struct system *system, const char *what, struct dense x,
                             struct dense y, long double norm)
{
	dense_subtract(&x, &y);
	system_judge_ratio(system, what,
	                   dense_norm(&x) / norm / (long double)x.rows /
	                           dense_roundoff(system->wanted->element));
	dense_free(&x);
	dense_free(&y);
}

/* |A - Q R|, and |I - Q' Q| of the reflectors that were written. */
static void judge_factors(const struct system *system)
{
	struct dense product = system_copy(system, ARRAY_A, true),
		     q = make_unit(system->a.rows, system->a.rows), turned = transpose(&system->a);
	system_reflect(system, &product, false);
	system_reflect(system, &q, false);
	judge_difference(system, "Q R", product, transpose(&turned), dense_norm(&system->a));
	judge_difference(system, "Q' Q", dense_multiply(&q, TRANSPOSE_C, &q),
	                 make_unit(q.rows, q.rows), 1);
	dense_free(&turned);
	dense_free(&q);
}

/* B was drawn, and is what Q is applied to. */
static void judge_application(const struct system *system)
{
	const bool plain = system->wanted->trans == TRANSPOSE_N;
	struct dense turned = transpose(&system->b), x;
	if (system->wanted->side == SIDE_LEFT) {
		x = transpose(&turned);
		system_reflect(system, &x, !plain);
	} else {
		system_reflect(system, &turned, plain);
		x = transpose(&turned);
	}
	dense_free(&turned);
	judge_difference(system, "op(Q) C", system_copy(system, ARRAY_B, false), x,
	                 dense_norm(&system->b));
}

/* The reflectors were overwritten: they are read from the block before the call. */
static void judge_columns(const struct system *system)
{
	struct system before = *system;
	before.memory = system->before;
	struct dense q = make_unit(system->a.rows, system->a.columns);
	system_reflect(&before, &q, false);
	judge_difference(system, "Q", system_copy(system, ARRAY_A, false), q, 1);
}

void system_judge_orthogonal(const struct system *system)
{
	const enum family family = system->wanted->family;
	if (family == FAMILY_GEQRF)
		judge_factors(system);
	else if (family == FAMILY_ORMQR || family == FAMILY_UNMQR)
		judge_application(system);
	else
		judge_columns(system);
}

/* X in the first rows of B, and the length of what is left in the others: that of B - A X. */
static void judge_least_rest(const struct system *system, const struct dense *rest)
{
	const int64_t n = system->a.columns;
	for (int64_t j = 0; j < rest->columns; j++) {
		long double wanted = 0, left = 0, whole = 0;
		for (int64_t i = 0; i < rest->rows; i++) {
			wanted += powl(cabsl(*dense_at(rest, i, j)), 2);
			whole += powl(cabsl(*dense_at(&system->b, i, j)), 2);
			if (i >= n)
				left += powl(cabsl(system_get(system, ARRAY_B, i, j)), 2);
		}
		system_judge_ratio(system, "what is left",
		                   fabsl(sqrtl(wanted) - sqrtl(left)) / sqrtl(whole) /
		                           (long double)rest->rows /
		                           dense_roundoff(system->wanted->element));
	}
}

/* Takes from x its part along a column of the other. */
static void leave_out(struct dense *x, int64_t column, const struct dense *q, int64_t other)
{
	long double complex along = 0;
	for (int64_t i = 0; i < x->rows; i++)
		along += conjl(*dense_at(q, i, other)) * *dense_at(x, i, column);
	for (int64_t i = 0; i < x->rows; i++)
		*dense_at(x, i, column) -= along * *dense_at(q, i, other);
}

/* The columns as an orthonormal basis; each is made orthogonal twice. */
static void make_basis(struct dense *q)
{
	for (int64_t j = 0; j < q->columns; j++) {
		long double square = 0;
		for (int64_t step = 0; step < 2 * j; step++)
			leave_out(q, j, q, step % j);
		for (int64_t i = 0; i < q->rows; i++)
			square += powl(cabsl(*dense_at(q, i, j)), 2);
		for (int64_t i = 0; i < q->rows; i++)
			*dense_at(q, i, j) /= sqrtl(square);
	}
}

/* A' X = B, and X has the least norm: nothing of it is orthogonal to the columns of A. */
static void judge_least_norm(const struct system *system)
{
	struct dense turned = transpose(&system->a), q = transpose(&turned),
		     x = system_copy(system, ARRAY_B, false),
		     b = dense_make(system->a.columns, x.columns);
	const long double norm = dense_norm(&x);
	for (int64_t j = 0; j < b.columns; j++)
		for (int64_t i = 0; i < b.rows; i++)
			*dense_at(&b, i, j) = *dense_at(&system->b, i, j);
	judge_difference(system, "solution", dense_multiply(&system->a, TRANSPOSE_C, &x), b,
	                 dense_norm(&turned) * norm);
	make_basis(&q);
	for (int64_t j = 0; j < x.columns; j++)
		for (int64_t l = 0; l < q.columns; l++)
			leave_out(&x, j, &q, l);
	const struct dense none = dense_make(x.rows, x.columns);
	judge_difference(system, "least norm", x, none, norm);
	dense_free(&turned);
	dense_free(&q);
}

/* A' (B - A X) = 0, and R' R = A' A. */
void system_judge_least(const struct system *system)
{
	if (system->wanted->trans != TRANSPOSE_N) {
		judge_least_norm(system);
		return;
	}
	const int64_t n = system->a.columns;
	const long double norm = dense_norm(&system->a);
	struct dense x = dense_make(n, system->b.columns), r = dense_make(n, n);
	for (int64_t i = 0; i < n; i++) {
		for (int64_t j = 0; j < x.columns; j++)
			*dense_at(&x, i, j) = system_get(system, ARRAY_B, i, j);
		for (int64_t j = i; j < n; j++)
			*dense_at(&r, i, j) = system_get(system, ARRAY_A, i, j);
	}
	struct dense rest = dense_multiply(&system->a, TRANSPOSE_N, &x);
	dense_subtract(&rest, &system->b);
	struct dense normal = dense_multiply(&system->a, TRANSPOSE_C, &rest);
	judge_difference(system, "normal equations", normal, dense_make(n, x.columns),
	                 norm * (norm * dense_norm(&x) + dense_norm(&system->b)));
	judge_difference(system, "R' R", dense_multiply(&r, TRANSPOSE_C, &r),
	                 dense_multiply(&system->a, TRANSPOSE_C, &system->a), norm * norm);
	judge_least_rest(system, &rest);
	dense_free(&rest);
	dense_free(&x);
	dense_free(&r);
}

/* U has orthonormal columns, VT orthonormal rows. */
static void judge_orthonormal(const struct system *system, int name)
{
	struct dense x = system_copy(system, name, false), turned = transpose(&x);
	const struct dense *columns = name == ARRAY_VT ? &turned : &x;
	judge_difference(system, "orthogonality", dense_multiply(columns, TRANSPOSE_C, columns),
	                 make_unit(columns->columns, columns->columns), 1);
	dense_free(&x);
	dense_free(&turned);
}

/* U S VT, of as many columns and rows as there are values. */
static struct dense multiply_back(const struct system *system)
{
	const int64_t count = system->array[ARRAY_W].rows;
	struct dense left = dense_make(system->a.rows, count),
		     right = dense_make(count, system->a.columns);
	for (int64_t l = 0; l < count; l++) {
		for (int64_t i = 0; i < left.rows; i++)
			*dense_at(&left, i, l) = system_get(system, ARRAY_Z, i, l) *
			                         system_get_real(system, ARRAY_W, l);
		for (int64_t j = 0; j < right.columns; j++)
			*dense_at(&right, l, j) = system_get(system, ARRAY_VT, l, j);
	}
	struct dense product = dense_multiply(&left, TRANSPOSE_N, &right);
	dense_free(&left);
	dense_free(&right);
	return product;
}

/* The sum of the squares is A's. */
static long double judge_values(const struct system *system)
{
	long double squares = 0;
	for (int64_t i = 0; i < system->a.rows * system->a.columns; i++)
		squares += powl(cabsl(system->a.x[i]), 2);
	long double rest = squares;
	for (int64_t i = 0; i < system->array[ARRAY_W].rows; i++)
		rest -= powl(system_get_real(system, ARRAY_W, i), 2);
	return fabsl(rest) / squares / (long double)system->a.rows /
	       dense_roundoff(system->wanted->element);
}

void system_judge_singular(const struct system *system)
{
	for (int64_t i = 0; i < system->array[ARRAY_W].rows; i++)
		EXPECT(system_get_real(system, ARRAY_W, i) >= 0 &&
		               (i == 0 || system_get_real(system, ARRAY_W, i) <=
		                                  system_get_real(system, ARRAY_W, i - 1)),
		       "singular value %d is not in order", (int)i);
	system_judge_ratio(system, "values", judge_values(system));
	if (system->array[ARRAY_Z].rows > 0)
		judge_orthonormal(system, ARRAY_Z);
	if (system->array[ARRAY_VT].rows > 0)
		judge_orthonormal(system, ARRAY_VT);
	if (system->array[ARRAY_Z].rows == 0 || system->array[ARRAY_VT].rows == 0)
		return;
	struct dense turned = transpose(&system->a);
	judge_difference(system, "U S VT", multiply_back(system), transpose(&turned),
	                 dense_norm(&system->a));
	dense_free(&turned);
}

/* Eigenvalue number j, and its vector: of real elements a pair of columns is one of two. */
static long double complex general_value(const struct system *system, int64_t j)
{
	if (element_is_complex(system->wanted->element))
		return system_get(system, ARRAY_W, j, 0);
	return system_get_real(system, ARRAY_W, j) + I * system_get_real(system, ARRAY_WI, j);
}

static long double complex general_vector(const struct system *system, int64_t i, int64_t j)
{
	const long double imaginary = element_is_complex(system->wanted->element)
	                                      ? 0
	                                      : system_get_real(system, ARRAY_WI, j);
	if (imaginary > 0)
		return system_get(system, ARRAY_VT, i, j) +
		       I * system_get(system, ARRAY_VT, i, j + 1);
	if (imaginary < 0)
		return system_get(system, ARRAY_VT, i, j - 1) -
		       I * system_get(system, ARRAY_VT, i, j);
	return system_get(system, ARRAY_VT, i, j);
}

/* |A V - V W| and the norms of the vectors; without them the sum of the values. */
void system_judge_general(const struct system *system)
{
	const int64_t n = system->a.rows;
	long double complex sum = 0;
	for (int64_t j = 0; j < n; j++)
		sum += general_value(system, j) - *dense_at(&system->a, j, j);
	system_judge_ratio(system, "sum of values",
	                   cabsl(sum) / dense_norm(&system->a) / (long double)n /
	                           dense_roundoff(system->wanted->element));
	if (system->array[ARRAY_VT].rows == 0)
		return;
	struct dense v = dense_make(n, n), scaled = dense_make(n, n);
	for (int64_t j = 0; j < n; j++) {
		long double square = 0;
		for (int64_t i = 0; i < n; i++) {
			*dense_at(&v, i, j) = general_vector(system, i, j);
			*dense_at(&scaled, i, j) = *dense_at(&v, i, j) * general_value(system, j);
			square += powl(cabsl(*dense_at(&v, i, j)), 2);
		}
		system_judge_ratio(system, "norm of a vector",
		                   fabsl(sqrtl(square) - 1) / (long double)n /
		                           dense_roundoff(system->wanted->element));
	}
	judge_difference(system, "A V", dense_multiply(&system->a, TRANSPOSE_N, &v), scaled,
	                 dense_norm(&system->a) * dense_norm(&v));
	dense_free(&v);
}
