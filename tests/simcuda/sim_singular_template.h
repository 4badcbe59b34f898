/* sim_singular_template.h - the loops of sim_singular.c for one element */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_solver_element.h"

/* Sums are of double precision. */
#if IS_COMPLEX
#define WIDE double complex
#define WIDE_CONJUGATE(x) conj(x)
#else
#define WIDE double
#define WIDE_CONJUGATE(x) (x)
#endif
#define EPSILON (sizeof(REAL) == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON)

/* Copies a matrix divided by a power of two, so that its greatest element is about 1. */
static double NAME(load)(void *to, const struct sim_solver *w)
{
	const ELEMENT *a = w->a;
	ELEMENT *x = to;
	REAL largest = 0;
	int exponent;
	for (int64_t j = 0; j < w->n; j++)
		for (int64_t i = 0; i < w->m; i++)
			largest = SIZE_OF(a[i + j * w->lda]) > largest ? SIZE_OF(a[i + j * w->lda])
			                                               : largest;
	frexp(isfinite(largest) && largest > 0 ? largest : 1, &exponent);
	for (int64_t j = 0; j < w->n; j++)
		for (int64_t i = 0; i < w->m; i++)
			x[i + j * w->m] = SCALED(a[i + j * w->lda], -exponent);
	return ldexp(1.0, exponent);
}

static void NAME(identity)(void *to, int64_t n)
{
	ELEMENT *v = to;
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++)
			v[i + j * n] = i == j;
}

static double NAME(square)(const void *column, int64_t m)
{
	const ELEMENT *x = column;
	double sum = 0;
	for (int64_t i = 0; i < m; i++)
		sum += SQUARE_OF(x[i]);
	return sum;
}

/* x := c x - s y, y := s x + c y, where y was turned by the phase first. */
static void NAME(turn)(ELEMENT *x, ELEMENT *y, int64_t m, REAL c, REAL s, ELEMENT phase)
{
	for (int64_t i = 0; i < m; i++) {
		const ELEMENT left = x[i], right = y[i] * phase;
		x[i] = c * left - s * right;
		y[i] = s * left + c * right;
	}
}

/* Makes two columns of X orthogonal, and turns those of V alike. False: they were. */
static bool NAME(rotate)(void *matrix, void *vectors, int64_t m, int64_t n, int64_t p, int64_t q)
{
	ELEMENT *x = (ELEMENT *)matrix + p * m, *y = (ELEMENT *)matrix + q * m;
	WIDE dot = 0;
	for (int64_t i = 0; i < m; i++)
		dot += (WIDE)CONJUGATE(x[i]) * y[i];
	const double a = NAME(square)(x, m), b = NAME(square)(y, m), size = (double)fabs(dot);
	if (!(size > EPSILON * sqrt((double)m) * sqrt(a) * sqrt(b)))
		return false;
	const double zeta = (b - a) / (2 * size);
	const double t = copysign(1 / (fabs(zeta) + hypot(1.0, zeta)), zeta);
	const double c = 1 / hypot(1.0, t);
	const ELEMENT phase = (ELEMENT)WIDE_CONJUGATE(dot / size);
	NAME(turn)(x, y, m, (REAL)c, (REAL)(c * t), phase);
	NAME(turn)
	((ELEMENT *)vectors + p * n, (ELEMENT *)vectors + q * n, n, (REAL)c, (REAL)(c * t), phase);
	return true;
}

/* A column of `rows` elements, divided by a number. */
static void NAME(put)(void *to, const void *from, int64_t rows, double divisor)
{
	ELEMENT *x = to;
	const ELEMENT *y = from;
	for (int64_t i = 0; i < rows; i++)
		x[i] = y[i] / (REAL)divisor;
}

/* A column becomes a row of V^H. */
static void NAME(put_row)(void *to, int64_t ld, const void *from, int64_t n)
{
	ELEMENT *x = to;
	const ELEMENT *y = from;
	for (int64_t i = 0; i < n; i++)
		x[i * ld] = CONJUGATE(y[i]);
}

static void NAME(put_value)(void *values, int64_t index, double value)
{
	((REAL *)values)[index] = (REAL)value;
}

static const struct loops NAME(loops) = {
	EPSILON,      NAME(load), NAME(identity), NAME(square),
	NAME(rotate), NAME(put),  NAME(put_row),  NAME(put_value),
};

#undef EPSILON
#undef WIDE
#undef WIDE_CONJUGATE
#include "sim_solver_element_end.h"
