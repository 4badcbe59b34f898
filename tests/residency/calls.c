/* calls.c - level 3 of BLAS: whole numbers, compared bit for bit */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../driver/blas_declared.h"
#include "../resident/chance.h"
#include "../resident/writers.h"
#include "blocks.h"
#include "plain.h"

/*
 * WORK: multiplications of one call. INPUT: magnitudes whose products are exact. Numbers are
 * eighths, so that TERMS_SINGLE products of two, in 64ths, are below 2^24.
 */
enum {
	WORK = 1000000,
	WORK_COMPLEX = 200000,
	INPUT = 1 << 16,
	INPUT_SINGLE = 16,
	TERMS_SINGLE = 1000
};
enum { TRIANGLE_MOST = 64, REPEATED = 5 };
static const double rounding = 1e-13;

long calls_made;

void calls_fail(const char *call)
{
	printf("FAIL call %ld, %s, is wrong; the last event: %s\n", calls_made, call, chance_step);
	fflush(stdout);
	_Exit(1);
}

static int lesser(int one, int other)
{
	return one < other ? one : other;
}

/* -- products -- */

struct product {
	char trans[2];
	int m, n, k;
	double alpha, beta;
	struct block *block;
	struct matrix a, b, c;
};

static void turn(const struct matrix *matrix, char trans, int *rows, int *columns)
{
	*rows = trans == 'N' ? matrix->rows : matrix->columns;
	*columns = trans == 'N' ? matrix->columns : matrix->rows;
}

static void cut(struct matrix *matrix, char trans, int rows, int columns)
{
	matrix->rows = trans == 'N' ? rows : columns;
	matrix->columns = trans == 'N' ? columns : rows;
}

static void reduce(struct product *call, int work)
{
	while ((double)call->m * call->n * call->k > work) {
		int *most = call->m > call->n ? &call->m : &call->n;
		if (call->k > *most)
			most = &call->k;
		*most /= 2;
	}
}

/* Most operands have pages of their own: no gaps, or long columns. */
static enum layout choose_layout(void)
{
	static const enum layout frequent[] = {LAYOUT_WHOLE, LAYOUT_WHOLE, LAYOUT_WHOLE,
	                                       LAYOUT_HALF,  LAYOUT_TALL,  LAYOUT_PART};
	return frequent[chance_below(sizeof frequent / sizeof *frequent)];
}

/* from: the block of A; NULL: any. */
static void choose_product(struct product *call, char type, struct block *from)
{
	static const char letters[] = "NNTC";
	const enum layout layout = choose_layout();
	struct block *c = blocks_choose(type, from, NULL);
	int rows[3], columns[3];
	call->block = c;
	call->trans[0] = letters[chance_below(4)];
	call->trans[1] = letters[chance_below(4)];
	call->alpha = 1 - 2 * (double)chance_below(2);
	call->beta = (double)chance_below(3) - 1;
	call->a = blocks_find_matrix(from != NULL ? from : blocks_choose(type, c, NULL), layout);
	call->b = blocks_find_matrix(blocks_choose(type, c, NULL), layout);
	call->c = blocks_find_matrix(c, layout);
	turn(&call->a, call->trans[0], &rows[0], &columns[0]);
	turn(&call->b, call->trans[1], &rows[1], &columns[1]);
	turn(&call->c, 'N', &rows[2], &columns[2]);
	call->m = lesser(rows[0], rows[2]);
	call->n = lesser(columns[1], columns[2]);
	call->k = lesser(columns[0], rows[1]);
	if (type == 's' && call->k > TERMS_SINGLE)
		call->k = TERMS_SINGLE;
	reduce(call, type == 'z' ? WORK_COMPLEX : WORK);
	cut(&call->a, call->trans[0], call->m, call->k);
	cut(&call->b, call->trans[1], call->k, call->n);
	cut(&call->c, 'N', call->m, call->n);
}

static struct dense copy(const struct matrix *matrix, char trans)
{
	return trans == 'N' ? exact_copy(matrix) : exact_copy_transposed(matrix, trans == 'C');
}

static void multiply(const struct product *call)
{
	const struct matrix *a = &call->a, *b = &call->b, *c = &call->c;
	const char *ta = &call->trans[0], *tb = &call->trans[1];
	const int *m = &call->m, *n = &call->n, *k = &call->k;
	const float alpha = (float)call->alpha, beta = (float)call->beta;
	const double one[2] = {call->alpha, 0}, two[2] = {call->beta, 0};
	void *x = a->memory, *y = b->memory, *z = c->memory;
	if (a->type == 's')
		sgemm_(ta, tb, m, n, k, &alpha, x, &a->ld, y, &b->ld, &beta, z, &c->ld);
	else if (a->type == 'd')
		dgemm_(ta, tb, m, n, k, one, x, &a->ld, y, &b->ld, two, z, &c->ld);
	else
		zgemm_(ta, tb, m, n, k, one, x, &a->ld, y, &b->ld, two, z, &c->ld);
}

