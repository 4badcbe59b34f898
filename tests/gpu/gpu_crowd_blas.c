/* gpu_crowd_blas.c - level 3 checked by products with a random vector, not element by element */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_crowd.h"

/* A number, and the magnitude that bounds its rounding error. */
struct entry {
	double complex value;
	double weight;
};

/*
 * How the matrix is stored: in full, or as a triangle of a symmetric, Hermitian or triangular
 * matrix.
 */
enum form { FORM_WHOLE, FORM_SYMMETRIC, FORM_HERMITIAN, FORM_TRIANGLE };

/* matrix NULL: the identity. */
struct factor {
	const struct check_matrix *matrix;
	enum form form;
	enum transpose op;
	enum uplo uplo;
	enum diag diag;
};

/* scalar times first times second */
struct term {
	double complex scalar;
	struct factor first, second;
};

enum { TERMS = 3 };

static double magnitude(double complex z)
{
	return fabs(creal(z)) + fabs(cimag(z));
}

static void entry_add(struct entry *to, double complex value, const struct entry *x)
{
	to->value += value * x->value;
	to->weight += magnitude(value) * x->weight;
}

static bool is_stored(enum uplo uplo, int64_t row, int64_t column)
{
	return uplo == UPLO_UPPER ? row <= column : row >= column;
}

static void factor_apply_element(const struct factor *f, int64_t i, int64_t j,
                                 const struct entry *x, struct entry *y)
{
	double complex value = 1;
	if (f->form != FORM_TRIANGLE || i != j || f->diag != DIAG_UNIT)
		value = check_matrix_get(f->matrix, i, j);
	if (f->form == FORM_HERMITIAN && i == j)
		value = creal(value);
	if (f->form == FORM_SYMMETRIC || f->form == FORM_HERMITIAN) {
		entry_add(&y[i], value, &x[j]);
		if (i != j)
			entry_add(&y[j], f->form == FORM_HERMITIAN ? conj(value) : value, &x[i]);
		return;
	}
	if (f->op == TRANSPOSE_N)
		entry_add(&y[i], value, &x[j]);
	else
		entry_add(&y[j], f->op == TRANSPOSE_C ? conj(value) : value, &x[i]);
}

/* y := the factor times x. y is a new block. */
static struct entry *factor_apply(const struct factor *f, const struct entry *x, int64_t size)
{
	struct entry *y = calloc((size_t)size, sizeof *y);
	if (f->matrix == NULL) {
		memcpy(y, x, (size_t)size * sizeof *y);
		return y;
	}
	for (int64_t j = 0; j < f->matrix->columns; j++)
		for (int64_t i = 0; i < f->matrix->rows; i++)
			if (f->form == FORM_WHOLE || is_stored(f->uplo, i, j))
				factor_apply_element(f, i, j, x, y);
	return y;
}

static void term_add(const struct term *term, const struct entry *x, int64_t size,
                     struct entry *sum)
{
	struct entry *inner = factor_apply(&term->second, x, size),
		     *outer = factor_apply(&term->first, inner, size);
	for (int64_t i = 0; i < size; i++)
		entry_add(&sum[i], term->scalar, &outer[i]);
	free(inner);
	free(outer);
}

static bool is_hermitian(enum family family)
{
	return family == FAMILY_HEMM || family == FAMILY_HERK || family == FAMILY_HER2K;
}

static enum form form_of_c(enum family family)
{
	if (!operand_is_triangle(family))
		return FORM_WHOLE;
	return is_hermitian(family) ? FORM_HERMITIAN : FORM_SYMMETRIC;
}

/* The operands before the call, and C after it. */
struct trial {
	struct gpu_check_blas w;
	struct check_matrix operand[OPERAND_COUNT], before;
};

/* The operation of a rank update's second factor, the transpose of the first. */
static enum transpose turn(const struct gpu_check_blas *w)
{
	if (w->transa != TRANSPOSE_N)
		return TRANSPOSE_N;
	return is_hermitian(w->family) ? TRANSPOSE_C : TRANSPOSE_T;
}

