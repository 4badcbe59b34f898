/* lapack_draw.c - random arguments of LAPACK calls, the sizes of their operands and workspaces */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "lapack_trial.h"
#include "tests/numeric/draw.h"
#include "tests/numeric/rerun.h"

/* What stays on the device is whole pages: small operands have none. */
static lapack_int draw_order(void)
{
	static const unsigned most[] = {4, 16, 40, 96};
	if (rerun.twice && draw_below(2))
		return (lapack_int)(40 + draw_below(81));
	return (lapack_int)(draw_one_in(25) ? 0 : 1 + draw_below(most[draw_below(4)]));
}

static char draw_letter(const char *letters)
{
	return letters[draw_below((unsigned)strlen(letters))];
}

static lapack_int least(lapack_int x, lapack_int y)
{
	return x < y ? x : y;
}

static lapack_int most(lapack_int x, lapack_int y)
{
	return x > y ? x : y;
}

static void size_matrix(struct trial *t, enum slot slot, lapack_int rows, lapack_int columns,
                        enum part read, enum part written)
{
	const int64_t gap = draw_below(2) ? draw_below(9) : 0;
	t->operand[slot] = (struct operand){.unit = UNIT_ELEMENT,
	                                    .rows = rows,
	                                    .columns = columns,
	                                    .ld = most(rows, 1) + gap,
	                                    .read = read,
	                                    .written = written};
}

static void size_vector(struct trial *t, enum slot slot, enum unit unit, lapack_int count,
                        bool is_written)
{
	t->operand[slot] = (struct operand){.unit = unit,
	                                    .rows = count,
	                                    .columns = 1,
	                                    .ld = most(count, 1),
	                                    .read = is_written ? PART_NONE : PART_WHOLE,
	                                    .written = is_written ? PART_WHOLE : PART_NONE};
}

static enum part triangle_of(const struct trial *t)
{
	return t->uplo == 'U' ? PART_UPPER : PART_LOWER;
}

static void draw_lu(struct trial *t)
{
	const bool factors = t->family == GETRF || t->family == GESV;
	t->m = t->n;
	if (t->family == GETRF && draw_below(2))
		t->m = draw_order();
	size_matrix(t, SLOT_A, t->m, t->n, PART_WHOLE, t->family == GETRS ? PART_NONE : PART_WHOLE);
	size_vector(t, SLOT_IPIV, UNIT_INTEGER, least(t->m, t->n), factors);
	if (t->family == GETRS || t->family == GESV)
		size_matrix(t, SLOT_B, t->n, t->nrhs, PART_WHOLE, PART_WHOLE);
}

static void draw_triangle(struct trial *t)
{
	size_matrix(t, SLOT_A, t->n, t->n, triangle_of(t),
	            t->family == POTRS ? PART_NONE : triangle_of(t));
	if (t->family == POTRS || t->family == POSV)
		size_matrix(t, SLOT_B, t->n, t->nrhs, PART_WHOLE, PART_WHOLE);
}

static void draw_qr(struct trial *t)
{
	t->m = draw_order();
	if (t->family == GEQRF) {
		size_matrix(t, SLOT_A, t->m, t->n, PART_WHOLE, PART_WHOLE);
		size_vector(t, SLOT_TAU, UNIT_ELEMENT, least(t->m, t->n), true);
		return;
	}
	if (t->family == ORGQR) {
		t->m = most(t->m, t->n);
		t->n = least(t->n, t->m);
		t->k = (lapack_int)draw_below((unsigned)t->n + 1);
		size_matrix(t, SLOT_A, t->m, t->n, PART_WHOLE, PART_WHOLE);
		size_vector(t, SLOT_TAU, UNIT_ELEMENT, t->k, false);
		return;
	}
	const lapack_int order = t->side == 'L' ? t->m : t->n;
	t->k = (lapack_int)draw_below((unsigned)order + 1);
	t->trans = draw_below(2) ? 'N' : type_is_complex(t->type) ? 'C' : 'T';
	size_matrix(t, SLOT_A, order, t->k, PART_WHOLE, PART_NONE);
	size_vector(t, SLOT_TAU, UNIT_ELEMENT, t->k, false);
	size_matrix(t, SLOT_B, t->m, t->n, PART_WHOLE, PART_WHOLE);
}