static void run_product(const struct product *call)
{
	const double most = call->a.type == 's' ? INPUT_SINGLE : INPUT;
	exact_tame(&call->a, most);
	exact_tame(&call->b, most);
	if (call->beta != 0)
		exact_tame(&call->c, most);
	struct dense a = copy(&call->a, call->trans[0]), b = copy(&call->b, call->trans[1]);
	struct dense c = exact_copy(&call->c);
	plain_multiply(call->alpha, &a, &b, call->beta, &c);
	blocks_begin_call(call->block, &call->c);
	multiply(call);
	blocks_end_call();
	calls_made++;
	if (!exact_equals(&call->c, &c))
		calls_fail("gemm");
	exact_free(&a);
	exact_free(&b);
	exact_free(&c);
}

/* One number, by a store or a system call. */
static void change(const struct matrix *matrix)
{
	const size_t bytes = exact_element_bytes(matrix->type);
	const size_t row = chance_below((size_t)matrix->rows);
	const size_t column = chance_below((size_t)matrix->columns);
	char *number = matrix->memory + (column * (size_t)matrix->ld + row) * bytes;
	char fresh[sizeof(double)] = {0};
	matrix->type == 's' ? exact_fill_floats(fresh, bytes)
			    : exact_fill_doubles(fresh, sizeof(double));
	chance_step = "a change of one number";
	if (chance_below(2) == 0)
		memcpy(number, fresh, matrix->type == 's' ? bytes : sizeof fresh);
	else
		writers_store(number, fresh, matrix->type == 's' ? bytes : sizeof fresh);
}

/* Some are repeated: operands that stay as they are, or nearly. */
void calls_run_product(void)
{
	struct product call;
	choose_product(&call, "ddsz"[chance_below(4)], NULL);
	run_product(&call);
	for (size_t i = chance_below(REPEATED); i > 0; i--) {
		if (chance_below(3) == 0)
			change(chance_below(2) == 0 ? &call.a : &call.b);
		run_product(&call);
	}
}

void calls_run_around(struct block *block, void (*happen)(const struct block *block))
{
	struct product call;
	choose_product(&call, block->type, block);
	run_product(&call);
	happen(block);
	run_product(&call);
}

/* -- triangles -- */

static struct matrix choose_square(const struct block *block, int most)
{
	struct matrix matrix =
		blocks_find_matrix(block, chance_below(3) == 0 ? LAYOUT_TALL : LAYOUT_WHOLE);
	const int order = lesser(most, lesser(matrix.rows, matrix.columns));
	matrix.rows = matrix.columns = order;
	return matrix;
}

static struct matrix choose_beside(const struct block *block, int rows, int work)
{
	struct matrix matrix = blocks_find_matrix(block, choose_layout());
	matrix.rows = lesser(matrix.rows, rows);
	matrix.columns = lesser(matrix.columns, 1 + work / (rows * rows));
	return matrix;
}

/* C := A A^T or A^T A of the whole numbers of A. */
static void run_syrk(struct block *from, struct block *to)
{
	const double alpha = 1, beta = (double)chance_below(2);
	const char uplo = chance_below(2) == 0 ? 'L' : 'U',
		   trans = chance_below(2) == 0 ? 'N' : 'T';
	struct matrix c = choose_square(to, 200);
	struct matrix a = blocks_find_matrix(from, LAYOUT_WHOLE);
	const int n = lesser(c.rows, trans == 'N' ? a.rows : a.columns);
	const int k = lesser(trans == 'N' ? a.columns : a.rows, 1 + WORK / (n * n));
	cut(&a, trans, n, k);
	c.rows = c.columns = n;
	exact_tame(&a, INPUT);
	exact_tame(&c, INPUT);
	struct dense one = copy(&a, trans), other = copy(&a, trans), sum = exact_copy(&c);
	struct dense before = exact_copy(&c);
	exact_transpose(&other);
	plain_multiply(alpha, &one, &other, beta, &sum);
	exact_keep_rest(&sum, uplo == 'L' ? EXACT_LOWER : EXACT_UPPER, &before);
	blocks_begin_call(to, &c);
	dsyrk_(&uplo, &trans, &n, &k, &alpha, (void *)a.memory, &a.ld, &beta, (void *)c.memory,
	       &c.ld);
	blocks_end_call();
	if (!exact_equals(&c, &sum))
		calls_fail("dsyrk");
	exact_free(&one);
	exact_free(&other);
	exact_free(&before);
	exact_free(&sum);
}