/* The term with alpha, or the two terms of a rank-2k update. Returns their number. */
static int trial_list_products(const struct trial *trial, struct term term[TERMS])
{
	const struct gpu_check_blas *w = &trial->w;
	const struct factor a = {&trial->operand[OPERAND_A], FORM_WHOLE, w->transa, w->uplo,
	                         w->diag};
	const struct factor b = {&trial->operand[OPERAND_B], FORM_WHOLE, w->transb, w->uplo,
	                         w->diag};
	const double complex second = w->family == FAMILY_HER2K ? conj(w->alpha) : w->alpha;
	struct factor x = a, y = b;
	switch (w->family) {
	case FAMILY_SYMM:
	case FAMILY_HEMM:
		x.form = is_hermitian(w->family) ? FORM_HERMITIAN : FORM_SYMMETRIC;
		y.op = TRANSPOSE_N;
		term[0] = (struct term){w->alpha, w->side == SIDE_LEFT ? x : y,
		                        w->side == SIDE_LEFT ? y : x};
		return 1;
	case FAMILY_SYRK:
	case FAMILY_HERK: y = a; break;
	case FAMILY_SYR2K:
	case FAMILY_HER2K:
		x = b;
		y = a;
		x.op = w->transa;
		y.op = turn(w);
		term[1] = (struct term){second, x, y};
		x = a;
		y = b;
		break;
	default: term[0] = (struct term){w->alpha, a, b}; return 1;
	}
	y.op = turn(w);
	term[0] = (struct term){w->alpha, x, y};
	return w->family == FAMILY_SYR2K || w->family == FAMILY_HER2K ? 2 : 1;
}

/* All terms of a sum that must be zero; the last one is the result's. */
static int trial_list_terms(const struct trial *trial, struct term term[TERMS + 1])
{
	const struct gpu_check_blas *w = &trial->w;
	const struct factor c = {&trial->operand[OPERAND_C], form_of_c(w->family), TRANSPOSE_N,
	                         w->uplo, w->diag};
	struct factor old = c;
	old.matrix = &trial->before;
	if (family_is_in_place(w->family)) {
		const struct factor a = {&trial->operand[OPERAND_A], FORM_TRIANGLE, w->transa,
		                         w->uplo, w->diag};
		const bool solves = w->family == FAMILY_TRSM, left = w->side == SIDE_LEFT;
		const struct factor with = solves ? c : old, alone = solves ? old : c,
				    none = {.matrix = NULL};
		term[0] = (struct term){solves ? 1 : w->alpha, left ? a : with, left ? with : a};
		term[1] = (struct term){solves ? -w->alpha : -1, alone, none};
		return 2;
	}
	int count = trial_list_products(trial, term);
	if (w->beta != 0)
		term[count++] = (struct term){w->beta, old, {.matrix = NULL}};
	term[count++] = (struct term){-1, c, {.matrix = NULL}};
	return count;
}

/* The worst error divided by the rounding error allowed. */
static double trial_measure(const struct trial *trial)
{
	const struct gpu_check_blas *w = &trial->w;
	const bool single = w->element == ELEMENT_S || w->element == ELEMENT_C;
	const int64_t larger = w->m > w->n ? w->m : w->n, size = larger > w->k ? larger : w->k;
	const double unit = (single ? 0x1p-23 : 0x1p-52) * (double)(8 * size + 32);
	struct entry *x = malloc((size_t)size * sizeof *x),
		     *sum = calloc((size_t)size, sizeof *sum);
	struct term term[TERMS + 1];
	double worst = 0;
	for (int64_t i = 0; i < size; i++) {
		x[i].value = CMPLX(gpu_check_random(), gpu_check_random());
		x[i].weight = magnitude(x[i].value);
	}
	const int terms = trial_list_terms(trial, term);
	for (int i = 0; i < terms; i++)
		term_add(&term[i], x, size, sum);
	for (int64_t i = 0; i < w->m; i++) {
		const double error = magnitude(sum[i].value) / (unit * (sum[i].weight + 0x1p-100));
		worst = error <= worst ? worst : error;
	}
	free(x);
	free(sum);
	return worst;
}

