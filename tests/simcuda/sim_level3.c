/* sim_level3.c - symm, syrk, syr2k, trmm and trsm in blocks, from gemm and short loops */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_level3.h"

#include <stdlib.h>
#include <string.h>

#include "sim_abi.h"
#include "sim_gemm.h"

/*
 * BLOCK: diagonal blocks that trmm and trsm compute by their own loops. RANK_BLOCK: blocks in which
 * a triangle is updated.
 */
enum { BLOCK = 32, RANK_BLOCK = 96 };

/*
 * op(A) of trmm and trsm, always as the left factor: side right is solved as the transposed
 * problem.
 */
struct triangle {
	struct sim_operand a;
	bool upper, unit;
	size_t size;
};

/* A matrix that is written, possibly as its transpose: one of the steps is 1. */
struct target {
	char *data;
	ptrdiff_t row_step, column_step;
};

/* A block of C. */
struct block {
	size_t row, column, rows, columns;
};

static inline void *target_at(const struct target *t, size_t row, size_t column,
                              size_t element_bytes)
{
	return t->data + ((ptrdiff_t)row * t->row_step + (ptrdiff_t)column * t->column_step) *
	                         (ptrdiff_t)element_bytes;
}

/* Constants and functions of one element type. */
struct loops {
	const void *one, *minus_one, *zero;
	bool (*is_zero)(const void *scalar);
	void (*widen)(void *to, const void *from, bool is_real, bool conjugate);
	void (*expand)(void *dense, const struct sim_level3 *w, size_t n);
	void (*merge)(const struct sim_level3 *w, const struct block *block, const void *product);
	void (*solve)(const struct triangle *t, size_t first, size_t used, const struct target *c,
	              size_t columns);
	void (*multiply)(const struct triangle *t, size_t first, size_t used,
	                 const struct target *b, const struct target *c, size_t columns,
	                 const void *alpha);
};

#define REAL float
#define PARTS 1
#define NAME(x) x##_s
#include "sim_level3_template.h"

#define REAL double
#define PARTS 1
#define NAME(x) x##_d
#include "sim_level3_template.h"

#define REAL float
#define PARTS 2
#define NAME(x) x##_c
#include "sim_level3_template.h"

#define REAL double
#define PARTS 2
#define NAME(x) x##_z
#include "sim_level3_template.h"

static const struct loops *loops_of(char element)
{
	switch (element) {
	case 'S': return &loops_s;
	case 'D': return &loops_d;
	case 'C': return &loops_c;
	default: return &loops_z;
	}
}

size_t sim_level3_element_bytes(char element)
{
	return element == 'S' ? 4 : element == 'Z' ? 16 : 8;
}

