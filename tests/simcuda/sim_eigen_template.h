/* sim_eigen_template.h - the loops of sim_eigen.c for one element */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_solver_element.h"

#include "sim_reflect_template.h"

/* The whole Hermitian matrix of a triangle, without gaps. */
static void NAME(expand)(void *to, const struct sim_solver *w)
{
	const ELEMENT *a = w->a;
	ELEMENT *dense = to;
	const int64_t n = w->n;
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i <= j; i++) {
			const bool upper = w->uplo == SIM_UPLO_UPPER;
			const ELEMENT value =
				upper ? a[i + j * w->lda] : CONJUGATE(a[j + i * w->lda]);
			dense[i + j * n] = i == j ? REAL_PART(value) : value;
			dense[j + i * n] = i == j ? REAL_PART(value) : CONJUGATE(value);
		}
}

/* Divides all elements by a power of two, so that the greatest is about 1, and returns it. */
static double NAME(scale)(ELEMENT *a, int64_t count)
{
	REAL largest = 0;
	int exponent;
	for (int64_t i = 0; i < count; i++)
		largest = SIZE_OF(a[i]) > largest ? SIZE_OF(a[i]) : largest;
	if (!isfinite(largest) || largest == 0)
		return 1;
	frexp(largest, &exponent);
	for (int64_t i = 0; i < count; i++)
		a[i] = SCALED(a[i], -exponent);
	return ldexp(1.0, exponent);
}

/* Rows and columns from `first` on: A := H^H A H for the reflector v. x: n elements of scratch. */
static void NAME(reflect_both)(ELEMENT *a, int64_t n, int64_t first, const ELEMENT *v, ELEMENT tau,
                               ELEMENT *x)
{
	const int64_t size = n - first;
	ELEMENT *corner = a + first * (n + 1), sum = 0;
	memset(x, 0, (size_t)size * sizeof *x);
	for (int64_t j = 0; j < size; j++) {
		const ELEMENT factor = tau * (j ? v[j] : 1);
		for (int64_t i = 0; i < size; i++)
			x[i] += corner[i + j * n] * factor;
	}
	for (int64_t i = 0; i < size; i++)
		sum += CONJUGATE(x[i]) * (i ? v[i] : 1);
	sum *= -tau / 2;
	for (int64_t i = 0; i < size; i++)
		x[i] += sum * (i ? v[i] : 1);
	for (int64_t j = 0; j < size; j++) {
		const ELEMENT vj = CONJUGATE(j ? v[j] : 1), xj = CONJUGATE(x[j]);
		corner[j * n] -= xj + x[0] * vj;
		for (int64_t i = 1; i < size; i++)
			corner[i + j * n] -= v[i] * xj + x[i] * vj;
	}
}

/* Tridiagonal form with diagonal d and the elements e beside it; a: the reflectors. */
static void NAME(tridiagonal)(ELEMENT *a, int64_t n, double *d, double *e, ELEMENT *tau, ELEMENT *x)
{
	for (int64_t l = 0; l < n; l++) {
		ELEMENT *v = a + (l + 1) + l * n;
		d[l] = REAL_PART(a[l * (n + 1)]);
		if (l + 1 == n)
			break;
		tau[l] = NAME(reflector)(v, n - l - 1);
		e[l] = REAL_PART(v[0]);
		NAME(reflect_both)(a, n, l + 1, v, tau[l], x);
	}
}

/* The reflectors begin one row below the diagonal: 1 and their product in the other rows. */
static void NAME(expand_vectors)(ELEMENT *a, int64_t n, const ELEMENT *tau)
{
	for (int64_t j = n - 1; j > 0; j--)
		for (int64_t i = n - 1; i > j; i--)
			a[i + j * n] = a[i + (j - 1) * n];
	for (int64_t i = 0; i < n; i++)
		a[i] = a[i * n] = i == 0;
	if (n > 1)
		NAME(expand_reflectors)(a + n + 1, n, n - 1, n - 1, n - 1, tau);
}

static void NAME(rotate)(void *vectors, int64_t n, int64_t column, double c, double s)
{
	ELEMENT *left = (ELEMENT *)vectors + column * n, *right = left + n;
	for (int64_t i = 0; i < n; i++) {
		const ELEMENT kept = right[i];
		right[i] = (REAL)s * left[i] + (REAL)c * kept;
		left[i] = (REAL)c * left[i] - (REAL)s * kept;
	}
}

static void NAME(swap)(void *vectors, int64_t n, int64_t column, int64_t other)
{
	ELEMENT *a = (ELEMENT *)vectors + column * n, *b = (ELEMENT *)vectors + other * n;
	for (int64_t i = 0; i < n; i++) {
		const ELEMENT kept = a[i];
		a[i] = b[i];
		b[i] = kept;
	}
}

/* The scale that was taken out; a then holds the vectors that rotations continue. */
static double NAME(reduce)(void *matrix, int64_t n, double *d, double *e, bool vectors,
                           void *scratch)
{
	ELEMENT *tau = scratch;
	const double scale = NAME(scale)(matrix, n * n);
	NAME(tridiagonal)(matrix, n, d, e, tau, tau + n);
	if (vectors)
		NAME(expand_vectors)(matrix, n, tau);
	return scale;
}

static void NAME(store)(const struct sim_solver *w, const void *vectors, const double *d,
                        int64_t first, int64_t count)
{
	REAL *values = w->w;
	ELEMENT *a = w->a;
	for (int64_t j = 0; j < count; j++) {
		values[j] = (REAL)d[first + j];
		if (w->vectors)
			memcpy(a + j * w->lda, (const ELEMENT *)vectors + (first + j) * w->n,
			       (size_t)w->n * sizeof *a);
	}
}

static const REAL NAME(one)[2] = {1, 0};

static const struct loops NAME(loops) = {
	sizeof(REAL) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON,
	NAME(one),
	NAME(expand),
	NAME(reduce),
	NAME(rotate),
	NAME(swap),
	NAME(store),
};

#include "sim_solver_element_end.h"
