/* sim_qr_template.h - the loops of sim_reflect.c for one element */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_solver_element.h"

#include "sim_reflect_template.h"

static void NAME(factor)(void *matrix, int64_t lda, int64_t m, int64_t n, void *tau)
{
	ELEMENT *a = matrix, *taus = tau;
	for (int64_t l = 0; l < m && l < n; l++) {
		ELEMENT *v = a + l * (lda + 1);
		taus[l] = NAME(reflector)(v, m - l);
		NAME(reflect_left)(v, CONJUGATE(taus[l]), v + lda, lda, m - l, n - l - 1);
	}
}

static void NAME(expand)(void *matrix, int64_t lda, int64_t m, int64_t n, int64_t k,
                         const void *tau)
{
	NAME(expand_reflectors)(matrix, lda, m, n, k, tau);
}

/* C := op(Q) C or C op(Q): the reflectors in the order that the side and the operation ask for. */
static void NAME(multiply)(const struct sim_solver *w)
{
	const ELEMENT *a = w->a, *tau = w->w;
	ELEMENT *c = w->b;
	const bool left = w->side == SIM_SIDE_LEFT, plain = w->trans == SIM_TRANS_N;
	for (int64_t step = 0; step < w->k; step++) {
		const int64_t l = left == plain ? w->k - 1 - step : step;
		const ELEMENT *v = a + l * (w->lda + 1);
		const ELEMENT factor = plain ? tau[l] : CONJUGATE(tau[l]);
		if (left)
			NAME(reflect_left)(v, factor, c + l, w->ldb, w->m - l, w->n);
		else
			NAME(reflect_right)(v, factor, c + l * w->ldb, w->ldb, w->m, w->n - l);
	}
}

static const struct loops NAME(loops) = {NAME(factor), NAME(expand), NAME(multiply)};

#include "sim_solver_element_end.h"
