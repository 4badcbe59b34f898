/* sim_factor.c - LU, Cholesky and what solves with them: halves by level 3, the rest by loops */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <stdlib.h>
#include <tgmath.h>

#include "sim_abi.h"
#include "sim_level3.h"
#include "sim_solver.h"

/* Up to so many columns a factorisation is not halved. */
enum { FEW_COLUMNS = 16 };

/* Constants and functions of one element type. */
struct loops {
	const void *one, *minus_one;
	int64_t (*lu)(void *matrix, int64_t lda, int64_t rows, int64_t columns, int64_t *pivots);
	void (*exchange)(void *matrix, int64_t lda, int64_t columns, const int64_t *pivots,
	                 int64_t first, int64_t end, bool back);
	int64_t (*cholesky)(void *matrix, int64_t lda, int64_t n, bool upper);
};

#define TEMPLATE "sim_factor_template.h"
#include "sim_solver_each.h"

static bool is_complex(const struct sim_solver *w)
{
	return w->element == 'C' || w->element == 'Z';
}

static void *element_at(const struct sim_solver *w, int64_t row, int64_t column)
{
	return (char *)w->a +
	       (size_t)(row + column * w->lda) * sim_level3_element_bytes(w->element);
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* B := op(A)^-1 B or B op(A)^-1; both are parts of the matrix, or B is another one. */
static bool part_solve(const struct sim_solver *w, struct sim_level3 t)
{
	t.element = w->element;
	t.k = t.side == SIM_SIDE_LEFT ? t.m : t.n;
	t.lda = w->lda;
	t.alpha = loops_of(w->element)->one;
	return !t.m || !t.n || sim_level3_trsm(&t);
}

/* -- LU -- */

/* The rows below and columns right of (first, first), `columns` of them. */
static bool lu_factor(struct sim_solver *w, int64_t first, int64_t columns);

/* Columns right of the left half: their rows are exchanged, solved for, and updated. */
static bool lu_update(struct sim_solver *w, int64_t first, int64_t left, int64_t columns)
{
	const struct loops *loops = loops_of(w->element);
	const int64_t next = first + left, right = columns - left, below = w->m - next;
	if (w->pivots)
		loops->exchange(element_at(w, first, next), w->lda, right, w->pivots + first, 0,
		                left, false);
	bool done = part_solve(w, (struct sim_level3){.side = SIM_SIDE_LEFT,
	                                              .uplo = SIM_UPLO_LOWER,
	                                              .diag = SIM_DIAG_UNIT,
	                                              .m = left,
	                                              .n = right,
	                                              .ldc = w->lda,
	                                              .a = element_at(w, first, first),
	                                              .c = element_at(w, first, next)});
	struct sim_level3 g = {.element = w->element,
	                       .m = below,
	                       .n = right,
	                       .k = left,
	                       .lda = w->lda,
	                       .ldb = w->lda,
	                       .ldc = w->lda,
	                       .alpha = loops->minus_one,
	                       .beta = loops->one,
	                       .a = element_at(w, next, first),
	                       .b = element_at(w, first, next),
	                       .c = element_at(w, next, next)};
	return done && (!below || sim_level3_gemm(&g));
}

/* The pivots of the right half count from its first row: they become those of the whole. */
static void lu_join(const struct sim_solver *w, int64_t first, int64_t left, int64_t columns)
{
	const int64_t used = smaller(w->m - first, columns);
	if (!w->pivots)
		return;
	for (int64_t i = first + left; i < first + used; i++)
		w->pivots[i] += left;
	loops_of(w->element)
		->exchange(element_at(w, first, first), w->lda, left, w->pivots + first, left, used,
	                   false);
}

static bool lu_factor(struct sim_solver *w, int64_t first, int64_t columns)
{
	const int64_t rows = w->m - first, left = smaller(rows, columns) / 2;
	if (columns <= FEW_COLUMNS || left == 0) {
		int64_t zero = loops_of(w->element)
		                       ->lu(element_at(w, first, first), w->lda, rows, columns,
		                            w->pivots ? w->pivots + first : NULL);
		w->info = zero ? (int)(first + zero) : 0;
		return true;
	}
	bool done = lu_factor(w, first, left);
	if (!done || w->info)
		return done;
	done = lu_update(w, first, left, columns) && lu_factor(w, first + left, columns - left);
	if (done && !w->info)
		lu_join(w, first, left, columns);
	return done;
}

bool sim_solver_getrf(struct sim_solver *w)
{
	w->info = 0;
	return !w->m || !w->n || lu_factor(w, 0, w->n);
}

static bool getrs_triangle(const struct sim_solver *w, int uplo)
{
	return part_solve(w, (struct sim_level3){.side = SIM_SIDE_LEFT,
	                                         .uplo = uplo,
	                                         .transa = w->trans,
	                                         .diag = uplo == SIM_UPLO_LOWER ? SIM_DIAG_UNIT
	                                                                        : SIM_DIAG_NON_UNIT,
	                                         .m = w->n,
	                                         .n = w->k,
	                                         .ldc = w->ldb,
	                                         .a = w->a,
	                                         .c = w->b});
}

static void getrs_exchange(const struct sim_solver *w, bool back)
{
	if (w->pivots)
		loops_of(w->element)->exchange(w->b, w->ldb, w->k, w->pivots, 0, w->n, back);
}

static bool getrs_pivots_exist(const struct sim_solver *w)
{
	for (int64_t i = 0; w->pivots && i < w->n; i++)
		if (w->pivots[i] < 1 || w->pivots[i] > w->n)
			return false;
	return true;
}

bool sim_solver_getrs(struct sim_solver *w)
{
	w->info = 0;
	if (!getrs_pivots_exist(w))
		return false;
	if (w->trans == SIM_TRANS_N) {
		getrs_exchange(w, false);
		return getrs_triangle(w, SIM_UPLO_LOWER) && getrs_triangle(w, SIM_UPLO_UPPER);
	}
	bool done = getrs_triangle(w, SIM_UPLO_UPPER) && getrs_triangle(w, SIM_UPLO_LOWER);
	getrs_exchange(w, true);
	return done;
}

/* -- Cholesky -- */

/* The rest of the matrix behind its first half: solved with the half's factor, and updated. */
static bool cholesky_update(const struct sim_solver *w, int64_t first, int64_t left, int64_t n)
{
	const struct loops *loops = loops_of(w->element);
	const bool upper = w->uplo == SIM_UPLO_UPPER;
	const int64_t next = first + left, rest = n - left;
	void *beside = upper ? element_at(w, first, next) : element_at(w, next, first);
	bool done =
		part_solve(w, (struct sim_level3){.side = upper ? SIM_SIDE_LEFT : SIM_SIDE_RIGHT,
	                                          .uplo = w->uplo,
	                                          .transa = SIM_TRANS_C,
	                                          .m = upper ? left : rest,
	                                          .n = upper ? rest : left,
	                                          .ldc = w->lda,
	                                          .a = element_at(w, first, first),
	                                          .c = beside});
	struct sim_level3 h = {.element = w->element,
	                       .hermitian = is_complex(w),
	                       .uplo = w->uplo,
	                       .transa = upper ? SIM_TRANS_C : SIM_TRANS_N,
	                       .m = rest,
	                       .n = rest,
	                       .k = left,
	                       .lda = w->lda,
	                       .ldc = w->lda,
	                       .alpha = loops->minus_one,
	                       .beta = loops->one,
	                       .a = beside,
	                       .c = element_at(w, next, next)};
	return done && sim_level3_syrk(&h);
}

static bool cholesky_factor(struct sim_solver *w, int64_t first, int64_t n)
{
	const int64_t left = n / 2;
	if (n <= FEW_COLUMNS) {
		int64_t bad = loops_of(w->element)
		                      ->cholesky(element_at(w, first, first), w->lda, n,
		                                 w->uplo == SIM_UPLO_UPPER);
		w->info = bad ? (int)(first + bad) : 0;
		return true;
	}
	bool done = cholesky_factor(w, first, left);
	if (!done || w->info)
		return done;
	return cholesky_update(w, first, left, n) && cholesky_factor(w, first + left, n - left);
}

bool sim_solver_potrf(struct sim_solver *w)
{
	w->info = 0;
	return cholesky_factor(w, 0, w->n);
}

static bool potrs_triangle(const struct sim_solver *w, int trans)
{
	return part_solve(w, (struct sim_level3){.side = SIM_SIDE_LEFT,
	                                         .uplo = w->uplo,
	                                         .transa = trans,
	                                         .m = w->n,
	                                         .n = w->k,
	                                         .ldc = w->ldb,
	                                         .a = w->a,
	                                         .c = w->b});
}

bool sim_solver_potrs(struct sim_solver *w)
{
	const bool upper = w->uplo == SIM_UPLO_UPPER;
	w->info = 0;
	return potrs_triangle(w, upper ? SIM_TRANS_C : SIM_TRANS_N) &&
	       potrs_triangle(w, upper ? SIM_TRANS_N : SIM_TRANS_C);
}
