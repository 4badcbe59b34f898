/* verify_reflect.c - products of Householder's reflectors and a vector; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/verify/verify_reflect.h"

#include "policy/verify/verify_terms.h"

struct verify_number {
	double re, im;
};

static struct verify_number verify_reflect_read(const struct verify_reflectors *q, int64_t index)
{
	const enum element element = q->v.element;
	const bool real = verify_terms_is_real(element);
	return (struct verify_number){verify_norm_read(element, q->tau, real ? index : 2 * index),
	                              real ? 0 : verify_norm_read(element, q->tau, 2 * index + 1)};
}

static void verify_reflect_load(const struct verify_reflectors *q, int64_t index,
                                const struct verify_vector *column)
{
	const enum element element = q->v.element;
	const bool real = verify_terms_is_real(element);
	const char *base = verify_terms_point(element, &q->v.matrix, 0, index);
	column->re[index] = 1;
	if (!real)
		column->im[index] = 0;
	for (int64_t i = index + 1; i < q->v.matrix.rows; i++)
		column->re[i] = verify_norm_read(element, base, real ? i : 2 * i);
	for (int64_t i = index + 1; i < q->v.matrix.rows && !real; i++)
		column->im[i] = verify_norm_read(element, base, 2 * i + 1);
}

/* v^H x, and v^H v. */
static struct verify_number verify_reflect_project(const struct verify_vector *v, bool real,
                                                   int64_t first, int64_t end,
                                                   const struct verify_vector *x, double *square)
{
	struct verify_number sum = {0, 0};
	*square = 0;
	for (int64_t i = first; i < end; i++) {
		sum.re += v->re[i] * x->re[i];
		*square += v->re[i] * v->re[i];
	}
	for (int64_t i = first; i < end && !real; i++) {
		sum.re += v->im[i] * x->im[i];
		sum.im += v->re[i] * x->im[i] - v->im[i] * x->re[i];
		*square += v->im[i] * v->im[i];
	}
	return sum;
}

/* |1 - tau v^H v|, where it is more than 1: the norm of H. */
static double verify_reflect_find_norm(struct verify_number tau, double square)
{
	const double re = 1 - tau.re * square, im = tau.im * square;
	const double norm = __builtin_sqrt(re * re + im * im);
	return norm > 1 ? norm : 1;
}

static double verify_reflect_once(const struct verify_reflectors *q, bool back, int64_t index,
                                  const struct verify_vector *x, const struct verify_vector *column)
{
	const bool real = verify_terms_is_real(q->v.element);
	struct verify_number tau = verify_reflect_read(q, index);
	double square;
	verify_reflect_load(q, index, column);
	const struct verify_number sum =
		verify_reflect_project(column, real, index, q->v.matrix.rows, x, &square);
	const double norm = verify_reflect_find_norm(tau, square);
	if (back)
		tau.im = -tau.im;
	const double re = tau.re * sum.re - tau.im * sum.im, im = tau.re * sum.im + tau.im * sum.re;
	for (int64_t i = index; i < q->v.matrix.rows; i++)
		x->re[i] -= column->re[i] * re;
	for (int64_t i = index; i < q->v.matrix.rows && !real; i++) {
		x->re[i] += column->im[i] * im;
		x->im[i] -= column->re[i] * im + column->im[i] * re;
	}
	return norm;
}

double verify_reflect_apply(const struct verify_reflectors *q, bool back,
                            const struct verify_vector *x, const struct verify_vector *column)
{
	double norm = 1;
	for (int64_t step = 0; step < q->count; step++)
		norm *= verify_reflect_once(q, back, back ? step : q->count - 1 - step, x, column);
	return norm;
}
