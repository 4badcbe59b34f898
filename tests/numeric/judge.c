/* judge.c - whether two results of one call are as near as the routine's error analysis promises */
/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include <float.h>
#include <math.h>

#include "fate.h"

/*
 * The bounds, after N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition; u is
 * the unit roundoff:
 *
 *   products  |fl(x'y) - x'y| <= gamma_k |x|'|y| in any order of summation (3.5); by Cauchy and
 *             Schwarz at most gamma_k times the norms of x and y, which is computed here, element
 *             by element. beta C is one more term, and may be the first one: the reference adds
 *             the others to it. Two more roundings scale by alpha, one by beta. Both results may
 *             be off, so the bound counts twice.
 *   complex   the parts are sums of 2k real products, and the modulus of the error is at most
 *             sqrt(2) times that of a part: 2 sqrt(2) times the real bound (3.6).
 *   gemm3m    the imaginary part is a difference of products of sums of parts:
 *             gamma (|A1| + |A2|)(|B1| + |B2|) for each (23.2.4), where
 *             |A1| + |A2| <= sqrt(2) |A|: twice, and twice for the difference.
 *   trsm      x solves (A + E) x = b, |E| <= gamma_k |A| (theorem 8.5): the residual is at most
 *             gamma_k times the norms of A's row and of x. More roundings, because kernels
 *             multiply by the reciprocals of the diagonal.
 */
enum { JUDGE_SIZE_MAX = 320, JUDGE_ROUNDINGS = 4, JUDGE_ROUNDINGS_SOLVE = 8 };

/* One problem on its way to a verdict. */
struct judgement {
	const struct arena *arena;
	const struct trial *t;
	const struct trial_group *g;
	int problem, products;
	struct product product[2];
	struct grid c;
	double row_norm[2][JUDGE_SIZE_MAX], column_norm[2][JUDGE_SIZE_MAX];
	double alpha, beta, unit;
};

static enum fate judge_fates[JUDGE_SIZE_MAX * JUDGE_SIZE_MAX];

static double judge_unit(const struct trial *t)
{
	const bool single = t->row->element == ELEMENT_S || t->row->element == ELEMENT_C;
	const double roundoff = (single ? FLT_EPSILON : DBL_EPSILON) / 2;
	return 1.01 * roundoff * (element_is_complex(t->row->element) ? 2 * M_SQRT2 : 1);
}

static void judge_find_norms(struct judgement *j)
{
	for (int p = 0; p < j->products; p++) {
		for (int64_t i = 0; i < j->g->m; i++)
			j->row_norm[p][i] = product_norm(&j->product[p], true, i);
		for (int64_t i = 0; i < j->g->n; i++)
			j->column_norm[p][i] = product_norm(&j->product[p], false, i);
	}
}

/* solution: the arena that holds what trsm has solved. */
static void judge_begin(struct judgement *j, const struct arena *arena, const struct trial *t,
                        int problem, const char *solution)
{
	const struct trial_group *g = &t->group[t->group_of[problem]];
	*j = (struct judgement){
		.arena = arena, .t = t, .g = g, .problem = problem, .unit = judge_unit(t)};
	j->alpha = hypot(g->alpha[0], g->alpha[1]);
	j->beta = hypot(g->beta[0], g->beta[1]);
	grid_find(t, g, OPERAND_C, &j->c);
	if (!trial_is_quick_group(g))
		j->products = product_find(t, problem, arena->before, solution, j->product);
	judge_find_norms(j);
}

static double complex judge_read(const struct judgement *j, const char *arena, int64_t row,
                                 int64_t column)
{
	return grid_get(j->c.element, arena + j->t->offset[OPERAND_C][j->problem],
	                grid_index(&j->c, row, column));
}

/* What roundings may make of the products. */
static double judge_bound(const struct judgement *j, int64_t row, int64_t column, int roundings)
{
	double bound = 0;
	for (int p = 0; p < j->products; p++)
		bound += (double)(j->product[p].terms + roundings) * j->row_norm[p][row] *
		         j->column_norm[p][column];
	return bound * j->unit * (j->t->row->family == FAMILY_GEMM3M ? 4 : 1);
}

