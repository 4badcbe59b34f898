/* lapack_fill.c - the matrices of random LAPACK calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "lapack_dense.h"
#include "lapack_trial.h"
#include "tests/numeric/draw.h"

static double fill_number(void)
{
	return ((int)draw_below(20001) - 10000) / 10000.0 + draw_below(1u << 30) * 0x1p-50;
}

static double complex fill_element(const struct trial *t)
{
	const double real = fill_number();
	return type_is_complex(t->type) ? CMPLX(real, fill_number()) : CMPLX(real, 0);
}

static struct dense fill_random(const struct trial *t, int64_t rows, int64_t columns)
{
	struct dense x = dense_make(rows, columns);
	for (int64_t i = 0; i < rows * columns; i++)
		x.at[i] = fill_element(t);
	return x;
}

/* Two reflections: Q X for a unitary Q. */
static struct dense fill_mix(const struct trial *t, struct dense x)
{
	for (int i = 0; i < 2 && x.rows > 1; i++) {
		struct dense v = fill_random(t, x.rows, 1);
		double square = 0;
		v.at[0] = 1;
		for (int64_t row = 0; row < x.rows; row++)
			square += creal(v.at[row] * conj(v.at[row]));
		dense_reflect(x, 0, v.at, 2 / square);
	}
	return x;
}

/* Decades over which a matrix may be graded without the loss of all its small parts. */
static double fill_decades(const struct trial *t)
{
	return type_is_single(t->type) ? 3 : 10;
}

static void fill_general(const struct trial *t, struct dense x)
{
	const int64_t k = x.rows < x.columns ? x.rows : x.columns;
	struct dense y = x;
	switch (t->content) {
	case CONTENT_ZERO: return;
	case CONTENT_IDENTITY: y = dense_identity(x.rows, x.columns); break;
	case CONTENT_CLUSTERED:
		for (int64_t i = 0; i < k; i++)
			*dense_at(x, i, i) = i % 3 == 0 ? 1 : i % 3 == 1 ? 1 + 1e-12 : 1e-2;
		fill_mix(t, x);
		y = dense_transpose(fill_mix(t, dense_transpose(x, true)), true);
		break;
	case CONTENT_DEFICIENT:
		y = dense_multiply(fill_random(t, x.rows, (k + 1) / 2), FORM_PLAIN,
		                   fill_random(t, (k + 1) / 2, x.columns), FORM_PLAIN);
		break;
	default: y = fill_random(t, x.rows, x.columns); break;
	}
	for (int64_t j = 0; j < x.columns; j++)
		for (int64_t i = 0; i < x.rows; i++) {
			*dense_at(x, i, j) = *dense_at(y, i, j);
			if (t->content == CONTENT_GRADED)
				*dense_at(x, i, j) *=
					pow(10, -fill_decades(t) * (double)j / (double)x.columns);
			if (t->content == CONTENT_SINGULAR && j == t->index)
				*dense_at(x, i, j) = 0;
		}
}

static double fill_eigenvalue(const struct trial *t, int64_t i, bool positive)
{
	const double place = ((double)i + 1) / (double)t->n;
	const double sign = positive || i % 2 ? 1 : -1;
	switch (t->content) {
	case CONTENT_GRADED: return sign * pow(10, -(positive ? 4 : fill_decades(t)) * place);
	case CONTENT_CLUSTERED: return i % 3 == 0 ? sign : i % 3 == 1 ? sign * (1 + 1e-12) : 0.5;
	case CONTENT_DEFICIENT: return positive ? 0.5 + place / 2 : i % 2 ? 0 : place;
	case CONTENT_ZERO: return 0;
	case CONTENT_IDENTITY: return 1;
	default: return sign * (0.1 + place);
	}
}

static struct dense fill_hermitian(const struct trial *t, int64_t n, bool positive)
{
	struct dense x = dense_identity(n, n);
	if (t->content == CONTENT_IDENTITY)
		return x;
	struct dense q = fill_mix(t, dense_identity(n, n));
	for (int64_t i = 0; i < n; i++)
		*dense_at(x, i, i) = fill_eigenvalue(t, i, positive);
	return dense_multiply(dense_multiply(q, FORM_PLAIN, x, FORM_PLAIN), FORM_PLAIN, q,
	                      FORM_ADJOINT);
}

static void fill_store(const struct trial *t, enum slot slot, struct dense x, double scale)
{
	const struct operand *o = &t->operand[slot];
	for (int64_t j = 0; j < x.columns; j++)
		for (int64_t i = 0; i < x.rows; i++) {
			double complex value = *dense_at(x, i, j) * scale;
			if ((o->read == PART_UPPER && i > j) || (o->read == PART_LOWER && i < j))
				continue;
			memory_set(t, slot, i, j, value);
		}
}

