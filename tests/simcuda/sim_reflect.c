/* sim_reflect.c - QR by Householder reflectors, one column after the other */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_reflect.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "sim_abi.h"
#include "sim_level3.h"
#include "sim_solver.h"

/* Functions of one element type. */
struct loops {
	void (*factor)(void *matrix, int64_t lda, int64_t m, int64_t n, void *tau);
	void (*expand)(void *matrix, int64_t lda, int64_t m, int64_t n, int64_t k, const void *tau);
	void (*multiply)(const struct sim_solver *w);
};

#define TEMPLATE "sim_qr_template.h"
#include "sim_solver_each.h"

bool sim_solver_geqrf(struct sim_solver *w)
{
	w->info = 0;
	loops_of(w->element)->factor(w->a, w->lda, w->m, w->n, w->w);
	return true;
}

bool sim_solver_orgqr(struct sim_solver *w)
{
	w->info = 0;
	loops_of(w->element)->expand(w->a, w->lda, w->m, w->n, w->k, w->w);
	return true;
}

bool sim_solver_ormqr(struct sim_solver *w)
{
	w->info = 0;
	if (w->m && w->n)
		loops_of(w->element)->multiply(w);
	return true;
}

/* The reflectors of orthonormal columns are those of a whole orthonormal basis that begins so. */
bool sim_reflect_complete(char element, void *matrix, int64_t ld, int64_t rows, int64_t known,
                          int64_t wanted)
{
	const struct loops *loops = loops_of(element);
	const size_t bytes = sim_level3_element_bytes(element), column = (size_t)rows * bytes;
	char *basis = malloc((size_t)(wanted + 1) * column), *tau = basis + (size_t)wanted * column;
	if (!basis || known >= wanted) {
		free(basis);
		return known >= wanted;
	}
	for (int64_t j = 0; j < known; j++)
		memcpy(basis + (size_t)j * column, (const char *)matrix + (size_t)(j * ld) * bytes,
		       column);
	loops->factor(basis, rows, rows, known, tau);
	loops->expand(basis, rows, rows, wanted, known, tau);
	for (int64_t j = known; j < wanted; j++)
		memcpy((char *)matrix + (size_t)(j * ld) * bytes, basis + (size_t)j * column,
		       column);
	free(basis);
	return true;
}
