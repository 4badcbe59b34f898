/* mutant.c - a faulty interposer of BLAS: the suites must find the fault that MUTANT names */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct dgemm {
	const char *transa, *transb;
	const int *m, *n, *k;
	const double *alpha, *a;
	const int *lda;
	const double *b;
	const int *ldb;
	const double *beta;
	double *c;
	const int *ldc;
};

extern void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                   const double *alpha, const double *a, const int *lda, const double *b,
                   const int *ldb, const double *beta, double *c, const int *ldc,
                   size_t transa_length, size_t transb_length);

static bool mutant_is(const char *fault)
{
	const char *chosen = getenv("MUTANT");
	return chosen != NULL && strcmp(chosen, fault) == 0;
}

static void mutant_call_real(const struct dgemm *g)
{
	static __typeof__(dgemm_) *real;
	if (real == NULL)
		real = (__typeof__(dgemm_) *)dlsym(RTLD_NEXT, "dgemm_");
	if (real == NULL)
		abort();
	real(g->transa, g->transb, g->m, g->n, g->k, g->alpha, g->a, g->lda, g->b, g->ldb, g->beta,
	     g->c, g->ldc, 1, 1);
}

/* The fault of a transfer of ldc x n elements instead of m x n. */
static void mutant_write_gap(const struct dgemm *g)
{
	if (*g->m > 0 && *g->n > 1 && *g->ldc > *g->m)
		g->c[*g->m] = 0;
}

/* The fault of adding to a staging buffer that was never written. */
static void mutant_read_stale(const struct dgemm *g)
{
	if (*g->m <= 0 || *g->n <= 0)
		return;
	double *stale = malloc(sizeof(*stale));
	if (stale == NULL)
		abort();
	g->c[0] += *(volatile double *)stale;
	free(stale);
}

static bool mutant_forgets(const struct dgemm *g)
{
	const bool illegal =
		*g->m < 0 || *g->n < 0 || *g->k < 0 || strchr("NTCntc", *g->transa) == NULL;
	return (mutant_is("silent") && illegal) || (mutant_is("unscaled") && *g->k == 0);
}

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length)
{
	struct dgemm g = {transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc};
	(void)transa_length;
	(void)transb_length;
	if (mutant_is("conjugate") && *transa == 'C')
		g.transa = "N";
	if (mutant_forgets(&g))
		return;
	mutant_call_real(&g);
	if (mutant_is("gap"))
		mutant_write_gap(&g);
	if (mutant_is("stale"))
		mutant_read_stale(&g);
}
