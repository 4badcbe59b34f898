/* blas_names.c - gemm of every type and spelling behind one function */
/* SPDX-License-Identifier: Apache-2.0 */
#include "blas_names.h"

#include <stdio.h>

#define GEMM(letter, scalar)                                                                       \
	void letter##gemm_(const char *, const char *, const int *, const int *, const int *,      \
	                   const void *, const void *, const int *, const void *, const int *,     \
	                   const void *, void *, const int *, size_t, size_t);                     \
	void cblas_##letter##gemm(int, int, int, int, int, int, scalar, const void *, int,         \
	                          const void *, int, scalar, void *, int);
GEMM(s, float)
GEMM(d, double)
GEMM(c, const void *)
GEMM(z, const void *)

static const char *const names[2][TYPE_COUNT] = {
	{"sgemm_", "dgemm_", "cgemm_", "zgemm_"},
	{"cblas_sgemm", "cblas_dgemm", "cblas_cgemm", "cblas_zgemm"}};
static long counts[2][TYPE_COUNT];

size_t type_bytes(enum type type)
{
	static const size_t bytes[TYPE_COUNT] = {4, 8, 8, 16};
	return bytes[type];
}

bool type_is_complex(enum type type)
{
	return type == TYPE_C || type == TYPE_Z;
}

const char *gemm_name(const struct gemm *g)
{
	return names[g->spelling != F77][g->type];
}

void gemm_count(const struct gemm *g)
{
	counts[g->spelling != F77][g->type]++;
}

void gemm_tell_counts(void)
{
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < TYPE_COUNT; j++)
			if (counts[i][j] > 0)
				printf("call %s %ld\n", names[i][j], counts[i][j]);
}

static int flag_of(char letter)
{
	switch (letter) {
	case 'N': return 111;
	case 'T': return 112;
	case 'C': return 113;
	default: return letter; /* an illegal one stays illegal */
	}
}

static void call_f77(const struct gemm *g)
{
	const float alpha[2] = {(float)g->alpha[0], (float)g->alpha[1]},
		    beta[2] = {(float)g->beta[0], (float)g->beta[1]};
	const bool single = g->type == TYPE_S || g->type == TYPE_C;
	const void *x = single ? (const void *)alpha : g->alpha,
		   *y = single ? (const void *)beta : g->beta;
#define CALL(letter)                                                                               \
	letter##gemm_(&g->transa, &g->transb, &g->m, &g->n, &g->k, x, g->a, &g->lda, g->b,         \
	              &g->ldb, y, g->c, &g->ldc, 1, 1)
	switch (g->type) {
	case TYPE_S: CALL(s); break;
	case TYPE_D: CALL(d); break;
	case TYPE_C: CALL(c); break;
	default: CALL(z); break;
	}
#undef CALL
}

static void call_cblas(const struct gemm *g)
{
	const float alpha[2] = {(float)g->alpha[0], (float)g->alpha[1]},
		    beta[2] = {(float)g->beta[0], (float)g->beta[1]};
	const int order = g->spelling == BY_ROWS ? 101 : 102, ta = flag_of(g->transa),
		  tb = flag_of(g->transb);
#define CALL(letter, x, y)                                                                         \
	cblas_##letter##gemm(order, ta, tb, g->m, g->n, g->k, x, g->a, g->lda, g->b, g->ldb, y,    \
	                     g->c, g->ldc)
	switch (g->type) {
	case TYPE_S: CALL(s, alpha[0], beta[0]); break;
	case TYPE_D: CALL(d, g->alpha[0], g->beta[0]); break;
	case TYPE_C: CALL(c, alpha, beta); break;
	default: CALL(z, g->alpha, g->beta); break;
	}
#undef CALL
}

void gemm_call(const struct gemm *g)
{
	if (g->spelling == F77)
		call_f77(g);
	else
		call_cblas(g);
}