bool sim_level3_is_zero(char element, const void *scalar)
{
	return loops_of(element)->is_zero(scalar);
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static struct sim_operand operand(const void *data, int transposition, int64_t ld)
{
	if (transposition == SIM_TRANS_N)
		return (struct sim_operand){data, 1, (ptrdiff_t)ld, false};
	return (struct sim_operand){data, (ptrdiff_t)ld, 1, transposition == SIM_TRANS_C};
}

static struct sim_operand transposed(struct sim_operand a)
{
	return (struct sim_operand){a.data, a.column_step, a.row_step, a.conjugate};
}

/* The operand without its rows above `row` and its columns before `column`. */
static struct sim_operand part(struct sim_operand a, size_t row, size_t column,
                               size_t element_bytes)
{
	ptrdiff_t elements = (ptrdiff_t)row * a.row_step + (ptrdiff_t)column * a.column_step;
	a.data = (const char *)a.data + elements * (ptrdiff_t)element_bytes;
	return a;
}

static struct sim_operand target_operand(const struct target *t)
{
	return (struct sim_operand){t->data, t->row_step, t->column_step, false};
}

/*
 * target := alpha A B + beta target. A target that is seen transposed gets the transposed product.
 */
static bool product(const struct sim_level3 *w, const struct sim_gemm *shape,
                    const struct target *to)
{
	struct sim_gemm g = *shape;
	g.element = w->element;
	g.digits = w->digits;
	g.c = to->data;
	g.ldc = (size_t)to->column_step;
	if (to->row_step != 1) {
		g.m = shape->n;
		g.n = shape->m;
		g.a = transposed(shape->b);
		g.b = transposed(shape->a);
		g.ldc = (size_t)to->row_step;
	}
	return sim_gemm_compute(&g);
}

bool sim_level3_gemm(const struct sim_level3 *w)
{
	struct sim_gemm g = {.m = (size_t)w->m,
	                     .n = (size_t)w->n,
	                     .k = (size_t)w->k,
	                     .a = operand(w->a, w->transa, w->lda),
	                     .b = operand(w->b, w->transb, w->ldb),
	                     .alpha = w->alpha,
	                     .beta = w->beta};
	return product(w, &g, &(struct target){w->c, 1, (ptrdiff_t)w->ldc});
}

bool sim_level3_symm(const struct sim_level3 *w)
{
	size_t k = (size_t)w->k;
	void *dense = malloc(k * k * sim_level3_element_bytes(w->element));
	struct sim_operand a = operand(dense, SIM_TRANS_N, w->k),
			   b = operand(w->b, SIM_TRANS_N, w->ldb);
	bool left = w->side == SIM_SIDE_LEFT;
	struct sim_gemm g = {.m = (size_t)w->m,
	                     .n = (size_t)w->n,
	                     .k = k,
	                     .a = left ? a : b,
	                     .b = left ? b : a,
	                     .alpha = w->alpha,
	                     .beta = w->beta};
	if (dense)
		loops_of(w->element)->expand(dense, w, k);
	bool done = dense && product(w, &g, &(struct target){w->c, 1, (ptrdiff_t)w->ldc});
	free(dense);
	return done;
}

/*
 * The factors of syrk, herk, syr2k and her2k: C := alpha left right + second_alpha second_left
 * second_right + beta C.
 */
struct rank_update {
	const struct sim_level3 *w;
	int count;
	struct sim_operand left[2], right[2];
	double alpha[2][2];
	char *scratch;
};

/*
 * The product goes to scratch memory, because half of a block on C's diagonal must not be written.
 */
static bool rank_block(const struct rank_update *r, const struct block *block)
{
	const struct loops *loops = loops_of(r->w->element);
	size_t element = sim_level3_element_bytes(r->w->element);
	struct target scratch = {r->scratch, 1, (ptrdiff_t)block->rows};
	bool done = true;
	for (int i = 0; i < r->count && done; i++) {
		struct sim_gemm g = {.m = block->rows,
		                     .n = block->columns,
		                     .k = (size_t)r->w->k,
		                     .a = part(r->left[i], block->row, 0, element),
		                     .b = part(r->right[i], 0, block->column, element),
		                     .alpha = r->alpha[i],
		                     .beta = i ? loops->one : loops->zero};
		done = product(r->w, &g, &scratch);
	}
	if (done)
		loops->merge(r->w, block, r->scratch);
	return done;
}

static bool rank_run(struct rank_update *r)
{
	size_t n = (size_t)r->w->n, side = smaller(n, RANK_BLOCK);
	bool upper = r->w->uplo == SIM_UPLO_UPPER;
	r->scratch = malloc(side * side * sim_level3_element_bytes(r->w->element));
	bool done = r->scratch != NULL;
	for (size_t column = 0; column < n && done; column += RANK_BLOCK) {
		size_t columns = smaller(RANK_BLOCK, n - column),
		       end = upper ? column + columns : n;
		for (size_t row = upper ? 0 : column; row < end && done; row += RANK_BLOCK) {
			struct block block = {row, column, smaller(RANK_BLOCK, n - row), columns};
			done = rank_block(r, &block);
		}
	}
	free(r->scratch);
	return done;
}

/*
 * op(X) as the left factor; as the right factor it is transposed, and conjugated where the result
 * is Hermitian.
 */
static void rank_factor(struct rank_update *r, int left, int right, const void *data, int64_t ld)
{
	r->left[left] = operand(data, r->w->transa, ld);
	r->right[right] = transposed(r->left[left]);
	if (r->w->hermitian)
		r->right[right].conjugate = !r->left[left].conjugate;
}

bool sim_level3_syrk(const struct sim_level3 *w)
{
	struct rank_update r = {.w = w, .count = 1};
	rank_factor(&r, 0, 0, w->a, w->lda);
	loops_of(w->element)->widen(r.alpha[0], w->alpha, w->hermitian, false);
	return rank_run(&r);
}

bool sim_level3_syr2k(const struct sim_level3 *w)
{
	struct rank_update r = {.w = w, .count = 2};
	rank_factor(&r, 0, 1, w->a, w->lda);
	rank_factor(&r, 1, 0, w->b, w->ldb);
	loops_of(w->element)->widen(r.alpha[0], w->alpha, false, false);
	loops_of(w->element)->widen(r.alpha[1], w->alpha, false, w->hermitian);
	return rank_run(&r);
}

static struct triangle triangle_of(const struct sim_level3 *w)
{
	bool flips = (w->transa != SIM_TRANS_N) != (w->side == SIM_SIDE_RIGHT);
	struct sim_operand a = operand(w->a, w->transa, w->lda);
	return (struct triangle){.a = w->side == SIM_SIDE_LEFT ? a : transposed(a),
	                         .upper = (w->uplo == SIM_UPLO_UPPER) != flips,
	                         .unit = w->diag == SIM_DIAG_UNIT,
	                         .size = (size_t)w->k};
}

static struct target target_of(const struct sim_level3 *w, const void *data, int64_t ld)
{
	bool left = w->side == SIM_SIDE_LEFT;
	return (struct target){(char *)(uintptr_t)data, left ? 1 : (ptrdiff_t)ld,
	                       left ? (ptrdiff_t)ld : 1};
}

/* Columns of the problem with A as the left factor. */
static size_t columns_of(const struct sim_level3 *w)
{
	return (size_t)(w->side == SIM_SIDE_LEFT ? w->n : w->m);
}

static bool c_clear(const struct sim_level3 *w)
{
	size_t element = sim_level3_element_bytes(w->element);
	for (int64_t j = 0; j < w->n; j++)
		memset((char *)w->c + (size_t)(j * w->ldc) * element, 0, (size_t)w->m * element);
	return true;
}

/*
 * C += alpha T B, or C := alpha C - T C, for the rows from `first`, with the part of T beside the
 * diagonal block.
 */
static bool beside_block(const struct sim_level3 *w, const struct triangle *t, size_t first,
                         size_t used, const struct target *b, const struct target *c,
                         struct sim_gemm scalars)
{
	size_t element = sim_level3_element_bytes(w->element), from = t->upper ? first + used : 0;
	struct target rows = {target_at(c, first, 0, element), c->row_step, c->column_step};
	scalars.m = used;
	scalars.n = columns_of(w);
	scalars.k = t->upper ? t->size - from : first;
	scalars.a = part(t->a, first, from, element);
	scalars.b = part(target_operand(b), from, 0, element);
	return product(w, &scalars, &rows);
}

static bool trmm_apart(const struct sim_level3 *w, const struct target *b)
{
	const struct loops *loops = loops_of(w->element);
	struct triangle t = triangle_of(w);
	struct target c = target_of(w, w->c, w->ldc);
	struct sim_gemm scalars = {.alpha = w->alpha, .beta = loops->one};
	bool done = true;
	for (size_t first = 0; first < t.size && done; first += BLOCK) {
		size_t used = smaller(BLOCK, t.size - first);
		loops->multiply(&t, first, used, b, &c, columns_of(w), w->alpha);
		if (t.upper ? first + used < t.size : first > 0)
			done = beside_block(w, &t, first, used, b, &c, scalars);
	}
	return done;
}

/* In place, a block would read rows that an earlier block has written: B is copied first. */
static bool trmm_in_place(const struct sim_level3 *w)
{
	size_t element = sim_level3_element_bytes(w->element),
	       column_bytes = (size_t)w->m * element;
	char *copy = malloc((size_t)w->n * column_bytes);
	for (size_t j = 0; copy && j < (size_t)w->n; j++)
		memcpy(copy + j * column_bytes, (const char *)w->b + j * (size_t)w->ldb * element,
		       column_bytes);
	struct target b = target_of(w, copy, w->m);
	bool done = copy && trmm_apart(w, &b);
	free(copy);
	return done;
}

bool sim_level3_trmm(const struct sim_level3 *w)
{
	if (sim_level3_is_zero(w->element, w->alpha))
		return c_clear(w);
	struct target b = target_of(w, w->b, w->ldb);
	return w->b == w->c ? trmm_in_place(w) : trmm_apart(w, &b);
}

bool sim_level3_trsm(const struct sim_level3 *w)
{
	const struct loops *loops = loops_of(w->element);
	struct triangle t = triangle_of(w);
	struct target c = target_of(w, w->c, w->ldc);
	struct sim_gemm scalars = {.alpha = loops->minus_one, .beta = w->alpha};
	size_t blocks = (t.size + BLOCK - 1) / BLOCK;
	bool done = true;
	if (sim_level3_is_zero(w->element, w->alpha))
		return c_clear(w);
	for (size_t i = 0; i < blocks && done; i++) {
		size_t first = (t.upper ? blocks - 1 - i : i) * BLOCK,
		       used = smaller(BLOCK, t.size - first);
		done = beside_block(w, &t, first, used, &c, &c, scalars);
		loops->solve(&t, first, used, &c, columns_of(w));
	}
	return done;
}