static void draw_gels(struct trial *t)
{
	t->m = draw_order();
	if (draw_below(3) && t->m < t->n) {
		const lapack_int n = t->n;
		t->n = t->m;
		t->m = n;
	}
	t->trans = draw_one_in(4) ? (type_is_complex(t->type) ? 'C' : 'T') : 'N';
	size_matrix(t, SLOT_A, t->m, t->n, PART_WHOLE, PART_WHOLE);
	size_matrix(t, SLOT_B, most(t->m, t->n), t->nrhs, PART_WHOLE, PART_WHOLE);
}

static bool draw_is_expert(const struct trial *t)
{
	return t->family == SYEVR || t->family == SYEVX || t->family == SYGVX;
}

static void draw_range(struct trial *t)
{
	t->range = draw_letter("AAIV");
	t->il = 1 + (lapack_int)draw_below((unsigned)most(t->n, 1));
	t->iu = t->il + (lapack_int)draw_below((unsigned)most(t->n - t->il + 1, 1));
	if (t->n == 0)
		t->iu = 0;
	/* vl and vu come with the content. */
	t->vl = -1;
	t->vu = 1;
	const lapack_int columns = t->range == 'I' ? t->iu - t->il + 1 : t->n;
	size_matrix(t, SLOT_U, t->n, t->job == 'V' ? columns : 0, PART_NONE, PART_WHOLE);
	size_vector(t, SLOT_FAIL, UNIT_INTEGER, t->family == SYEVR ? 2 * most(1, columns) : t->n,
	            true);
}

static void draw_symmetric(struct trial *t)
{
	const bool pair = t->family >= SYGV;
	t->job = draw_letter("NVV");
	t->itype = pair ? 1 + (lapack_int)draw_below(3) : 1;
	const bool vectors_in_place = t->job == 'V' && !draw_is_expert(t);
	size_matrix(t, SLOT_A, t->n, t->n, triangle_of(t),
	            vectors_in_place ? PART_WHOLE : triangle_of(t));
	if (pair)
		size_matrix(t, SLOT_B, t->n, t->n, triangle_of(t), triangle_of(t));
	size_vector(t, SLOT_W, UNIT_REAL, t->n, true);
	if (draw_is_expert(t))
		draw_range(t);
}

static void draw_singular(struct trial *t)
{
	t->m = draw_order();
	const lapack_int k = least(t->m, t->n);
	t->job = draw_letter("NASSO");
	t->job2 = t->family == GESDD ? t->job : draw_letter(t->job == 'O' ? "NAS" : "NASSO");
	lapack_int left = t->job == 'A' ? t->m : t->job == 'S' ? k : 0;
	lapack_int right = t->job2 == 'A' ? t->n : t->job2 == 'S' ? k : 0;
	if (t->family == GESDD && t->job == 'O') {
		left = t->m < t->n ? t->m : 0;
		right = t->m >= t->n ? t->n : 0;
	}
	size_matrix(t, SLOT_A, t->m, t->n, PART_WHOLE, PART_WHOLE);
	size_vector(t, SLOT_W, UNIT_REAL, k, true);
	size_matrix(t, SLOT_U, t->m, left, PART_NONE, PART_WHOLE);
	size_matrix(t, SLOT_V, right, right > 0 ? t->n : 0, PART_NONE, PART_WHOLE);
}

static void draw_general(struct trial *t)
{
	t->job = draw_letter("NNV");
	t->job2 = draw_letter("NVV");
	size_matrix(t, SLOT_A, t->n, t->n, PART_WHOLE, PART_WHOLE);
	size_vector(t, SLOT_W, type_is_complex(t->type) ? UNIT_ELEMENT : UNIT_REAL, t->n, true);
	size_vector(t, SLOT_WI, UNIT_REAL, t->n, true);
	size_matrix(t, SLOT_U, t->n, t->job == 'V' ? t->n : 0, PART_NONE, PART_WHOLE);
	size_matrix(t, SLOT_V, t->n, t->job2 == 'V' ? t->n : 0, PART_NONE, PART_WHOLE);
}

