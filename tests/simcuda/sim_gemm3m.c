/* sim_gemm3m.c - the complex matrix product from three real ones */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "sim_abi.h"
#include "sim_gemm.h"
#include "sim_level3.h"

/*
 * Tight planes of real numbers by columns: the two parts of an operand and their sum, or the three
 * products.
 */
struct planes {
	bool wide; /* double */
	size_t rows, columns;
	char *plane[3];
};

static size_t real_bytes(bool wide)
{
	return wide ? sizeof(double) : sizeof(float);
}

static double real_at(const void *data, size_t index, bool wide)
{
	return wide ? ((const double *)data)[index] : (double)((const float *)data)[index];
}

static void real_put(void *data, size_t index, bool wide, double value)
{
	if (wide)
		((double *)data)[index] = value;
	else
		((float *)data)[index] = (float)value;
}

static struct planes planes_new(bool wide, size_t rows, size_t columns)
{
	struct planes made = {wide, rows, columns, {NULL, NULL, NULL}};
	size_t plane_bytes = rows * columns * real_bytes(wide);
	made.plane[0] = malloc(3 * plane_bytes + 1);
	for (int i = 1; made.plane[0] && i < 3; i++)
		made.plane[i] = made.plane[i - 1] + plane_bytes;
	return made;
}

/* Splits the operand after its transposition. The sum is rounded to the precision of the planes. */
static struct planes planes_split(bool wide, const void *data, int transposition, int64_t ld,
                                  int64_t rows, int64_t columns)
{
	struct planes made = planes_new(wide, (size_t)rows, (size_t)columns);
	size_t row_step = transposition == SIM_TRANS_N ? 1 : (size_t)ld;
	size_t column_step = transposition == SIM_TRANS_N ? (size_t)ld : 1, to = 0;
	for (size_t j = 0; made.plane[0] && j < made.columns; j++)
		for (size_t i = 0; i < made.rows; i++, to++) {
			size_t from = 2 * (i * row_step + j * column_step);
			double re = real_at(data, from, wide), im = real_at(data, from + 1, wide);
			im = transposition == SIM_TRANS_C ? -im : im;
			real_put(made.plane[0], to, wide, re);
			real_put(made.plane[1], to, wide, im);
			real_put(made.plane[2], to, wide, re + im);
		}
	return made;
}

static bool planes_multiply(const struct planes *c, const struct planes *a, const struct planes *b,
                            int digits)
{
	const double one = 1, zero = 0;
	const float single_one = 1, single_zero = 0;
	bool done = c->plane[0] && a->plane[0] && b->plane[0];
	for (int i = 0; i < 3 && done; i++) {
		struct sim_gemm g = {.element = c->wide ? 'D' : 'S',
		                     .m = c->rows,
		                     .n = c->columns,
		                     .k = a->columns,
		                     .a = {a->plane[i], 1, (ptrdiff_t)a->rows, false},
		                     .b = {b->plane[i], 1, (ptrdiff_t)b->rows, false},
		                     .alpha = c->wide ? (const void *)&one : &single_one,
		                     .beta = c->wide ? (const void *)&zero : &single_zero,
		                     .c = c->plane[i],
		                     .ldc = c->rows,
		                     .digits = digits};
		done = sim_gemm_compute(&g);
	}
	return done;
}

/* C := alpha (P0 - P1 + i (P2 - P0 - P1)) + beta C */
static void planes_merge(const struct sim_level3 *w, const struct planes *p)
{
	bool wide = p->wide;
	double alpha[2] = {real_at(w->alpha, 0, wide), real_at(w->alpha, 1, wide)};
	double beta[2] = {real_at(w->beta, 0, wide), real_at(w->beta, 1, wide)};
	bool fresh = beta[0] == 0 && beta[1] == 0;
	for (size_t at = 0; at < p->rows * p->columns; at++) {
		size_t to = 2 * (at % p->rows + at / p->rows * (size_t)w->ldc);
		double first = real_at(p->plane[0], at, wide),
		       second = real_at(p->plane[1], at, wide);
		double re = first - second, im = real_at(p->plane[2], at, wide) - first - second;
		double old[2] = {fresh ? 0 : real_at(w->c, to, wide),
		                 fresh ? 0 : real_at(w->c, to + 1, wide)};
		real_put(w->c, to, wide,
		         alpha[0] * re - alpha[1] * im + (beta[0] * old[0] - beta[1] * old[1]));
		real_put(w->c, to + 1, wide,
		         alpha[0] * im + alpha[1] * re + (beta[0] * old[1] + beta[1] * old[0]));
	}
}

bool sim_level3_gemm3m(const struct sim_level3 *w)
{
	bool wide = w->element == 'Z';
	struct planes a = planes_split(wide, w->a, w->transa, w->lda, w->m, w->k);
	struct planes b = planes_split(wide, w->b, w->transb, w->ldb, w->k, w->n);
	struct planes c = planes_new(wide, (size_t)w->m, (size_t)w->n);
	bool done = planes_multiply(&c, &a, &b, w->digits);
	if (done)
		planes_merge(w, &c);
	free(a.plane[0]);
	free(b.plane[0]);
	free(c.plane[0]);
	return done;
}
