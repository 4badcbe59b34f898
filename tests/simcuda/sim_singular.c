/* sim_singular.c - singular values by one-sided Jacobi rotations */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "../driver/c11_complex.h"
#include "sim_abi.h"
#include "sim_level3.h"
#include "sim_reflect.h"
#include "sim_solver.h"

/*
 * A sweep turns each pair of columns; more than so many mean that it does not end. A column of a
 * matrix without full rank may be rounding alone, which each turn changes: after half of the sweeps
 * such columns become zero.
 */
enum { MOST_SWEEPS = 60, DROP_AFTER = MOST_SWEEPS / 2 };

/* Constants and functions of one element type. */
struct loops {
	double epsilon;
	double (*load)(void *to, const struct sim_solver *w);
	void (*identity)(void *to, int64_t n);
	double (*square)(const void *column, int64_t m);
	bool (*rotate)(void *matrix, void *vectors, int64_t m, int64_t n, int64_t p, int64_t q);
	void (*put)(void *to, const void *from, int64_t rows, double divisor);
	void (*put_row)(void *to, int64_t ld, const void *from, int64_t n);
	void (*put_value)(void *values, int64_t index, double value);
};

#define TEMPLATE "sim_singular_template.h"
#include "sim_solver_each.h"

/* X V^H = A with orthogonal columns of X; all arrays are scratch. */
struct factors {
	const struct loops *loops;
	int64_t m, n;
	size_t element;
	char *x, *v;
	double scale, *sizes; /* of the columns of X */
	int64_t *order;       /* of the columns, the greatest first */
};

static bool factors_open(struct factors *f, const struct sim_solver *w)
{
	const size_t m = (size_t)w->m, n = (size_t)w->n;
	*f = (struct factors){.loops = loops_of(w->element),
	                      .m = w->m,
	                      .n = w->n,
	                      .element = sim_level3_element_bytes(w->element)};
	f->x = malloc((m * n + 1) * f->element);
	f->v = malloc((n * n + 1) * f->element);
	f->sizes = malloc((n + 1) * sizeof *f->sizes);
	f->order = malloc((n + 1) * sizeof *f->order);
	return f->x && f->v && f->sizes && f->order;
}

static void factors_close(struct factors *f)
{
	free(f->x);
	free(f->v);
	free(f->sizes);
	free(f->order);
}

static char *factors_column(const struct factors *f, int64_t index)
{
	return f->x + (size_t)(f->order[index] * f->m) * f->element;
}

static bool factors_sweep(const struct factors *f)
{
	bool turned = false;
	for (int64_t p = 0; p + 1 < f->n; p++)
		for (int64_t q = p + 1; q < f->n; q++)
			turned |= f->loops->rotate(f->x, f->v, f->m, f->n, p, q);
	return turned;
}

static void factors_sort(const struct factors *f)
{
	for (int64_t j = 0; j < f->n; j++) {
		int64_t at = j;
		f->sizes[j] = sqrt(f->loops->square(f->x + (size_t)(j * f->m) * f->element, f->m));
		for (; at > 0 && f->sizes[f->order[at - 1]] < f->sizes[j]; at--)
			f->order[at] = f->order[at - 1];
		f->order[at] = j;
	}
}

static void factors_drop(const struct factors *f)
{
	double greatest = 0;
	for (int64_t j = 0; j < f->n; j++) {
		f->sizes[j] = sqrt(f->loops->square(f->x + (size_t)(j * f->m) * f->element, f->m));
		greatest = fmax(greatest, f->sizes[j]);
	}
	for (int64_t j = 0; j < f->n; j++)
		if (f->sizes[j] <= f->loops->epsilon * sqrt((double)f->m) * greatest)
			memset(f->x + (size_t)(j * f->m) * f->element, 0,
			       (size_t)f->m * f->element);
}

/* Returns LAPACK's info. */
static int factors_solve(struct factors *f, const struct sim_solver *w)
{
	int sweeps = 0;
	f->scale = f->loops->load(f->x, w);
	f->loops->identity(f->v, f->n);
	while (sweeps < MOST_SWEEPS && factors_sweep(f))
		if (++sweeps == DROP_AFTER)
			factors_drop(f);
	factors_sort(f);
	return sweeps < MOST_SWEEPS ? 0 : 1;
}

/* The columns of U that belong to values, then others that make the basis whole. */
static bool factors_left(const struct factors *f, const struct sim_solver *w, int64_t columns)
{
	int64_t known = 0;
	char *u = w->b;
	/* A column of fewer digits is no direction. */
	const bool single = w->element == 'S' || w->element == 'C';
	const double least = single ? (double)(FLT_MIN / FLT_EPSILON) : DBL_MIN / DBL_EPSILON;
	for (; known < f->n && f->sizes[f->order[known]] > least; known++)
		f->loops->put(u + (size_t)(known * w->ldb) * f->element, factors_column(f, known),
		              f->m, f->sizes[f->order[known]]);
	return sim_reflect_complete(w->element, u, w->ldb, f->m, known, columns);
}

static void factors_right(const struct factors *f, const struct sim_solver *w, bool transposed)
{
	for (int64_t j = 0; j < f->n; j++) {
		const char *column = f->v + (size_t)(f->order[j] * f->n) * f->element;
		if (transposed)
			f->loops->put_row((char *)w->c + (size_t)j * f->element, w->ldc, column,
			                  f->n);
		else
			f->loops->put((char *)w->c + (size_t)(j * w->ldc) * f->element, column,
			              f->n, 1);
	}
}

static void factors_values(const struct factors *f, const struct sim_solver *w, double added)
{
	for (int64_t j = 0; j < f->n; j++)
		f->loops->put_value(w->w, j, f->sizes[f->order[j]] * f->scale + added);
}

bool sim_solver_gesvd(struct sim_solver *w)
{
	struct factors f;
	bool done = factors_open(&f, w);
	if (done && w->n) {
		w->info = factors_solve(&f, w);
		factors_values(&f, w, 0);
		if (w->jobu != 'N')
			done = factors_left(&f, w, w->jobu == 'A' ? w->m : w->n);
		if (w->jobvt != 'N')
			factors_right(&f, w, true);
	}
	factors_close(&f);
	return done;
}

/*
 * A matrix without full rank, in the precision of the element, is perturbed: the values move by
 * what is reported.
 */
bool sim_solver_gesvdp(struct sim_solver *w)
{
	struct factors f;
	bool done = factors_open(&f, w);
	w->error_sigma = 0;
	if (done && w->n) {
		w->info = factors_solve(&f, w);
		const double greatest = f.sizes[f.order[0]], least = f.sizes[f.order[w->n - 1]];
		if (!(least > f.loops->epsilon * (double)w->n * greatest))
			w->error_sigma = sqrt(f.loops->epsilon) * greatest * f.scale;
		factors_values(&f, w, w->error_sigma);
		if (w->vectors) {
			done = factors_left(&f, w, w->econ ? w->n : w->m);
			factors_right(&f, w, false);
		}
	}
	factors_close(&f);
	return done;
}