/* Restores the elements that the call writes: afterwards every byte must be as before the call. */
static void trial_restore(struct trial *trial)
{
	struct check_matrix *c = &trial->operand[OPERAND_C];
	const size_t size_bytes = element_size_bytes(c->element);
	for (int64_t j = 0; j < c->columns; j++)
		for (int64_t i = 0; i < c->rows; i++) {
			const size_t place = (size_t)(i + j * c->ld) * size_bytes;
			if (!operand_is_triangle(trial->w.family) || is_stored(trial->w.uplo, i, j))
				memcpy(c->base + place, trial->before.base + place, size_bytes);
		}
}

/*
 * Elements of triangles that are not referenced are NaN. Triangles have small elements beside the
 * diagonal, so that solutions stay small.
 */
static void trial_shape(const struct gpu_check_blas *w, struct check_matrix *matrix, bool triangle)
{
	for (int64_t j = 0; j < matrix->columns; j++)
		for (int64_t i = 0; i < matrix->rows; i++) {
			double complex value = check_matrix_get(matrix, i, j);
			if (triangle)
				value = i == j ? value + 2 : value / (double)matrix->rows;
			if (!is_stored(w->uplo, i, j) ||
			    (triangle && i == j && w->diag == DIAG_UNIT))
				value = CMPLX(NAN, NAN);
			check_matrix_set(matrix, i, j, value);
		}
}

static void trial_make(struct trial *trial, struct call *call)
{
	const struct gpu_check_blas *w = &trial->w;
	const bool in_place = family_is_in_place(w->family);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		struct matrix shape = {.rows = 0};
		operand_find(w->family, &call->blas, (enum operand)name, &shape);
		trial->operand[name] =
			check_matrix_make(w->element, shape.rows, shape.columns,
		                          shape.rows + w->gap, w->offset_bytes, PLACE_HOST);
		check_matrix_fill(&trial->operand[name],
		                  name == OPERAND_C && w->beta == 0 && !in_place);
	}
	if (in_place || w->family == FAMILY_SYMM || w->family == FAMILY_HEMM)
		trial_shape(w, &trial->operand[OPERAND_A], in_place);
	if (operand_is_triangle(w->family))
		trial_shape(w, &trial->operand[OPERAND_C], false);
	trial->before = check_matrix_copy(&trial->operand[OPERAND_C]);
	call->blas.a = trial->operand[OPERAND_A].data;
	call->blas.b = trial->operand[OPERAND_B].data;
	call->blas.c = trial->operand[OPERAND_C].data;
	call->blas.lda = trial->operand[OPERAND_A].ld;
	call->blas.ldb = trial->operand[OPERAND_B].ld;
	call->blas.ldc = trial->operand[OPERAND_C].ld;
}

enum reason crowd_run_blas(const struct gpu_check_blas *wanted, int device)
{
	struct trial trial = {.w = gpu_check_settle_blas(wanted)};
	const struct gpu_check_blas *w = &trial.w;
	struct call call = gpu_check_describe_blas(w);
	bool finished;
	trial_make(&trial, &call);
	const enum reason reason = gpu_check_call_blas(&call, device, &finished);
	const double error = finished ? trial_measure(&trial) : 0;
	EXPECT(error <= 1,
	       "family %d %c side %d uplo %d op %d %d diag %d, "
	       "%ld x %ld x %ld, beta %g: error %g (%s)",
	       (int)w->family, "sdcz"[w->element], (int)w -> side, (int)w -> uplo, (int)w -> transa,
	       (int)w -> transb, (int)w -> diag, (long)w -> m, (long)w -> n, (long)w -> k,
	       creal(w->beta), error, reason_name(reason));
	if (finished)
		trial_restore(&trial);
	EXPECT(check_matrix_same_bytes(&trial.operand[OPERAND_C], &trial.before),
	       "family %d %c, %ld x %ld: beside the result was written (%s)", (int)w->family,
	       "sdcz"[w->element], (long)w -> m, (long)w -> n, reason_name(reason));
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		check_matrix_free(&trial.operand[name]);
	check_matrix_free(&trial.before);
	return reason;
}