/* Of B gels reads as many rows as op(A) has. */
static int64_t fill_count_rows(const struct trial *t, enum slot slot)
{
	if (t->family != GELS || slot != SLOT_B)
		return t->operand[slot].rows;
	return t->trans == 'N' ? t->m : t->n;
}

/* One element that is read becomes NaN or Inf. */
static void fill_foreign(const struct trial *t, enum slot slot)
{
	const struct operand *o = &t->operand[slot];
	const int64_t rows = fill_count_rows(t, slot);
	if (rows < 1 || o->columns < 1)
		return;
	int64_t row = draw_below((unsigned)rows), column = draw_below((unsigned)o->columns);
	if ((o->read == PART_UPPER && row > column) || (o->read == PART_LOWER && row < column)) {
		const int64_t swap = row;
		row = column;
		column = swap;
	}
	memory_set(t, slot, row, column, draw_below(2) || t->family > GELS ? NAN : INFINITY);
}

static void fill_right_sides(const struct trial *t)
{
	const struct operand *b = &t->operand[SLOT_B];
	struct dense x = fill_random(t, b->rows, b->columns);
	fill_store(t, SLOT_B, x, draw_below(2) ? 1 : pow(10, (int)draw_below(13) - 6));
	for (int64_t j = 0; j < b->columns; j++)
		for (int64_t i = fill_count_rows(t, SLOT_B); i < b->rows; i++)
			memory_set(t, SLOT_B, i, j, NAN);
}

static void fill_pivots(const struct trial *t)
{
	for (int64_t i = 0; i < t->operand[SLOT_IPIV].rows; i++)
		memory_set(t, SLOT_IPIV, i, 0, (double)(i + 1));
}

/*
 * Has the library compute the factor that the call expects, in place of what is in A: its results in
 * COPY_LIBRARY become what is before the call.
 */
static void fill_factor(struct trial *t, enum family family,
                        void *(*find)(enum family family, enum type type))
{
	struct trial factor = *t;
	factor.family = family;
	memory_copy(t, COPY_BEFORE, COPY_LIBRARY);
	trial_call(&factor, COPY_LIBRARY, find(family, t->type));
	memory_copy(t, COPY_LIBRARY, COPY_BEFORE);
}

/* Column by column a reflection that leaves its first row, as LAPACK stores them. */
static void fill_reflections(struct trial *t)
{
	struct dense a = fill_random(t, t->operand[SLOT_A].rows, t->k);
	struct dense tau = dense_make(t->k, 1);
	for (int64_t j = 0; j < t->k; j++) {
		struct dense v = dense_make(a.rows - j, 1), rest = a;
		double square = 0;
		for (int64_t i = 0; i < v.rows; i++) {
			v.at[i] = *dense_at(a, i + j, j);
			square += creal(v.at[i] * conj(v.at[i]));
		}
		const double complex alpha = v.at[0];
		const double beta = creal(alpha) < 0 ? sqrt(square) : -sqrt(square);
		*dense_at(tau, j, 0) = beta == 0 ? 0 : (beta - alpha) / beta;
		for (int64_t i = 1; i < v.rows; i++)
			v.at[i] /= alpha - beta;
		rest.at = dense_at(a, 0, j);
		rest.columns = a.columns - j;
		dense_reflect(rest, j, v.at, conj(*dense_at(tau, j, 0)));
		for (int64_t i = 1; i < v.rows; i++)
			*dense_at(a, i + j, j) = v.at[i];
	}
	fill_store(t, SLOT_A, a, 1);
	fill_store(t, SLOT_TAU, tau, 1);
}

/* The bounds lie in gaps between eigenvalues, of which the library tells. */
static void fill_bounds(struct trial *t, void *(*find)(enum family family, enum type type))
{
	struct trial all = *t;
	double edge[ORDER_MAX + 2];
	int edges = 0;
	all.range = 'A';
	all.job = 'N';
	memory_copy(t, COPY_BEFORE, COPY_LIBRARY);
	trial_call(&all, COPY_LIBRARY, find(t->family, t->type));
	if (all.outcome[COPY_LIBRARY].info != 0)
		return;
	const double first = creal(memory_get(t, COPY_LIBRARY, SLOT_W, 0, 0));
	const double last = creal(memory_get(t, COPY_LIBRARY, SLOT_W, t->n - 1, 0));
	const double width = fabs(last) > fabs(first) ? fabs(last) : fabs(first);
	edge[edges++] = first - width - 1e-30;
	for (int64_t i = 1; i < t->n; i++) {
		const double low = creal(memory_get(t, COPY_LIBRARY, SLOT_W, i - 1, 0)),
			     high = creal(memory_get(t, COPY_LIBRARY, SLOT_W, i, 0));
		if (high - low > width * (type_is_single(t->type) ? 1e-3 : 1e-8))
			edge[edges++] = low + (high - low) / 2;
	}
	edge[edges++] = last + width + 1e-30;
	const unsigned begin = draw_below((unsigned)edges - 1);
	t->vl = edge[begin];
	t->vu = edge[begin + 1 + draw_below((unsigned)edges - 1 - begin)];
}

