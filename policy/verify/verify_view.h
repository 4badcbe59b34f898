/* verify_view.h - scaled products of LAPACK's matrices and vectors; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_VIEW_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_VIEW_H

#include "policy/call/operand.h"
#include "policy/verify/verify_norm.h"

/*
 * Numbers as pairs of doubles, whatever the element; im is not used with real elements. size, where
 * it is not NULL, is a bound of what each number was computed from: the same products and sums of
 * absolute values.
 */
struct verify_vector {
	double *re, *im, *size;
};

enum verify_form {
	VERIFY_FULL,
	VERIFY_UPPER,
	VERIFY_LOWER,
	VERIFY_MIRRORED_UPPER, /* symmetric or Hermitian; the triangle that is read */
	VERIFY_MIRRORED_LOWER
};

/* A matrix, times 2 to the exponent. unit: ones stand for its diagonal, which is not read. */
struct verify_view {
	enum element element;
	enum verify_form form;
	bool unit;
	struct matrix matrix;
	int exponent;
};

/* 2 to the power, limited to what a double holds with room on either side. */
double verify_view_power(int power);

/* Value times 2 to the power: infinite, or 0, only where the result is. */
double verify_view_scale(double value, int power);

/*
 * The greatest power of two that no number's absolute value is below, of all parts of numbers; a
 * very negative one where all are 0. Beside it the Frobenius norm, without the view's exponent.
 */
enum { VERIFY_VIEW_ZERO = -2000 };
int verify_view_measure(const struct verify_view *view, long double *norm);
int verify_view_find_power(double value);

/* The norm of the matrix times 2 to its exponent. */
double verify_view_find_norm(const struct verify_view *view);

/*
 * y := op(M) x. column: room for a column of the matrix, with re and im. The sizes of x and y are
 * NULL together.
 */
void verify_view_apply(const struct verify_view *view, enum transpose trans,
                       const struct verify_vector *x, const struct verify_vector *y,
                       const struct verify_vector *column);

/* x := the solution of op(T) y = x, of a triangle. Without sizes. */
void verify_view_solve(const struct verify_view *view, enum transpose trans,
                       const struct verify_vector *x, const struct verify_vector *column);

/* Reads element (row, column), scaled. */
double verify_view_read(const struct verify_view *view, int64_t row, int64_t column, int part);

#endif
