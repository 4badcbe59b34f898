/* verify_view.c - products of a matrix and a vector in double precision, by columns */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/verify/verify_view.h"

#include <string.h>

#include "policy/verify/verify_terms.h"

enum { DOUBLE_BIAS = 1023, DOUBLE_MANTISSA = 52, DOUBLE_EXPONENTS = 2047, MOST_POWER = 1000 };

double verify_view_power(int power)
{
	const int cut = power > MOST_POWER ? MOST_POWER : power < -MOST_POWER ? -MOST_POWER : power;
	const uint64_t bits = (uint64_t)(DOUBLE_BIAS + cut) << DOUBLE_MANTISSA;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

double verify_view_scale(double value, int power)
{
	return value * verify_view_power(power / 2) * verify_view_power(power - power / 2);
}

int verify_view_find_power(double value)
{
	const double size = __builtin_fabs(value);
	const bool small = size < __DBL_MIN__;
	const double whole = small ? size * 0x1p64 : size;
	uint64_t bits;
	if (!(size > 0))
		return VERIFY_VIEW_ZERO;
	memcpy(&bits, &whole, sizeof bits);
	return (int)(bits >> DOUBLE_MANTISSA & DOUBLE_EXPONENTS) - DOUBLE_BIAS - (small ? 64 : 0);
}

/* -- columns ----------------------------------------------------------------------------------- */

static bool verify_view_is_upper(const struct verify_view *view)
{
	return view->form == VERIFY_UPPER || view->form == VERIFY_MIRRORED_UPPER;
}

static bool verify_view_is_mirrored(const struct verify_view *view)
{
	return view->form == VERIFY_MIRRORED_UPPER || view->form == VERIFY_MIRRORED_LOWER;
}

/* The rows of a column that are stored. */
static struct verify_span {
	int64_t first, end;
} verify_view_find_span(const struct verify_view *view, int64_t j)
{
	const int64_t rows = view->matrix.rows;
	if (view->form == VERIFY_FULL)
		return (struct verify_span){0, rows};
	if (verify_view_is_upper(view))
		return (struct verify_span){0, j + 1 < rows ? j + 1 : rows};
	return (struct verify_span){j < rows ? j : rows, rows};
}

static void verify_view_load(const struct verify_view *view, int64_t j, struct verify_span span,
                             const struct verify_vector *column)
{
	const enum element element = view->element;
	const char *base = verify_terms_point(element, &view->matrix, 0, j);
	const double one = verify_view_power(view->exponent / 2),
		     two = verify_view_power(view->exponent - view->exponent / 2);
	const bool real = verify_terms_is_real(element);
	for (int64_t i = span.first; i < span.end; i++)
		column->re[i] = verify_norm_read(element, base, real ? i : 2 * i) * one * two;
	for (int64_t i = span.first; i < span.end && !real; i++)
		column->im[i] = verify_norm_read(element, base, 2 * i + 1) * one * two;
	if (j < span.first || j >= span.end)
		return;
	if (view->unit)
		column->re[j] = verify_view_power(view->exponent);
	if (!real && (view->unit || verify_view_is_mirrored(view)))
		column->im[j] = 0;
}

double verify_view_read(const struct verify_view *view, int64_t row, int64_t column, int part)
{
	const char *at = verify_terms_point(view->element, &view->matrix, row, column);
	return verify_view_scale(verify_norm_read(view->element, at, part), view->exponent);
}

/* -- norms ------------------------------------------------------------------------------------- */

static void verify_view_measure_column(const struct verify_view *view, int64_t j,
                                       struct verify_norm *norm, double *largest)
{
	const struct verify_span span = verify_view_find_span(view, j);
	const char *base = verify_terms_point(view->element, &view->matrix, 0, j);
	const int parts = verify_terms_is_real(view->element) ? 1 : 2;
	for (int64_t i = span.first; i < span.end; i++)
		for (int part = 0; part < parts; part++) {
			double value = verify_norm_read(view->element, base, i * parts + part);
			if (i == j && (view->unit || (part == 1 && verify_view_is_mirrored(view))))
				value = view->unit && part == 0;
			verify_norm_add_value(norm, value);
			if (i != j && verify_view_is_mirrored(view))
				verify_norm_add_value(norm, value);
			if (__builtin_fabs(value) > *largest)
				*largest = __builtin_fabs(value);
		}
}

int verify_view_measure(const struct verify_view *view, long double *norm)
{
	struct verify_norm sum = {.spoilt = false};
	double largest = 0;
	for (int64_t j = 0; j < view->matrix.columns; j++)
		verify_view_measure_column(view, j, &sum, &largest);
	*norm = verify_norm_find(&sum);
	return verify_view_find_power(largest);
}

double verify_view_find_norm(const struct verify_view *view)
{
	long double norm;
	verify_view_measure(view, &norm);
	const int half = view->exponent / 2;
	return (double)(norm * (long double)verify_view_power(half) *
	                (long double)verify_view_power(view->exponent - half));
}

/* -- products ---------------------------------------------------------------------------------- */

/* y += column times x[j]. */
static void verify_view_add(const struct verify_vector *column, struct verify_span span, bool real,
                            const struct verify_vector *x, int64_t j, const struct verify_vector *y)
{
	const double re = x->re[j], im = real ? 0 : x->im[j];
	for (int64_t i = span.first; i < span.end; i++)
		y->re[i] += column->re[i] * re;
	for (int64_t i = span.first; i < span.end && !real; i++) {
		y->re[i] -= column->im[i] * im;
		y->im[i] += column->re[i] * im + column->im[i] * re;
	}
	if (y->size == NULL)
		return;
	for (int64_t i = span.first; i < span.end; i++)
		y->size[i] += __builtin_fabs(column->re[i]) * x->size[j];
	for (int64_t i = span.first; i < span.end && !real; i++)
		y->size[i] += __builtin_fabs(column->im[i]) * x->size[j];
}

/* y[j] += the product of the column, or of its conjugate, and x. */
static void verify_view_dot(const struct verify_vector *column, struct verify_span span, bool real,
                            bool conjugate, const struct verify_vector *x, int64_t j,
                            const struct verify_vector *y)
{
	const double sign = conjugate ? -1 : 1;
	double re = 0, im = 0, size = 0;
	for (int64_t i = span.first; i < span.end; i++)
		re += column->re[i] * x->re[i];
	for (int64_t i = span.first; i < span.end && !real; i++) {
		re -= sign * column->im[i] * x->im[i];
		im += column->re[i] * x->im[i] + sign * column->im[i] * x->re[i];
	}
	y->re[j] += re;
	if (!real)
		y->im[j] += im;
	if (y->size == NULL)
		return;
	for (int64_t i = span.first; i < span.end; i++)
		size += __builtin_fabs(column->re[i]) * x->size[i];
	for (int64_t i = span.first; i < span.end && !real; i++)
		size += __builtin_fabs(column->im[i]) * x->size[i];
	y->size[j] += size;
}

static void verify_view_clear(const struct verify_vector *y, int64_t count, bool real)
{
	const size_t bytes = (size_t)count * sizeof *y->re;
	memset(y->re, 0, bytes);
	if (!real)
		memset(y->im, 0, bytes);
	if (y->size != NULL)
		memset(y->size, 0, bytes);
}

void verify_view_apply(const struct verify_view *view, enum transpose trans,
                       const struct verify_vector *x, const struct verify_vector *y,
                       const struct verify_vector *column)
{
	const bool real = verify_terms_is_real(view->element), plain = trans == TRANSPOSE_N,
		   mirrored = verify_view_is_mirrored(view);
	verify_view_clear(y, plain ? view->matrix.rows : view->matrix.columns, real);
	for (int64_t j = 0; j < view->matrix.columns; j++) {
		struct verify_span span = verify_view_find_span(view, j);
		verify_view_load(view, j, span, column);
		if (plain || mirrored)
			verify_view_add(column, span, real, x, j, y);
		if (mirrored && verify_view_is_upper(view))
			span.end = j;
		else if (mirrored)
			span.first = j + 1;
		if (!plain || mirrored)
			verify_view_dot(column, span, real, mirrored || trans == TRANSPOSE_C, x, j,
			                y);
	}
}

/* -- triangles --------------------------------------------------------------------------------- */

static void verify_view_divide(const struct verify_vector *x, int64_t j, bool real, double re,
                               double im)
{
	const double a = x->re[j];
	if (real) {
		x->re[j] = a / re;
		return;
	}
	const double b = x->im[j], size = re * re + im * im;
	x->re[j] = (a * re + b * im) / size;
	x->im[j] = (b * re - a * im) / size;
}

/* x[j] -= the product; and x -= column times x[j]: by a vector of the opposite sign. */
static void verify_view_subtract(const struct verify_vector *column, struct verify_span span,
                                 bool real)
{
	for (int64_t i = span.first; i < span.end; i++) {
		column->re[i] = -column->re[i];
		if (!real)
			column->im[i] = -column->im[i];
	}
}

void verify_view_solve(const struct verify_view *view, enum transpose trans,
                       const struct verify_vector *x, const struct verify_vector *column)
{
	const int64_t n = view->matrix.columns;
	const bool real = verify_terms_is_real(view->element), plain = trans == TRANSPOSE_N,
		   upper = verify_view_is_upper(view);
	for (int64_t step = 0; step < n; step++) {
		const int64_t j = upper == plain ? n - 1 - step : step;
		struct verify_span span = verify_view_find_span(view, j);
		verify_view_load(view, j, span, column);
		const double re = column->re[j], im = real                   ? 0
		                                      : trans == TRANSPOSE_C ? -column->im[j]
		                                                             : column->im[j];
		if (upper)
			span.end = j;
		else
			span.first = j + 1;
		verify_view_subtract(column, span, real);
		if (!plain)
			verify_view_dot(column, span, real, trans == TRANSPOSE_C, x, j, x);
		verify_view_divide(x, j, real, re, im);
		if (plain)
			verify_view_add(column, span, real, x, j, x);
	}
}
