/* trial_draw.c - draws the arguments of a call */
/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"
#include "grid.h"
#include "rerun.h"

/*
 * Mostly small, sometimes 0, sometimes several tiles of any kernel. What stays on the device is
 * whole pages.
 */
static int64_t trial_draw_size(void)
{
	static const unsigned most[] = {3, 12, 35, 70};
	if (draw_one_in(24))
		return 0;
	if (draw_one_in(600))
		return 100 + draw_below(201);
	if (rerun.twice && draw_below(2))
		return 40 + draw_below(81);
	return 1 + draw_below(most[draw_below(4)]);
}

static double trial_draw_real(void)
{
	return ((int)draw_below(401) - 200) / 128.0 + 1.0 / 1024;
}

static void trial_draw_scalar(bool real, double value[2])
{
	value[0] = value[1] = 0;
	switch (draw_below(8)) {
	case 0: break;
	case 1:
	case 2: value[0] = 1; break;
	case 3: value[0] = -1; break;
	case 4: value[real ? 0 : 1] = 1; break;
	default:
		value[0] = trial_draw_real();
		if (!real)
			value[1] = draw_below(3) ? trial_draw_real() : 0;
	}
}

/* alpha is zero less often than beta: such a call never sees the GPU. */
static void trial_draw_scalars(const struct trial *t, struct trial_group *g)
{
	trial_draw_scalar(trial_is_real_scalar(t, false), g->alpha);
	if (g->alpha[0] == 0 && g->alpha[1] == 0 && draw_below(3))
		trial_draw_scalar(trial_is_real_scalar(t, false), g->alpha);
	trial_draw_scalar(trial_is_real_scalar(t, true), g->beta);
	if (family_is_in_place(t->row->family))
		g->beta[0] = g->beta[1] = 0;
}

static enum transpose trial_draw_transpose(const struct blas_row *row)
{
	const bool is_complex = element_is_complex(row->element);
	switch (row->shape) {
	case SHAPE_HERK:
	case SHAPE_HER2K: return draw_below(2) ? TRANSPOSE_N : TRANSPOSE_C;
	case SHAPE_SYRK:
	case SHAPE_SYR2K: return (enum transpose)draw_below(is_complex ? 2 : 3);
	default: return (enum transpose)draw_below(3);
	}
}

/* One size stands for two where the routine says so. */
static void trial_draw_sizes(const struct trial *t, struct trial_group *g)
{
	g->m = trial_draw_size();
	g->n = trial_draw_size();
	g->k = trial_draw_size();
	switch (t->row->shape) {
	case SHAPE_SYMM:
	case SHAPE_TRMM: g->k = t->side == SIDE_LEFT ? g->m : g->n; break;
	case SHAPE_GEMM:
	case SHAPE_BATCH:
	case SHAPE_STRIDED: break;
	default: g->m = g->n; break;
	}
}

static int64_t trial_draw_lead(const struct trial *t, const struct trial_group *g,
                               enum operand operand)
{
	struct grid grid;
	if (!grid_find(t, g, operand, &grid))
		return 1;
	const int64_t least = grid_contiguous(&grid) > 1 ? grid_contiguous(&grid) : 1;
	return least + (draw_below(2) ? draw_below(9) : 0);
}

static void trial_draw_leads(const struct trial *t, struct trial_group *g)
{
	g->lda = trial_draw_lead(t, g, OPERAND_A);
	g->ldb = trial_draw_lead(t, g, OPERAND_B);
	g->ldc = trial_draw_lead(t, g, OPERAND_C);
}

static void trial_draw_group(const struct trial *t, struct trial_group *g)
{
	trial_draw_sizes(t, g);
	g->transa = trial_draw_transpose(t->row);
	g->transb = trial_draw_transpose(t->row);
	if (t->alike) {
		g->transa = t->group[0].transa;
		g->transb = t->group[0].transb;
	}
	if (t->row->shape == SHAPE_SYMM)
		g->transa = g->transb = TRANSPOSE_N;
	if (t->row->shape == SHAPE_SYR2K || t->row->shape == SHAPE_HER2K)
		g->transb = g->transa;
	trial_draw_scalars(t, g);
	trial_draw_leads(t, g);
	g->problems = 1;
}

