/* solves.c - factors that serve many solves, and transforms */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../resident/chance.h"
#include "../resident/writers.h"
#include "blocks.h"
#include "calls.h"
#include "plain.h"

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info);

enum { FACTORS = 4, ORDER_MOST = 160, SOLVES = 25, RIGHT_SIDES = 24, LENGTH_MOST = 8192 };
static const double rounding = 1e-12;

/* potrf: the triangle below is the factor; getrf: both are, with unit diagonal below. */
static struct factor {
	struct matrix matrix;
	bool is_symmetric;
	int pivot[ORDER_MOST], solves;
} factors[FACTORS];

static double *element(const struct factor *factor, int row, int column)
{
	return (double *)(void *)factor->matrix.memory +
	       (size_t)column * (size_t)factor->matrix.ld + row;
}

/* A large diagonal: the factors and solutions are of the size of the matrix. */
static void fill_factor(const struct factor *factor)
{
	const int order = factor->matrix.rows;
	for (int j = 0; j < order; j++)
		for (int i = 0; i < order; i++)
			*element(factor, i, j) = (double)(chance_draw() % 9) - 4;
	for (int j = 0; j < order; j++) {
		for (int i = 0; i < j; i++)
			*element(factor, i, j) = *element(factor, j, i);
		*element(factor, j, j) = 8 * order + j;
	}
	if (!factor->is_symmetric)
		for (int j = 0; j < order; j++) /* so that rows change places */
			*element(factor, (j + 7) % order, j) = 9 * order;
}

/* lower * upper, of what memory holds now. */
static struct dense find_product(const struct factor *factor)
{
	struct dense low = exact_copy_triangle(&factor->matrix, EXACT_LOWER, !factor->is_symmetric);
	struct dense up = factor->is_symmetric
	                          ? exact_copy_triangle(&factor->matrix, EXACT_LOWER, false)
	                          : exact_copy_triangle(&factor->matrix, EXACT_UPPER, false);
	struct dense product = exact_copy(&factor->matrix);
	if (factor->is_symmetric)
		exact_transpose(&up);
	plain_multiply(1, &low, &up, 0, &product);
	exact_free(&low);
	exact_free(&up);
	return product;
}

static double find_difference(const struct dense *one, const struct dense *other)
{
	double most = 0, size = 0;
	for (size_t i = 0; i < (size_t)one->rows * (size_t)one->columns; i++) {
		const double off = fabs(one->re[i] - other->re[i]);
		most = off <= most ? most : off == off ? off : HUGE_VAL;
		size = fmax(size, fabs(other->re[i]));
	}
	return most / size;
}

static void factorize(struct factor *factor)
{
	int info;
	fill_factor(factor);
	struct matrix *a = &factor->matrix;
	struct dense before = exact_copy(a);
	if (factor->is_symmetric)
		dpotrf_("L", &a->rows, (void *)a->memory, &a->ld, &info);
	else
		dgetrf_(&a->rows, &a->rows, (void *)a->memory, &a->ld, factor->pivot, &info);
	calls_made++;
	struct dense product = find_product(factor);
	if (!factor->is_symmetric)
		plain_exchange(&before, factor->pivot, true);
	if (info != 0 || !(find_difference(&product, &before) < rounding))
		calls_fail(factor->is_symmetric ? "dpotrf" : "dgetrf");
	exact_free(&before);
	exact_free(&product);
	factor->solves = 0;
}