void draw_trial(struct trial *t, enum family family, enum type type)
{
	*t = (struct trial){.family = family, .type = type, .itype = 1, .scale = 1, .lwork = 1};
	for (int slot = 0; slot < SLOT_COUNT; slot++)
		t->operand[slot].ld = 1;
	t->n = draw_order();
	t->nrhs = (lapack_int)draw_below(draw_one_in(10) ? 70 : 6);
	t->uplo = draw_letter("UL");
	t->side = draw_letter("LR");
	t->diag = draw_letter("NNU");
	t->trans = draw_letter("NTC");
	t->range = 'A';
	t->job = t->job2 = 'N';
	t->small_letters = draw_one_in(5);
	t->content =
		draw_below(2) ? CONTENT_RANDOM : (enum content)draw_below((unsigned)CONTENT_COUNT);
	if (draw_below(2))
		t->scale = pow(10, (int)draw_below(21) - 10);
	switch (family) {
	case GETRF:
	case GETRS:
	case GESV:
	case GETRI: draw_lu(t); break;
	case POTRF:
	case POTRS:
	case POSV:
	case POTRI:
	case TRTRI: draw_triangle(t); break;
	case GEQRF:
	case ORGQR:
	case ORMQR: draw_qr(t); break;
	case GELS: draw_gels(t); break;
	case GESDD:
	case GESVD: draw_singular(t); break;
	case GEEV: draw_general(t); break;
	default: draw_symmetric(t); break;
	}
}

/* Workspaces of the drivers for symmetric matrices. */
static void least_symmetric(struct trial *t)
{
	const bool values = t->job == 'N', both = type_is_complex(t->type);
	const lapack_int n = t->n, square = 2 * n * n;
	switch (t->family) {
	case SYEVD:
	case SYGVD:
		t->liwork = values || n <= 1 ? 1 : 3 + 5 * n;
		if (n <= 1)
			t->lwork = t->lrwork = 1;
		else if (!both)
			t->lwork = values ? 2 * n + 1 : 1 + 6 * n + square;
		else {
			t->lwork = values ? n + 1 : 2 * n + n * n;
			t->lrwork = values ? n : 1 + 5 * n + square;
		}
		break;
	case SYEVR:
		t->lwork = most(1, (both ? 2 : 26) * n);
		t->lrwork = most(1, 24 * n);
		t->liwork = most(1, 10 * n);
		break;
	case SYEVX:
	case SYGVX:
		t->lwork = most(1, (both ? 2 : 8) * n);
		t->lrwork = 7 * n;
		t->liwork = 5 * n;
		break;
	default:
		t->lwork = most(1, (both ? 2 : 3) * n - 1);
		t->lrwork = most(1, 3 * n - 2);
		break;
	}
}

static void least_singular(struct trial *t)
{
	const lapack_int k = least(t->m, t->n), large = most(t->m, t->n), square = k * k;
	const bool both = type_is_complex(t->type);
	t->liwork = 8 * k;
	t->lrwork = 5 * k;
	if (t->family == GESVD) {
		t->lwork = both ? 2 * k + large : most(3 * k + large, 5 * k);
		t->lwork = most(1, t->lwork);
		return;
	}
	if (both) {
		t->lrwork = t->job == 'N'
		                    ? 7 * k
		                    : most(5 * square + 5 * k, 2 * large * k + 2 * square + k);
		t->lwork = t->job == 'N'   ? 2 * k + large
		           : t->job == 'O' ? 2 * square + 2 * k + large
		           : t->job == 'S' ? square + 3 * k
		                           : square + 2 * k + large;
	} else
		t->lwork = t->job == 'N'   ? 3 * k + most(large, 7 * k)
		           : t->job == 'O' ? 3 * k + most(large, 5 * square + 4 * k)
		           : t->job == 'S' ? 4 * square + 7 * k
		                           : 4 * square + 6 * k + large;
	t->lwork = most(1, t->lwork);
}

void draw_least_work(struct trial *t)
{
	t->lrwork = t->liwork = 1;
	switch (t->family) {
	case GETRI:
	case GEQRF:
	case ORGQR: t->lwork = most(1, t->n); break;
	case ORMQR: t->lwork = most(1, t->side == 'L' ? t->n : t->m); break;
	case GELS: t->lwork = most(1, least(t->m, t->n) + most(least(t->m, t->n), t->nrhs)); break;
	case GESDD:
	case GESVD: least_singular(t); break;
	case GEEV:
		t->lwork = most(1, (type_is_complex(t->type)          ? 2
		                    : t->job == 'V' || t->job2 == 'V' ? 4
		                                                      : 3) *
		                           t->n);
		t->lrwork = 2 * t->n;
		break;
	default: least_symmetric(t); break;
	}
}
