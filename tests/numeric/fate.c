/* fate.c - where a result must be non-finite */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fate.h"

static enum fate fate_worse(enum fate x, enum fate y)
{
	return x > y ? x : y;
}

static enum fate fate_of_term(const struct product *product, int64_t i, int64_t l, int64_t j)
{
	const double complex x = product_read(&product->left, i, l),
			     y = product_read(&product->right, l, j);
	if (fate_is_finite(x) && fate_is_finite(y))
		return FATE_FINITE;
	if (product_is_void(&product->left, i, l) || product_is_void(&product->right, l, j))
		return FATE_EITHER;
	return x == 0 || y == 0 ? FATE_SKIPPED : FATE_FOREIGN;
}

static void fate_find_products(const struct trial *t, int problem, const char *before,
                               enum fate *fate)
{
	const struct trial_group *g = &t->group[t->group_of[problem]];
	struct product product[2];
	const int products =
		trial_is_quick_group(g) ? 0 : product_find(t, problem, before, before, product);
	for (int64_t i = 0; i < g->m; i++)
		for (int64_t j = 0; j < g->n; j++)
			for (int p = 0; p < products; p++)
				for (int64_t l = 0; l < product[p].terms; l++)
					fate[i * g->n + j] =
						fate_worse(fate[i * g->n + j],
					                   fate_of_term(&product[p], i, l, j));
}

/* beta C */
static void fate_find_old(const struct trial *t, int problem, const char *before, enum fate *fate)
{
	const struct trial_group *g = &t->group[t->group_of[problem]];
	struct grid c;
	grid_find(t, g, OPERAND_C, &c);
	if (g->beta[0] == 0 && g->beta[1] == 0)
		return;
	for (int64_t i = 0; i < g->m; i++)
		for (int64_t j = 0; j < g->n; j++)
			if (grid_refers(&c, i, j) &&
			    !fate_is_finite(
				    grid_read(&c, before + t->offset[OPERAND_C][problem], i, j)))
				fate[i * g->n + j] = FATE_FOREIGN;
}

/*
 * A triangle to be solved for, and what stands on the other side, with one index along the
 * triangle.
 */
struct fate_solve {
	struct factor a;
	struct grid b;
	const char *b_base;
	bool left, upper, any;
	int64_t k, others;
};

static double complex fate_read_a(const struct fate_solve *s, int64_t own, int64_t term)
{
	return s->left ? product_read(&s->a, own, term) : product_read(&s->a, term, own);
}

static bool fate_is_void(const struct fate_solve *s, int64_t own, int64_t term)
{
	return s->left ? product_is_void(&s->a, own, term) : product_is_void(&s->a, term, own);
}

static size_t fate_index(const struct fate_solve *s, int64_t own, int64_t other)
{
	return (size_t)(s->left ? own * s->b.columns + other : other * s->b.columns + own);
}

static double complex fate_read_b(const struct fate_solve *s, int64_t own, int64_t other)
{
	return s->left ? grid_read(&s->b, s->b_base, own, other)
	               : grid_read(&s->b, s->b_base, other, own);
}

static enum fate fate_of_solution(const struct fate_solve *s, int64_t own, int64_t other,
                                  const enum fate *fate, bool spoilt)
{
	enum fate worst = spoilt || s->any ? FATE_EITHER : FATE_FINITE;
	if (!fate_is_finite(fate_read_b(s, own, other)))
		return FATE_FOREIGN;
	if (!fate_is_finite(fate_read_a(s, own, own)))
		return fate_read_b(s, own, other) == 0 ? FATE_SKIPPED : FATE_FOREIGN;
	for (int64_t l = 0; l < s->k; l++) {
		if (l == own || fate_is_void(s, own, l))
			continue;
		const double complex a = fate_read_a(s, own, l);
		const enum fate solved = fate[fate_index(s, l, other)];
		const bool zero = a == 0 || fate_read_b(s, l, other) == 0;
		if (!fate_is_finite(a) || solved == FATE_FOREIGN)
			worst = fate_worse(worst, zero ? FATE_SKIPPED : FATE_FOREIGN);
		else
			worst = fate_worse(worst, solved);
	}
	return worst;
}

static bool fate_spoils(const struct fate_solve *s, int64_t other)
{
	for (int64_t own = 0; own < s->k; own++)
		if (!fate_is_finite(fate_read_b(s, own, other)))
			return true;
	return false;
}

static bool fate_has_foreign(const struct fate_solve *s)
{
	for (int64_t i = 0; i < s->k; i++)
		for (int64_t j = 0; j < s->k; j++)
			if (!fate_is_finite(product_read(&s->a, i, j)))
				return true;
	return false;
}

/* Each solution depends on those that are solved before it. */
static void fate_find_solutions(const struct trial *t, int problem, const char *before,
                                enum fate *fate)
{
	const struct trial_group *g = &t->group[t->group_of[problem]];
	struct fate_solve s = {.left = t->side == SIDE_LEFT, .k = g->k};
	struct product product[2];
	product_find(t, problem, before, before, product);
	s.a = s.left ? product[0].left : product[0].right;
	s.b = s.left ? product[0].right.grid : product[0].left.grid;
	s.b_base = before + t->offset[OPERAND_C][problem];
	s.upper = s.k > 1 && fate_is_void(&s, 1, 0);
	s.others = s.left ? g->n : g->m;
	s.any = fate_has_foreign(&s);
	for (int64_t other = 0; other < s.others; other++) {
		const bool spoilt = fate_spoils(&s, other);
		for (int64_t step = 0; step < s.k; step++) {
			const int64_t own = s.upper ? s.k - 1 - step : step;
			fate[fate_index(&s, own, other)] =
				fate_of_solution(&s, own, other, fate, spoilt);
		}
	}
}

void fate_find(const struct trial *t, int problem, const char *before, enum fate *fate)
{
	const struct trial_group *g = &t->group[t->group_of[problem]];
	for (int64_t i = 0; i < g->m * g->n; i++)
		fate[i] = FATE_FINITE;
	if (!t->foreign)
		return;
	if (t->row->family != FAMILY_TRSM)
		fate_find_products(t, problem, before, fate);
	else if (!trial_is_quick_group(g))
		fate_find_solutions(t, problem, before, fate);
	if (!family_is_in_place(t->row->family))
		fate_find_old(t, problem, before, fate);
}