/*
 * A batch is eligible as a whole or not at all: one that has nothing to multiply rules out the
 * others.
 */
static void trial_draw_again(const struct trial *t, struct trial_group *g, int tries)
{
	do
		trial_draw_group(t, g);
	while (--tries > 0 && trial_is_quick_group(g));
}

static void trial_draw_batch(struct trial *t)
{
	const bool useful = draw_below(4) != 0;
	t->groups = t->row->shape == SHAPE_STRIDED ? 1 : draw_below(TRIAL_GROUPS + 1);
	t->problems = 0;
	for (int i = 0; i < t->groups; i++) {
		struct trial_group *g = &t->group[i];
		trial_draw_again(t, g, useful ? 6 : 1);
		g->problems = draw_below(TRIAL_PROBLEMS / TRIAL_GROUPS + 1);
		for (int p = 0; p < g->problems; p++)
			t->group_of[t->problems++] = i;
	}
}

/* Sharing needs equal leading dimensions, and room for both of what is interleaved. */
static void trial_draw_sharing(struct trial *t)
{
	struct trial_group *g = &t->group[0];
	struct grid c, other, b;
	const bool has_b = grid_find(t, g, OPERAND_B, &b),
		   is_batch = family_is_batch(t->row->family);
	t->sharing = draw_below(3) ? SHARING_NONE : (enum trial_sharing)draw_below(SHARING_COUNT);
	t->shared = has_b && draw_below(2) ? OPERAND_B : OPERAND_A;
	if (is_batch || (t->sharing == SHARING_INPUTS && !has_b))
		t->sharing = SHARING_NONE;
	if (t->sharing == SHARING_INPUTS)
		g->lda = g->ldb = g->lda > g->ldb ? g->lda : g->ldb;
	if (t->sharing != SHARING_INTERLEAVED)
		return;
	grid_find(t, g, OPERAND_C, &c);
	grid_find(t, g, t->shared, &other);
	g->ldc = grid_contiguous(&c) + grid_contiguous(&other) + 1 + draw_below(3);
	*(t->shared == OPERAND_A ? &g->lda : &g->ldb) = g->ldc;
}

void trial_draw(struct trial *t, const struct blas_row *row, bool wide, bool alike)
{
	*t = (struct trial){.row = row, .wide = wide, .groups = 1, .problems = 1};
	t->group[0].transa = trial_draw_transpose(row);
	t->group[0].transb = trial_draw_transpose(row);
	t->alike = alike;
	t->order = row->abi == BLAS_CBLAS && draw_below(2) ? TRIAL_ROW_MAJOR : TRIAL_COLUMN_MAJOR;
	t->side = draw_below(2) ? SIDE_LEFT : SIDE_RIGHT;
	t->uplo = draw_below(2) ? UPLO_UPPER : UPLO_LOWER;
	t->diag = draw_below(2) ? DIAG_UNIT : DIAG_NON_UNIT;
	t->letters = (enum trial_letters)draw_below(LETTERS_COUNT);
	if (family_is_batch(row->family))
		trial_draw_batch(t);
	else
		trial_draw_group(t, &t->group[0]);
	trial_draw_sharing(t);
	t->position = (enum trial_position)draw_below(POSITION_COUNT);
	t->zeros = draw_one_in(8);
	t->foreign = draw_one_in(6);
	t->filler = draw_below(4) ? 0xff : 0x5a;
	t->read_only = draw_one_in(8);
	t->no_access = trial_is_quick(t) && !family_is_batch(row->family) && draw_below(2);
}

bool trial_is_quick(const struct trial *t)
{
	for (int i = 0; i < t->groups; i++)
		if (t->group[i].problems > 0 && trial_is_quick_group(&t->group[i]))
			return true;
	return t->problems == 0;
}

bool trial_is_eligible(const struct trial *t)
{
	return !trial_is_quick(t) && t->sharing != SHARING_OVERLAP;
}
