/* sim_factor_template.h - the loops of sim_factor.c for one element */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_solver_element.h"

static void NAME(exchange)(ELEMENT *a, int64_t lda, int64_t columns, int64_t row, int64_t other)
{
	for (int64_t j = 0; j < columns && row != other; j++, a += lda) {
		ELEMENT kept = a[row];
		a[row] = a[other];
		a[other] = kept;
	}
}

/* The row of the first element of greatest size from `row` on; a NaN counts as small. */
static int64_t NAME(pivot_row)(const ELEMENT *column, int64_t row, int64_t rows)
{
	int64_t best = row;
	for (int64_t i = row + 1; i < rows; i++)
		if (SIZE_OF(column[i]) > SIZE_OF(column[best]))
			best = i;
	return best;
}

/* One column after the other. Returns the first zero pivot, from 1; 0: none. */
static int64_t NAME(lu)(void *matrix, int64_t lda, int64_t rows, int64_t columns, int64_t *pivots)
{
	ELEMENT *a = matrix;
	for (int64_t j = 0; j < columns && j < rows; j++) {
		ELEMENT *column = a + j * lda;
		int64_t best = pivots ? NAME(pivot_row)(column, j, rows) : j;
		if (pivots)
			pivots[j] = best + 1;
		if (column[best] == 0)
			return j + 1;
		NAME(exchange)(a, lda, columns, j, best);
		for (int64_t i = j + 1; i < rows; i++)
			column[i] /= column[j];
		for (int64_t l = j + 1; l < columns; l++) {
			ELEMENT *other = a + l * lda, factor = other[j];
			for (int64_t i = j + 1; i < rows; i++)
				other[i] -= column[i] * factor;
		}
	}
	return 0;
}

/* Rows first to end are exchanged with those of their pivots, or back again. */
static void NAME(exchange_all)(void *matrix, int64_t lda, int64_t columns, const int64_t *pivots,
                               int64_t first, int64_t end, bool back)
{
	for (int64_t i = first; i < end; i++) {
		int64_t row = back ? end - 1 - (i - first) : i;
		NAME(exchange)(matrix, lda, columns, row, pivots[row] - 1);
	}
}

/* Row and column l of the triangle are left; returns the first pivot that is not positive. */
static int64_t NAME(cholesky)(void *matrix, int64_t lda, int64_t n, bool upper)
{
	ELEMENT *a = matrix;
	const int64_t along = upper ? lda : 1, across = upper ? 1 : lda;
	for (int64_t l = 0; l < n; l++) {
		REAL pivot = REAL_PART(a[l * (lda + 1)]);
		if (!(pivot > 0) || !isfinite(pivot))
			return l + 1;
		pivot = (REAL)sqrt(pivot);
		a[l * (lda + 1)] = pivot;
		for (int64_t i = l + 1; i < n; i++)
			a[i * along + l * across] /= pivot;
		for (int64_t j = l + 1; j < n; j++)
			for (int64_t i = j; i < n; i++)
				a[i * along + j * across] -= a[i * along + l * across] *
				                             CONJUGATE(a[j * along + l * across]);
	}
	return 0;
}

static const REAL NAME(one)[2] = {1, 0}, NAME(minus_one)[2] = {-1, 0};

static const struct loops NAME(loops) = {
	NAME(one), NAME(minus_one), NAME(lu), NAME(exchange_all), NAME(cholesky),
};

#include "sim_solver_element_end.h"
