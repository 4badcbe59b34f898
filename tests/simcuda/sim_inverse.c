/* sim_inverse.c - inverses of triangles and of what Cholesky factored; exchanges of rows */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "sim_abi.h"
#include "sim_level3.h"
#include "sim_solver.h"

static bool is_complex(const struct sim_solver *w)
{
	return w->element == 'C' || w->element == 'Z';
}

/* One in each precision: an element, or the real scalar of a Hermitian routine. */
static const void *one_of(const struct sim_solver *w)
{
	static const float single[2] = {1, 0};
	static const double wide[2] = {1, 0};
	return w->element == 'S' || w->element == 'C' ? (const void *)single : wide;
}

static char *column_of(const struct sim_solver *w, int64_t column)
{
	return (char *)w->a + (size_t)(column * w->lda) * sim_level3_element_bytes(w->element);
}

/* The first zero on the diagonal, from 1. */
static int triangle_zero(const struct sim_solver *w)
{
	const size_t element = sim_level3_element_bytes(w->element);
	for (int64_t i = 0; i < w->n && w->diag == SIM_DIAG_NON_UNIT; i++)
		if (sim_level3_is_zero(w->element, column_of(w, i) + (size_t)i * element))
			return (int)i + 1;
	return 0;
}

/* T X = 1 without the triangle's zeros. NULL: no scratch memory. */
static char *triangle_inverse(const struct sim_solver *w)
{
	const size_t element = sim_level3_element_bytes(w->element), n = (size_t)w->n;
	char *inverse = calloc(n * n + 1, element);
	for (size_t i = 0; inverse && i < n; i++)
		memcpy(inverse + i * (n + 1) * element, one_of(w), element);
	struct sim_level3 t = {.element = w->element,
	                       .uplo = w->uplo,
	                       .diag = w->diag,
	                       .m = w->n,
	                       .n = w->n,
	                       .k = w->n,
	                       .lda = w->lda,
	                       .ldc = w->n,
	                       .alpha = one_of(w),
	                       .a = w->a,
	                       .c = inverse};
	if (inverse && n && sim_level3_trsm(&t))
		return inverse;
	free(inverse);
	return NULL;
}

/* The other triangle stays, and the diagonal where it counts as 1. */
bool sim_solver_trtri(struct sim_solver *w)
{
	const size_t element = sim_level3_element_bytes(w->element);
	const int64_t aside = w->diag == SIM_DIAG_UNIT, n = w->n;
	w->info = triangle_zero(w);
	char *inverse = n && !w->info ? triangle_inverse(w) : NULL;
	for (int64_t j = 0; inverse && j < n; j++) {
		int64_t first = w->uplo == SIM_UPLO_UPPER ? 0 : j + aside;
		int64_t end = w->uplo == SIM_UPLO_UPPER ? j + 1 - aside : n;
		if (first < end)
			memcpy(column_of(w, j) + (size_t)first * element,
			       inverse + (size_t)(first + j * n) * element,
			       (size_t)(end - first) * element);
	}
	const bool done = inverse || !n || w->info;
	free(inverse);
	return done;
}

/* U^-1 U^-H, or L^-H L^-1. */
bool sim_solver_potri(struct sim_solver *w)
{
	static const double nothing[2] = {0, 0};
	w->info = triangle_zero(w);
	char *inverse = w->n && !w->info ? triangle_inverse(w) : NULL;
	struct sim_level3 h = {.element = w->element,
	                       .hermitian = is_complex(w),
	                       .uplo = w->uplo,
	                       .transa = w->uplo == SIM_UPLO_UPPER ? SIM_TRANS_N : SIM_TRANS_C,
	                       .m = w->n,
	                       .n = w->n,
	                       .k = w->n,
	                       .lda = w->n,
	                       .ldc = w->lda,
	                       .alpha = one_of(w),
	                       .beta = nothing,
	                       .a = inverse,
	                       .c = w->a};
	const bool done = inverse ? sim_level3_syrk(&h) : !w->n || w->info;
	free(inverse);
	return done;
}

/* Pivots of 32 bits. */
bool sim_solver_getrf_narrow(struct sim_solver *w)
{
	const int64_t count = w->m < w->n ? w->m : w->n;
	int64_t *wide = malloc(((size_t)count + 1) * sizeof *wide);
	w->pivots = w->narrow_pivots ? wide : NULL;
	const bool done = wide && sim_solver_getrf(w);
	for (int64_t i = 0; done && w->pivots && !w->info && i < count; i++)
		w->narrow_pivots[i] = (int)wide[i];
	free(wide);
	return done;
}

static void rows_exchange(const struct sim_solver *w, int64_t row, int64_t other)
{
	const size_t element = sim_level3_element_bytes(w->element);
	char kept[16];
	for (int64_t j = 0; j < w->n && row != other; j++) {
		char *a = column_of(w, j) + (size_t)row * element,
		     *b = column_of(w, j) + (size_t)other * element;
		memcpy(kept, a, element);
		memcpy(a, b, element);
		memcpy(b, kept, element);
	}
}

/* Rows il to iu from 1; a step below 0 goes backwards. False too: no row has such a number. */
bool sim_solver_laswp(struct sim_solver *w)
{
	const int64_t count = w->iu - w->il + 1, step = w->step < 0 ? -w->step : w->step;
	for (int64_t i = 0; i < count; i++) {
		const int64_t at = w->step < 0 ? count - 1 - i : i;
		const int64_t other = w->narrow_pivots[w->il - 1 + at * step];
		if (other < 1 || other > w->lda)
			return false;
		rows_exchange(w, w->il - 1 + at, other - 1);
	}
	return true;
}
