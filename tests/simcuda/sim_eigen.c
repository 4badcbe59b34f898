/* sim_eigen.c - eigenvalues of Hermitian matrices and pencils, by implicit QL */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "../driver/c11_complex.h"
#include "sim_abi.h"
#include "sim_level3.h"
#include "sim_solver.h"

/* Steps until a value is found; more mean that it never will be. */
enum { MANY_STEPS = 40, MOST_STEPS = 60 };

/* Constants and functions of one element type. */
struct loops {
	double epsilon;
	const void *one;
	void (*expand)(void *dense, const struct sim_solver *w);
	double (*reduce)(void *matrix, int64_t n, double *d, double *e, bool vectors,
	                 void *scratch);
	void (*rotate)(void *vectors, int64_t n, int64_t column, double c, double s);
	void (*swap)(void *vectors, int64_t n, int64_t column, int64_t other);
	void (*store)(const struct sim_solver *w, const void *vectors, const double *d,
	              int64_t first, int64_t count);
};

#define TEMPLATE "sim_eigen_template.h"
#include "sim_solver_each.h"

/* A matrix on its way to its eigenvalues; all arrays are scratch. */
struct spectrum {
	const struct loops *loops;
	int64_t n;
	char *matrix; /* then the vectors */
	double *d, *e;
	void *scratch;
	bool vectors;
};

static bool spectrum_open(struct spectrum *s, const struct sim_solver *w)
{
	const size_t n = (size_t)w->n, element = sim_level3_element_bytes(w->element);
	*s = (struct spectrum){.loops = loops_of(w->element),
	                       .n = w->n,
	                       .matrix = malloc((n * n + 1) * element),
	                       .d = malloc((2 * n + 1) * sizeof *s->d),
	                       .scratch = malloc((2 * n + 1) * element),
	                       .vectors = w->vectors};
	s->e = s->d ? s->d + n : NULL;
	return s->matrix && s->d && s->scratch;
}

static void spectrum_close(struct spectrum *s)
{
	free(s->matrix);
	free(s->d);
	free(s->scratch);
}

/*
 * Where the block that begins at `first` ends: at an element beside the diagonal that is nothing.
 * After many steps rounding of the matrix, whose norm is about 1, is nothing too: beside the small
 * values of a graded one it never gets less.
 */
static int64_t spectrum_block(const struct spectrum *s, int64_t first, int step)
{
	const double epsilon = s->loops->epsilon / 2;
	const double nothing = step < MANY_STEPS ? epsilon * epsilon : epsilon;
	int64_t last = first;
	while (last + 1 < s->n && fabs(s->e[last]) > nothing &&
	       fabs(s->e[last]) > epsilon * (fabs(s->d[last]) + fabs(s->d[last + 1])))
		last++;
	return last;
}

/* One implicit step of QL with Wilkinson's shift on the block from first to last. */
static void spectrum_step(const struct spectrum *s, int64_t first, int64_t last)
{
	double *d = s->d, *e = s->e, cosine = 1, sine = 1, moved = 0;
	double slope = (d[first + 1] - d[first]) / (2 * e[first]);
	double bulge = d[last] - d[first] + e[first] / (slope + copysign(hypot(slope, 1.0), slope));
	for (int64_t i = last - 1; i >= first; i--) {
		const double over = sine * e[i], beside = cosine * e[i], size = hypot(over, bulge);
		e[i + 1] = size;
		if (size == 0) {
			/* The block falls apart here. */
			d[i + 1] -= moved;
			e[last] = 0;
			return;
		}
		sine = over / size;
		cosine = bulge / size;
		const double rest = d[i + 1] - moved,
			     turned = (d[i] - rest) * sine + 2 * cosine * beside;
		moved = sine * turned;
		d[i + 1] = rest + moved;
		bulge = cosine * turned - beside;
		if (s->vectors)
			s->loops->rotate(s->matrix, s->n, i, cosine, sine);
	}
	d[first] -= moved;
	e[first] = bulge;
	e[last] = 0;
}

/* The number of the value that was not found, from 1; 0: all were. */
static int spectrum_iterate(const struct spectrum *s)
{
	for (int64_t first = 0; first < s->n; first++) {
		int64_t last;
		for (int step = 0; (last = spectrum_block(s, first, step)) != first; step++) {
			if (step == MOST_STEPS || !isfinite(s->e[first]))
				return (int)first + 1;
			spectrum_step(s, first, last);
		}
	}
	return 0;
}