/* Some contents mean nothing to some routines, or leave info to rounding. */
static void fill_choose(struct trial *t)
{
	const bool needs_factor = t->family == GETRS || t->family == POTRS || t->family == ORGQR ||
	                          t->family == ORMQR;
	const bool is_cholesky = t->family >= POTRF && t->family <= POTRI;
	if (t->content == CONTENT_DEFICIENT &&
	    (t->family == GESV || t->family == GELS || t->family == GETRI || t->family == TRTRI))
		t->content = CONTENT_RANDOM;
	if (needs_factor && (t->content == CONTENT_SINGULAR || t->content == CONTENT_ZERO ||
	                     t->content == CONTENT_DEFICIENT))
		t->content = CONTENT_RANDOM;
	/* There LAPACK may run for ever. */
	if (t->content == CONTENT_FOREIGN &&
	    (t->family == GEEV || t->family == SYEVR || t->family == GESVD))
		t->content = CONTENT_RANDOM;
	if (t->family == POTRI && t->content == CONTENT_ZERO)
		t->content = CONTENT_SINGULAR;
	/* What stands above its reflections is not read. */
	if (t->family == ORGQR && t->content == CONTENT_FOREIGN)
		t->content = CONTENT_RANDOM;
	/* Its diagonal is not read. */
	if (t->family == TRTRI && t->diag == 'U') {
		t->scale = 1;
		if (t->content == CONTENT_FOREIGN)
			t->content = CONTENT_RANDOM;
	}
	if (is_cholesky && t->content == CONTENT_CLUSTERED)
		t->content = CONTENT_GRADED;
	t->index = (int)draw_below((unsigned)(t->n > 0 ? t->n : 1));
}

static void fill_triangular(const struct trial *t)
{
	struct dense x = fill_random(t, t->n, t->n);
	for (int64_t j = 0; j < t->n; j++)
		for (int64_t i = 0; i < t->n; i++) {
			double complex *at = dense_at(x, i, j);
			if (i != j)
				*at /= (double)t->n;
			else
				*at += creal(*at) < 0 ? -1 : 1;
			if (t->content == CONTENT_ZERO ||
			    (t->content == CONTENT_SINGULAR && i == j && i == t->index))
				*at = 0;
			if (i == j && t->diag == 'U')
				*at = NAN;
		}
	fill_store(t, SLOT_A, x, t->scale);
}

/* The minor of order index + 1 is negative. */
static void fill_definite(const struct trial *t, enum slot slot, double scale)
{
	struct dense x = fill_hermitian(t, t->n, true);
	if (t->content == CONTENT_SINGULAR && t->n > 0)
		*dense_at(x, t->index, t->index) = -10;
	fill_store(t, slot, x, scale);
}

static void fill_matrix(struct trial *t)
{
	struct dense a = dense_make(t->operand[SLOT_A].rows, t->operand[SLOT_A].columns);
	if (t->family == TRTRI)
		fill_triangular(t);
	else if (t->family >= POTRF && t->family <= POTRI)
		fill_definite(t, SLOT_A, t->scale);
	else if (t->family >= SYEV && t->family <= SYGVX) {
		fill_store(t, SLOT_A, fill_hermitian(t, t->n, false), t->scale);
		if (t->family >= SYGV) {
			struct trial pair = *t;
			if (t->content != CONTENT_SINGULAR)
				pair.content = CONTENT_RANDOM;
			fill_definite(&pair, SLOT_B, 1);
		}
	} else {
		fill_general(t, a);
		fill_store(t, SLOT_A, a, t->scale);
	}
}

void fill_trial(struct trial *t, void *(*find)(enum family family, enum type type))
{
	fill_choose(t);
	if (t->family == ORGQR || t->family == ORMQR)
		fill_reflections(t);
	else
		fill_matrix(t);
	if (t->family == GETRS || t->family == GETRI) {
		fill_pivots(t);
		fill_factor(t, GETRF, find);
	}
	if (t->family == POTRS || t->family == POTRI)
		fill_factor(t, POTRF, find);
	if (t->family == POTRI && t->content == CONTENT_SINGULAR && t->n > 0)
		memory_set(t, SLOT_A, t->index, t->index, 0);
	if (t->operand[SLOT_B].columns > 0 && !(t->family >= SYEV && t->family <= SYGVX))
		fill_right_sides(t);
	if (t->range == 'V' && t->n > 0)
		fill_bounds(t, find);
	if (t->content == CONTENT_FOREIGN)
		fill_foreign(t, t->operand[SLOT_B].rows > 0 && (t->family == ORMQR || draw_below(2))
		                        ? SLOT_B
		                        : SLOT_A);
}
