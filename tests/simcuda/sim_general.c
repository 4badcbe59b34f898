/* sim_general.c - eigenvalues of general matrices, by a LAPACK that is linked in */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "sim_level3.h"
#include "sim_solver.h"

#define REAL_PARAMETERS                                                                            \
	const char *jobvl, const char *jobvr, const int *n, void *a, const int *lda, void *wr,     \
		void *wi, void *vl, const int *ldvl, void *vr, const int *ldvr, void *work,        \
		const int *lwork, int *info, size_t jobvl_length, size_t jobvr_length
#define COMPLEX_PARAMETERS                                                                         \
	const char *jobvl, const char *jobvr, const int *n, void *a, const int *lda, void *w,      \
		void *vl, const int *ldvl, void *vr, const int *ldvr, void *work,                  \
		const int *lwork, void *rwork, int *info, size_t jobvl_length, size_t jobvr_length
void sgeev_(REAL_PARAMETERS);
void dgeev_(REAL_PARAMETERS);
void cgeev_(COMPLEX_PARAMETERS);
void zgeev_(COMPLEX_PARAMETERS);
void xerbla_(const char *name, const int *position, size_t length);

/* LAPACK's own would write and end the process. Nothing here calls with illegal arguments. */
void xerbla_(const char *name, const int *position, size_t length)
{
	(void)name;
	(void)position;
	(void)length;
	abort();
}

void _gfortran_concat_string(size_t length, char *to, size_t first_length, const char *first,
                             size_t second_length, const char *second);

/* All that LAPACK needs of Fortran's library here: two strings side by side, then blanks. */
void _gfortran_concat_string(size_t length, char *to, size_t first_length, const char *first,
                             size_t second_length, const char *second)
{
	const size_t head = first_length < length ? first_length : length;
	const size_t room = length - head, tail = second_length < room ? second_length : room;
	memcpy(to, first, head);
	memcpy(to + head, second, tail);
	memset(to + head + tail, ' ', room - tail);
}

/* Columns of workspace for LAPACK; it asks for 4 at least. */
enum { WORK_COLUMNS = 40 };

/* What LAPACK computes in; one block, from `matrix` on. */
struct general {
	int n, ld, lwork;
	size_t real_bytes, element_bytes;
	char *matrix, *vectors, *values, *rwork, *work;
};

static bool general_open(struct general *g, const struct sim_solver *w)
{
	const size_t n = (size_t)w->n;
	const bool single = w->element == 'S' || w->element == 'C';
	*g = (struct general){.n = (int)w->n,
	                      .ld = w->n > 0 ? (int)w->n : 1,
	                      .lwork = (int)(WORK_COLUMNS * w->n + 1),
	                      .real_bytes = single ? sizeof(float) : sizeof(double),
	                      .element_bytes = sim_level3_element_bytes(w->element)};
	const size_t square = n * n * g->element_bytes, column = (n + 1) * g->element_bytes;
	g->matrix = malloc(2 * square + (WORK_COLUMNS + 6) * column);
	if (!g->matrix)
		return false;
	g->vectors = g->matrix + square;
	g->values = g->vectors + square;
	g->rwork = g->values + 2 * column;
	g->work = g->rwork + 2 * column;
	for (size_t j = 0; j < n; j++)
		memcpy(g->matrix + j * n * g->element_bytes,
		       (const char *)w->a + j * (size_t)w->lda * g->element_bytes,
		       n * g->element_bytes);
	return true;
}

/* Real elements: n real parts, then n imaginary ones. */
static void general_compute(const struct general *g, struct sim_solver *w)
{
	const char *job = w->vectors ? "V" : "N";
	char *imaginary = g->values + (size_t)g->n * g->real_bytes;
	const int one = 1, *ldv = w->vectors ? &g->ld : &one;
#define CALL(routine, ...)                                                                         \
	routine("N", job, &g->n, g->matrix, &g->ld, __VA_ARGS__, NULL, &one, g->vectors, ldv,      \
	        g->work, &g->lwork
	switch (w->element) {
	case 'S': CALL(sgeev_, g->values, imaginary), &w->info, 1, 1);
		break;
	case 'D': CALL(dgeev_, g->values, imaginary), &w->info, 1, 1);
		break;
	case 'C': CALL(cgeev_, g->values), g->rwork, &w->info, 1, 1);
		break;
	default: CALL(zgeev_, g->values), g->rwork, &w->info, 1, 1);
		break;
	}
#undef CALL
}

static void general_store_values(const struct general *g, const struct sim_solver *w)
{
	const size_t n = (size_t)g->n, real = g->real_bytes;
	char *to = w->w;
	if (!w->complex_values || g->element_bytes != real) {
		memcpy(to, g->values, n * 2 * real);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		memcpy(to + 2 * i * real, g->values + i * real, real);
		memcpy(to + (2 * i + 1) * real, g->values + (n + i) * real, real);
	}
}

bool sim_solver_geev(struct sim_solver *w)
{
	struct general g;
	w->info = 0;
	if (!general_open(&g, w))
		return false;
	if (g.n) {
		general_compute(&g, w);
		general_store_values(&g, w);
	}
	for (size_t j = 0; w->vectors && j < (size_t)g.n; j++)
		memcpy((char *)w->c + j * (size_t)w->ldc * g.element_bytes,
		       g.vectors + j * (size_t)g.n * g.element_bytes,
		       (size_t)g.n * g.element_bytes);
	free(g.matrix);
	return true;
}
