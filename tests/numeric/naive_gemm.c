/* naive_gemm.c - matrices in one block of memory, and the product by its definition */
/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_gemm.h"

#include <float.h>
#include <math.h>

static struct operand operand_make(int rows, int columns, int ld, const struct gemm *g)
{
	return (struct operand){rows, columns, ld, g->spelling == BY_ROWS};
}

struct operand operand_a(const struct gemm *g)
{
	return g->transa == 'N' ? operand_make(g->m, g->k, g->lda, g)
	                        : operand_make(g->k, g->m, g->lda, g);
}

struct operand operand_b(const struct gemm *g)
{
	return g->transb == 'N' ? operand_make(g->k, g->n, g->ldb, g)
	                        : operand_make(g->n, g->k, g->ldb, g);
}

struct operand operand_c(const struct gemm *g)
{
	return operand_make(g->m, g->n, g->ldc, g);
}

size_t operand_index(const struct operand *o, int row, int column)
{
	return o->by_rows ? (size_t)row * (size_t)o->ld + (size_t)column
	                  : (size_t)column * (size_t)o->ld + (size_t)row;
}

size_t operand_extent(const struct operand *o)
{
	return o->rows == 0 || o->columns == 0 ? 0
	                                       : operand_index(o, o->rows - 1, o->columns - 1) + 1;
}

/* Arrays may lie at any byte. */
long double complex element_read(enum type type, const void *array, size_t index)
{
	double d[2] = {0};
	float f[2] = {0};
	const size_t bytes = type_bytes(type);
	if (type == TYPE_D || type == TYPE_Z) {
		__builtin_memcpy(d, (const char *)array + index * bytes, bytes);
		return CMPLXL(d[0], d[1]);
	}
	__builtin_memcpy(f, (const char *)array + index * bytes, bytes);
	return CMPLXL(f[0], f[1]);
}

void element_write(enum type type, void *array, size_t index, long double complex value)
{
	const double d[2] = {(double)creall(value), (double)cimagl(value)};
	const float f[2] = {(float)d[0], (float)d[1]};
	const size_t bytes = type_bytes(type);
	const void *from = type == TYPE_D || type == TYPE_Z ? (const void *)d : f;
	__builtin_memcpy((char *)array + index * bytes, from, bytes);
}

static long double complex op(const struct gemm *g, const struct operand *o, const void *array,
                              char trans, int row, int column)
{
	const size_t at =
		trans == 'N' ? operand_index(o, row, column) : operand_index(o, column, row);
	const long double complex value = element_read(g->type, array, at);
	return trans == 'C' ? conjl(value) : value;
}

static long double complex scalar(const double value[2], enum type type)
{
	const double re = type == TYPE_S || type == TYPE_C ? (float)value[0] : value[0];
	const double im = type == TYPE_C ? (float)value[1] : value[1];
	return CMPLXL(re, type_is_complex(type) ? im : 0);
}

static long double complex naive_element(const struct gemm *g, const void *before, int i, int j)
{
	const struct operand a = operand_a(g), b = operand_b(g), c = operand_c(g);
	const long double complex alpha = scalar(g->alpha, g->type),
				  beta = scalar(g->beta, g->type);
	long double complex sum = 0;
	if (alpha != 0)
		for (int p = 0; p < g->k; p++)
			sum += op(g, &a, g->a, g->transa, i, p) * op(g, &b, g->b, g->transb, p, j);
	if (alpha != 0)
		sum *= alpha;
	if (beta != 0)
		sum += beta * element_read(g->type, before, operand_index(&c, i, j));
	return sum;
}

static long double norm(const struct gemm *g, const struct operand *o, const void *array)
{
	long double sum = 0;
	for (int i = 0; i < o->rows; i++)
		for (int j = 0; j < o->columns; j++) {
			const long double size =
				cabsl(element_read(g->type, array, operand_index(o, i, j)));
			sum += size * size;
		}
	return sqrtl(sum);
}

double naive_gemm_error(const struct gemm *g, const void *before)
{
	const struct operand a = operand_a(g), b = operand_b(g), c = operand_c(g);
	const long double alpha = cabsl(scalar(g->alpha, g->type)),
			  beta = cabsl(scalar(g->beta, g->type));
	const long double epsilon =
		g->type == TYPE_S || g->type == TYPE_C ? FLT_EPSILON : DBL_EPSILON;
	long double error = 0, unit = 0;
	for (int i = 0; i < g->m; i++)
		for (int j = 0; j < g->n; j++) {
			const long double complex got =
				element_read(g->type, g->c, operand_index(&c, i, j));
			const long double off = cabsl(got - naive_element(g, before, i, j));
			error += off * off;
		}
	if (alpha > 0)
		unit += (g->k + 2) * alpha * norm(g, &a, g->a) * norm(g, &b, g->b);
	if (beta > 0)
		unit += 2 * beta * norm(g, &c, before);
	return error == 0 ? 0 : (double)(sqrtl(error) / (epsilon * unit));
}

bool naive_gemm_agrees_on_finite(const struct gemm *g, const void *before)
{
	const struct operand c = operand_c(g);
	for (int i = 0; i < g->m; i++)
		for (int j = 0; j < g->n; j++) {
			const long double complex want = naive_element(g, before, i, j);
			const long double complex got =
				element_read(g->type, g->c, operand_index(&c, i, j));
			if ((isfinite(creall(want)) && isfinite(cimagl(want))) !=
			    (isfinite(creall(got)) && isfinite(cimagl(got))))
				return false;
		}
	return true;
}