static void run_symm(struct block *from, struct block *beside, struct block *to)
{
	const double alpha = -1, beta = (double)chance_below(2);
	const char uplo = chance_below(2) == 0 ? 'L' : 'U';
	struct matrix a = choose_square(from, 200);
	struct matrix b = choose_beside(beside, a.rows, WORK), c = choose_beside(to, a.rows, WORK);
	const int m = lesser(a.rows, lesser(b.rows, c.rows)), n = lesser(b.columns, c.columns);
	a.rows = a.columns = b.rows = c.rows = m;
	b.columns = c.columns = n;
	exact_tame(&a, INPUT);
	exact_tame(&b, INPUT);
	exact_tame(&c, INPUT);
	struct dense x = exact_copy_symmetric(&a, uplo == 'L' ? EXACT_LOWER : EXACT_UPPER);
	struct dense y = exact_copy(&b), z = exact_copy(&c);
	plain_multiply(alpha, &x, &y, beta, &z);
	blocks_begin_call(to, &c);
	dsymm_("L", &uplo, &m, &n, &alpha, (void *)a.memory, &a.ld, (void *)b.memory, &b.ld, &beta,
	       (void *)c.memory, &c.ld);
	blocks_end_call();
	if (!exact_equals(&c, &z))
		calls_fail("dsymm");
	exact_free(&x);
	exact_free(&y);
	exact_free(&z);
}

static void run_trmm(struct block *from, struct block *to)
{
	const double alpha = 1;
	const bool is_unit = chance_below(2) == 0, turned = chance_below(2) == 0;
	const char uplo = chance_below(2) == 0 ? 'L' : 'U';
	struct matrix a = choose_square(from, 200), b = choose_beside(to, a.rows, WORK);
	const int m = lesser(a.rows, b.rows), n = b.columns;
	a.rows = a.columns = b.rows = m;
	exact_tame(&a, INPUT);
	exact_tame(&b, INPUT);
	struct dense x = exact_copy_triangle(&a, uplo == 'L' ? EXACT_LOWER : EXACT_UPPER, is_unit);
	struct dense y = exact_copy(&b), z = exact_copy(&b);
	if (turned)
		exact_transpose(&x);
	plain_multiply(alpha, &x, &y, 0, &z);
	blocks_begin_call(to, &b);
	dtrmm_("L", &uplo, turned ? "T" : "N", is_unit ? "U" : "N", &m, &n, &alpha,
	       (void *)a.memory, &a.ld, (void *)b.memory, &b.ld);
	blocks_end_call();
	if (!exact_equals(&b, &z))
		calls_fail("dtrmm");
	exact_free(&x);
	exact_free(&y);
	exact_free(&z);
}

void calls_run_level3(void)
{
	struct block *from = blocks_choose('d', NULL, NULL), *to = blocks_choose('d', from, NULL);
	calls_made++;
	switch (chance_below(3)) {
	case 0: run_syrk(from, to); break;
	case 1: run_symm(from, blocks_choose('d', to, NULL), to); break;
	default: run_trmm(from, to);
	}
}

/* The solution grows with the order, so that this one is small; judged by the residual. */
void calls_run_triangular_solve(void)
{
	const double one = 1;
	const char uplo = chance_below(2) == 0 ? 'L' : 'U';
	struct block *from = blocks_choose('d', NULL, NULL), *to = blocks_choose('d', from, NULL);
	struct matrix a = choose_square(from, TRIANGLE_MOST);
	struct matrix b = choose_beside(to, a.rows, WORK);
	const int m = lesser(a.rows, b.rows), n = b.columns;
	a.rows = a.columns = b.rows = m;
	exact_tame(&a, INPUT);
	exact_tame(&b, INPUT);
	struct dense x = exact_copy_triangle(&a, uplo == 'L' ? EXACT_LOWER : EXACT_UPPER, true);
	struct dense before = exact_copy(&b);
	blocks_begin_call(to, &b);
	dtrsm_("L", &uplo, "N", "U", &m, &n, &one, (void *)a.memory, &a.ld, (void *)b.memory,
	       &b.ld);
	blocks_end_call();
	calls_made++;
	struct dense after = exact_copy(&b);
	if (!(plain_find_residual(&x, &after, &before) < rounding))
		calls_fail("dtrsm");
	exact_free(&x);
	exact_free(&before);
	exact_free(&after);
}
