/* plain.c - loops over dense copies */
/* SPDX-License-Identifier: Apache-2.0 */
#include "plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One column: c += factor * a x. */
static void add_columns(const double *a, int rows, int count, double factor, const double *x,
                        double *c)
{
	for (int l = 0; l < count; l++) {
		const double scale = factor * x[l];
		const double *column = a + (size_t)l * (size_t)rows;
		for (int i = 0; i < rows; i++)
			c[i] += scale * column[i];
	}
}

static void scale_column(double beta, double *c, int rows)
{
	for (int i = 0; i < rows; i++)
		c[i] = beta == 0 ? 0 : beta * c[i];
}

void plain_multiply(double alpha, const struct dense *a, const struct dense *b, double beta,
                    struct dense *c)
{
	const size_t rows = (size_t)a->rows, inner = (size_t)a->columns;
	for (int j = 0; j < b->columns; j++) {
		double *re = c->re + (size_t)j * rows;
		const double *x = b->re + (size_t)j * inner;
		scale_column(beta, re, a->rows);
		add_columns(a->re, a->rows, a->columns, alpha, x, re);
		if (c->im == NULL)
			continue;
		double *im = c->im + (size_t)j * rows;
		const double *y = b->im + (size_t)j * inner;
		scale_column(beta, im, a->rows);
		add_columns(a->im, a->rows, a->columns, -alpha, y, re);
		add_columns(a->re, a->rows, a->columns, alpha, y, im);
		add_columns(a->im, a->rows, a->columns, alpha, x, im);
	}
}

/*
 * By the largest row of each column: where b is a column of a, x is a unit vector but for rounding,
 * and rows without that element consist of rounding alone.
 */
double plain_find_residual(const struct dense *a, const struct dense *x, const struct dense *b)
{
	double worst = 0;
	for (int j = 0; j < x->columns; j++) {
		double off = 0, size = 0;
		for (int i = 0; i < a->rows; i++) {
			const double wanted = b->re[(size_t)j * (size_t)b->rows + (size_t)i];
			double sum = -wanted, row = fabs(wanted);
			for (int l = 0; l < a->columns; l++) {
				const double part = a->re[(size_t)l * (size_t)a->rows + (size_t)i] *
				                    x->re[(size_t)j * (size_t)x->rows + (size_t)l];
				sum += part;
				row += fabs(part);
			}
			off = fabs(sum) <= off ? off : sum == sum ? fabs(sum) : HUGE_VAL;
			size = fmax(size, row);
		}
		worst = fmax(worst, off > 0 ? off / size : 0);
	}
	return worst;
}

void plain_exchange(struct dense *x, const int *pivot, bool forward)
{
	for (int step = 0; step < x->rows; step++) {
		const int i = forward ? step : x->rows - 1 - step, other = pivot[i] - 1;
		for (int j = 0; j < x->columns; j++) {
			double *column = x->re + (size_t)j * (size_t)x->rows;
			const double kept = column[i];
			column[i] = column[other];
			column[other] = kept;
		}
	}
}

static void reverse_bits(double *number, int length)
{
	for (int i = 1, j = 0; i < length; i++) {
		int bit = length / 2;
		for (; (j & bit) != 0; bit /= 2)
			j ^= bit;
		j ^= bit;
		for (int part = 0; i < j && part < 2; part++) {
			const double kept = number[2 * i + part];
			number[2 * i + part] = number[2 * j + part];
			number[2 * j + part] = kept;
		}
	}
}

static void butterfly(double *low, double *high, double c, double s)
{
	const double re = high[0] * c - high[1] * s, im = high[0] * s + high[1] * c;
	high[0] = low[0] - re;
	high[1] = low[1] - im;
	low[0] += re;
	low[1] += im;
}

void plain_transform(double *number, int length, int sign)
{
	static double *turn;
	static int turn_length;
	if (turn_length != length) {
		turn = realloc(turn, (size_t)length * sizeof *turn);
		for (int i = 0; i < length / 2; i++) {
			turn[2 * i] = cos(2 * acos(-1.0) * i / length);
			turn[2 * i + 1] = sin(2 * acos(-1.0) * i / length);
		}
		turn_length = length;
	}
	reverse_bits(number, length);
	for (int half = 1; half < length; half *= 2)
		for (int first = 0; first < length; first += 2 * half)
			for (int i = 0; i < half; i++) {
				const double *w = turn + 2 * (size_t)(i * (length / 2 / half));
				butterfly(number + 2 * (first + i), number + 2 * (first + i + half),
				          w[0], sign * w[1]);
			}
}