/* What they may make of C as it was, which goes through every sum. */
static double judge_bound_old(const struct judgement *j, int64_t row, int64_t column)
{
	const char *base = j->arena->before + j->t->offset[OPERAND_C][j->problem];
	int64_t terms = JUDGE_ROUNDINGS;
	for (int p = 0; p < j->products; p++)
		terms += j->product[p].terms;
	return (double)terms * j->unit * cabs(grid_read(&j->c, base, row, column));
}

static double judge_ratio(double error, double bound)
{
	return error == 0 ? 0 : error / bound;
}

/* The distance of the two results. */
static double judge_difference(const struct judgement *j, int64_t row, int64_t column)
{
	const double complex shim = judge_read(j, j->arena->shim, row, column);
	const double complex library = judge_read(j, j->arena->library, row, column);
	double bound = j->alpha * judge_bound(j, row, column, JUDGE_ROUNDINGS);
	if (j->beta != 0)
		bound += j->beta * judge_bound_old(j, row, column);
	return judge_ratio(cabs(shim - library), 2 * bound);
}

/* alpha B less the product that should be it. */
static double judge_residual(const struct judgement *j, int64_t row, int64_t column)
{
	const double complex right = judge_read(j, j->arena->before, row, column);
	const long double complex alpha = CMPLXL(j->g->alpha[0], j->g->alpha[1]);
	const long double complex rest = alpha * right - product_sum(&j->product[0], row, column);
	const double bound = judge_bound(j, row, column, JUDGE_ROUNDINGS_SOLVE) +
	                     2 * j->unit * j->alpha * cabs(right);
	return judge_ratio((double)cabsl(rest), bound);
}

static const char *judge_finiteness(const struct judgement *j, enum fate fate,
                                    struct judge_skips skips, int64_t row, int64_t column)
{
	const bool shim = fate_is_finite(judge_read(j, j->arena->shim, row, column));
	const bool library = fate_is_finite(judge_read(j, j->arena->library, row, column));
	if (fate == FATE_FINITE && !shim)
		return "a non-finite value where only finite ones go in";
	if (fate == FATE_FOREIGN && shim)
		return "a finite value where a non-finite one goes in";
	if (fate == FATE_SKIPPED && shim && !library && !skips.shim)
		return "a finite value where the library has none";
	if (fate == FATE_FINITE && !library)
		return "the library's non-finite value where only finite ones go in";
	if ((fate == FATE_FOREIGN && library) ||
	    (fate == FATE_SKIPPED && library && !skips.library))
		return "the library's finite value where a non-finite one goes in";
	return NULL;
}

/* Hermitian updates leave real numbers on the diagonal. */
static const char *judge_diagonal(const struct judgement *j)
{
	for (int64_t i = 0; i < j->g->m && j->c.kind == GRID_HERMITIAN && !trial_is_quick(j->t);
	     i++)
		if (cimag(judge_read(j, j->arena->shim, i, i)) != 0)
			return "an imaginary part on the diagonal";
	return NULL;
}

static const char *judge_element(const struct judgement *j, struct judge_skips skips, int64_t row,
                                 int64_t column, double *worst)
{
	const enum fate fate = judge_fates[row * j->g->n + column];
	const char *verdict = judge_finiteness(j, fate, skips, row, column);
	const bool solves = j->t->row->family == FAMILY_TRSM && j->products > 0;
	if (verdict != NULL || fate != FATE_FINITE)
		return verdict;
	const double ratio =
		solves ? judge_residual(j, row, column) : judge_difference(j, row, column);
	if (ratio > *worst)
		*worst = ratio;
	return ratio <= 1 ? NULL : "a wrong value";
}

const char *judge_results(const struct arena *arena, const struct trial *t,
                          struct judge_skips skips, double *worst)
{
	static struct judgement j;
	for (int problem = 0; problem < t->problems; problem++) {
		judge_begin(&j, arena, t, problem, arena->shim);
		fate_find(t, problem, arena->before, judge_fates);
		const char *verdict = judge_diagonal(&j);
		for (int64_t row = 0; row < j.g->m; row++)
			for (int64_t column = 0; column < j.g->n && verdict == NULL; column++)
				if (grid_refers(&j.c, row, column))
					verdict = judge_element(&j, skips, row, column, worst);
		if (verdict != NULL)
			return verdict;
	}
	return NULL;
}
