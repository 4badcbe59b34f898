/* exact.c - copies, and comparisons by value */
/* SPDX-License-Identifier: Apache-2.0 */
#include "exact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../resident/chance.h"

size_t exact_element_bytes(char type)
{
	return type == 's' ? sizeof(float) : type == 'd' ? sizeof(double) : 2 * sizeof(double);
}

size_t exact_span_bytes(const struct matrix *matrix)
{
	const size_t last = (size_t)(matrix->columns - 1) * (size_t)matrix->ld;
	return (last + (size_t)matrix->rows) * exact_element_bytes(matrix->type);
}

void exact_fill_doubles(char *memory, size_t bytes)
{
	double *number = (double *)(void *)memory;
	for (size_t i = 0; i < bytes / sizeof *number; i++)
		number[i] = (double)(chance_draw() % 9) - 4;
}

void exact_fill_floats(char *memory, size_t bytes)
{
	float *number = (float *)(void *)memory;
	for (size_t i = 0; i < bytes / sizeof *number; i++)
		number[i] = (float)(chance_draw() % 9) - 4;
}

static char *place(const struct matrix *matrix, int row, int column)
{
	const size_t element = (size_t)column * (size_t)matrix->ld + (size_t)row;
	return matrix->memory + element * exact_element_bytes(matrix->type);
}

static bool is_tame(double number, double most)
{
	return fabs(number) <= most && number * 8 == rint(number * 8);
}

void exact_tame(const struct matrix *matrix, double most)
{
	const int parts = matrix->type == 'z' ? 2 : 1;
	for (int j = 0; j < matrix->columns; j++) {
		double *number = (void *)place(matrix, 0, j);
		float *small = (void *)number;
		for (int i = 0; i < parts * matrix->rows; i++)
			if (matrix->type == 's' ? !is_tame((double)small[i], most)
			                        : !is_tame(number[i], most)) {
				const int value = (int)(chance_draw() % 9) - 4;
				if (matrix->type == 's')
					small[i] = (float)value;
				else
					number[i] = value;
			}
	}
}

static double *take(size_t count)
{
	double *number = calloc(count, sizeof *number);
	if (number == NULL)
		abort();
	return number;
}

static struct dense make(char type, int rows, int columns)
{
	const size_t count = (size_t)rows * (size_t)columns;
	return (struct dense){take(count), type == 'z' ? take(count) : NULL, rows, columns};
}

static size_t at(const struct dense *dense, int row, int column)
{
	return (size_t)column * (size_t)dense->rows + (size_t)row;
}

struct dense exact_copy(const struct matrix *matrix)
{
	struct dense dense = make(matrix->type, matrix->rows, matrix->columns);
	for (int j = 0; j < matrix->columns; j++) {
		const double *number = (void *)place(matrix, 0, j);
		const float *small = (const void *)number;
		for (int i = 0; i < matrix->rows; i++) {
			const size_t to = at(&dense, i, j);
			dense.re[to] = matrix->type == 's'   ? (double)small[i]
			               : matrix->type == 'd' ? number[i]
			                                     : number[2 * i];
			if (dense.im != NULL)
				dense.im[to] = number[2 * i + 1];
		}
	}
	return dense;
}

void exact_transpose(struct dense *dense)
{
	struct dense turned = make(dense->im != NULL ? 'z' : 'd', dense->columns, dense->rows);
	for (int j = 0; j < dense->columns; j++)
		for (int i = 0; i < dense->rows; i++) {
			turned.re[at(&turned, j, i)] = dense->re[at(dense, i, j)];
			if (dense->im != NULL)
				turned.im[at(&turned, j, i)] = dense->im[at(dense, i, j)];
		}
	exact_free(dense);
	*dense = turned;
}

struct dense exact_copy_transposed(const struct matrix *matrix, bool conjugates)
{
	struct dense dense = exact_copy(matrix);
	exact_transpose(&dense);
	const size_t count = (size_t)dense.rows * (size_t)dense.columns;
	for (size_t i = 0; conjugates && dense.im != NULL && i < count; i++)
		dense.im[i] = -dense.im[i];
	return dense;
}

static bool is_in(enum exact_part part, int row, int column)
{
	return part == EXACT_LOWER ? row >= column : row <= column;
}

static void set(struct dense *dense, int row, int column, double re, double im)
{
	dense->re[at(dense, row, column)] = re;
	if (dense->im != NULL)
		dense->im[at(dense, row, column)] = im;
}

struct dense exact_copy_triangle(const struct matrix *matrix, enum exact_part part, bool is_unit)
{
	struct dense dense = exact_copy(matrix);
	for (int j = 0; j < dense.columns; j++) {
		for (int i = 0; i < dense.rows; i++)
			if (!is_in(part, i, j))
				set(&dense, i, j, 0, 0);
		if (is_unit)
			set(&dense, j, j, 1, 0);
	}
	return dense;
}

struct dense exact_copy_symmetric(const struct matrix *matrix, enum exact_part part)
{
	struct dense dense = exact_copy(matrix);
	for (int j = 0; j < dense.columns; j++)
		for (int i = 0; i < dense.rows; i++) {
			const size_t from = at(&dense, j, i);
			if (!is_in(part, i, j))
				set(&dense, i, j, dense.re[from],
				    dense.im != NULL ? dense.im[from] : 0);
		}
	return dense;
}

void exact_free(struct dense *dense)
{
	free(dense->re);
	free(dense->im);
	*dense = (struct dense){0};
}

void exact_keep_rest(struct dense *to, enum exact_part part, const struct dense *from)
{
	for (int j = 0; j < to->columns; j++)
		for (int i = 0; i < to->rows; i++)
			if (!is_in(part, i, j))
				set(to, i, j, from->re[at(from, i, j)],
				    from->im != NULL ? from->im[at(from, i, j)] : 0);
}

bool exact_equals(const struct matrix *matrix, const struct dense *expected)
{
	struct dense found = exact_copy(matrix);
	bool equal = true;
	for (int j = 0; j < found.columns && equal; j++)
		for (int i = 0; i < found.rows && equal; i++) {
			const size_t k = at(&found, i, j);
			equal = found.re[k] == expected->re[k] &&
			        (found.im == NULL || found.im[k] == expected->im[k]);
			if (!equal)
				printf("row %d, column %d of %d x %d, ld %d: found %.17g, expected "
				       "%.17g\n",
				       i, j, found.rows, found.columns, matrix->ld, found.re[k],
				       expected->re[k]);
		}
	exact_free(&found);
	return equal;
}