/* By size, the least first. */
static void spectrum_sort(const struct spectrum *s)
{
	for (int64_t i = 0; i + 1 < s->n; i++) {
		int64_t least = i;
		for (int64_t j = i + 1; j < s->n; j++)
			if (s->d[j] < s->d[least])
				least = j;
		if (least == i)
			continue;
		const double kept = s->d[i];
		s->d[i] = s->d[least];
		s->d[least] = kept;
		if (s->vectors)
			s->loops->swap(s->matrix, s->n, i, least);
	}
}

/* From the whole matrix to its values and vectors. Returns LAPACK's info. */
static int spectrum_solve(const struct spectrum *s)
{
	const double scale = s->loops->reduce(s->matrix, s->n, s->d, s->e, s->vectors, s->scratch);
	if (s->n > 0)
		s->e[s->n - 1] = 0;
	const int info = spectrum_iterate(s);
	spectrum_sort(s);
	for (int64_t i = 0; i < s->n; i++)
		s->d[i] *= scale;
	return info;
}

/* The values that the range asks for; the others are not stored. */
static void spectrum_store(const struct spectrum *s, struct sim_solver *w)
{
	int64_t first = 0, end = s->n;
	if (w->range == SIM_RANGE_INDICES) {
		first = w->il - 1;
		end = w->iu;
	} else if (w->range == SIM_RANGE_VALUES) {
		while (first < end && s->d[first] <= w->vl)
			first++;
		while (end > first && s->d[end - 1] > w->vu)
			end--;
	}
	w->found = end > first ? end - first : 0;
	s->loops->store(w, s->matrix, s->d, first, w->found);
}

bool sim_solver_syevd(struct sim_solver *w)
{
	struct spectrum s;
	bool done = spectrum_open(&s, w);
	if (done) {
		s.loops->expand(s.matrix, w);
		w->info = spectrum_solve(&s);
		spectrum_store(&s, w);
	}
	spectrum_close(&s);
	return done;
}

/* -- pencils -- */

/* X := T X, T^-1 X, or from the right, where T is the factor of B or its adjoint. */
static bool pencil_apply(const struct spectrum *s, const struct sim_solver *w, bool left,
                         bool adjoint, bool inverse)
{
	struct sim_level3 t = {.element = w->element,
	                       .side = left ? SIM_SIDE_LEFT : SIM_SIDE_RIGHT,
	                       .uplo = w->uplo,
	                       .transa = adjoint ? SIM_TRANS_C : SIM_TRANS_N,
	                       .m = w->n,
	                       .n = w->n,
	                       .k = w->n,
	                       .lda = w->ldb,
	                       .ldb = w->n,
	                       .ldc = w->n,
	                       .alpha = s->loops->one,
	                       .a = w->b,
	                       .b = s->matrix,
	                       .c = s->matrix};
	return inverse ? sim_level3_trsm(&t) : sim_level3_trmm(&t);
}

/* B = L L^H or U^H U. The matrix of type 1 is L^-1 A L^-H, of types 2 and 3 L^H A L. */
static bool pencil_solve(const struct spectrum *s, struct sim_solver *w)
{
	const bool upper = w->uplo == SIM_UPLO_UPPER, first = w->itype == 1;
	/* Whether the left factor is an adjoint; the right one is the other. */
	const bool adjoint = first == upper;
	bool done = pencil_apply(s, w, true, adjoint, first) &&
	            pencil_apply(s, w, false, !adjoint, first);
	if (!done)
		return false;
	w->info = spectrum_solve(s);
	if (!w->vectors)
		return true;
	return w->itype == 3 ? pencil_apply(s, w, true, upper, false)
	                     : pencil_apply(s, w, true, !upper, true);
}

bool sim_solver_sygvd(struct sim_solver *w)
{
	struct sim_solver factor = {
		.element = w->element, .uplo = w->uplo, .n = w->n, .lda = w->ldb, .a = w->b};
	struct spectrum s;
	bool done = w->n == 0 || sim_solver_potrf(&factor);
	w->info = done && factor.info ? (int)w->n + factor.info : 0;
	if (!done || w->info || !w->n)
		return done;
	done = spectrum_open(&s, w);
	if (done) {
		s.loops->expand(s.matrix, w);
		done = pencil_solve(&s, w);
		spectrum_store(&s, w);
	}
	spectrum_close(&s);
	return done;
}