void calls_make_factors(void)
{
	for (int i = 0; i < FACTORS; i++) {
		struct factor *factor = &factors[i];
		const int order = ORDER_MOST - 32 * (i / 2), ld = order + (i < 2 ? 0 : 8);
		char *memory = mmap(NULL, sizeof(double) * (size_t)order * (size_t)ld,
		                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			abort();
		factor->matrix = (struct matrix){'d', memory, order, order, ld};
		factor->is_symmetric = i % 2 == 0;
		factorize(factor);
	}
}

/* One number of the factor below the diagonal. */
static void change_factor(const struct factor *factor)
{
	const int column = (int)chance_below((size_t)factor->matrix.rows - 1);
	const int left = factor->matrix.rows - 1 - column;
	double *number = element(factor, column + 1 + (int)chance_below((size_t)left), column);
	const double other = *number + (factor->is_symmetric ? 4 : 0.25);
	chance_step = "a store to a factor";
	if (chance_draw() % 2 == 0)
		*number = other;
	else
		writers_store((char *)number, &other, sizeof other);
}

void calls_run_solve(void)
{
	struct factor *factor = &factors[chance_below(FACTORS)];
	if (factor->solves++ > SOLVES)
		factorize(factor);
	if (chance_draw() % 6 == 0)
		change_factor(factor);
	const struct matrix *a = &factor->matrix;
	struct block *block = blocks_choose('d', NULL, NULL);
	struct matrix b = blocks_find_matrix(block, LAYOUT_WHOLE);
	int info, sides = 1 + (int)chance_below(RIGHT_SIDES);
	if (b.rows != b.ld || b.rows * b.columns < a->rows * sides)
		sides = 1;
	b.rows = b.ld = a->rows;
	b.columns = sides;
	exact_tame(&b, 1 << 16);
	struct dense product = find_product(factor), before = exact_copy(&b);
	blocks_begin_call(block, &b);
	if (factor->is_symmetric)
		dpotrs_("L", &a->rows, &sides, (void *)a->memory, &a->ld, (void *)b.memory, &b.ld,
		        &info);
	else
		dgetrs_("N", &a->rows, &sides, (void *)a->memory, &a->ld, factor->pivot,
		        (void *)b.memory, &b.ld, &info);
	blocks_end_call();
	calls_made++;
	struct dense after = exact_copy(&b);
	if (!factor->is_symmetric)
		plain_exchange(&before, factor->pivot, true);
	if (info != 0 || !(plain_find_residual(&product, &after, &before) < rounding))
		calls_fail(factor->is_symmetric ? "dpotrs" : "dgetrs");
	exact_free(&product);
	exact_free(&before);
	exact_free(&after);
}

/* -- transforms -- */

static struct matrix choose_vector(const struct block *block, int length)
{
	const size_t count = block->region.bytes / exact_element_bytes('z') - (size_t)length;
	const size_t first = chance_below(3) == 0 ? chance_below(count) : 0;
	return (struct matrix){'z', block->region.memory + first * exact_element_bytes('z'), length,
	                       1, length};
}

static bool is_near(const double *found, const double *expected, int length)
{
	double off = 0, size = 0;
	for (int i = 0; i < 2 * length; i++) {
		off += (found[i] - expected[i]) * (found[i] - expected[i]);
		size += expected[i] * expected[i];
	}
	return off <= rounding * rounding * size;
}

static struct block *choose_long(const struct block * not )
{
	for (;;) {
		struct block *block = blocks_choose('z', not, NULL);
		if (block->region.kind != REGION_ROWS)
			return block;
	}
}

void calls_run_transform(void)
{
	static double expected[2 * LENGTH_MOST];
	struct block *to = choose_long(NULL), *from = chance_below(2) == 0 ? to : choose_long(to);
	int length = LENGTH_MOST;
	while ((size_t)length * 2 * exact_element_bytes('z') > to->region.bytes ||
	       (size_t)length * 2 * exact_element_bytes('z') > from->region.bytes)
		length /= 2;
	const struct matrix out = choose_vector(to, length);
	const struct matrix in = from == to ? out : choose_vector(from, length);
	const int sign = chance_below(2) == 0 ? FFTW_FORWARD : FFTW_BACKWARD;
	exact_tame(&in, 1 << 16);
	memcpy(expected, in.memory, exact_span_bytes(&in));
	plain_transform(expected, length, sign);
	fftw_plan plan = fftw_plan_dft_1d(length, (void *)in.memory, (void *)out.memory, sign,
	                                  FFTW_ESTIMATE);
	blocks_begin_call(to, &out);
	fftw_execute(plan);
	blocks_end_call();
	calls_made++;
	fftw_destroy_plan(plan);
	if (!is_near((void *)out.memory, expected, length))
		calls_fail(from == to ? "fftw_execute in place" : "fftw_execute");
}
