/* peers_spoil.c - stands in for the shim and spoils one element of each double product by little */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define GEMM_PARAMETERS                                                                            \
	(const char *transa, const char *transb, const int *m, const int *n, const int *k,         \
	 const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,    \
	 const double *beta, double *c, const int *ldc)
#define CBLAS_PARAMETERS                                                                           \
	(int order, int transa, int transb, int m, int n, int k, double alpha, const double *a,    \
	 int lda, const double *b, int ldb, double beta, double *c, int ldc)

void dgemm_ GEMM_PARAMETERS;
void cblas_dgemm CBLAS_PARAMETERS;

/* Python's modules load their library with local scope, where RTLD_NEXT does not look. */
static void find(const char *name, void *function)
{
	void *symbol = dlsym(RTLD_NEXT, name);
	void *library = symbol == NULL ? dlopen("libblas.so.3", RTLD_NOW | RTLD_LOCAL) : NULL;
	if (library != NULL)
		symbol = dlsym(library, name);
	memcpy(function, &symbol, sizeof symbol);
}

void dgemm_ GEMM_PARAMETERS
{
	void(*real) GEMM_PARAMETERS;
	find("dgemm_", &real);
	real(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
	c[(size_t)*ldc * (size_t)(*n - 1) + (size_t)*m / 2] += 1e-3;
}

void cblas_dgemm CBLAS_PARAMETERS
{
	void(*real) CBLAS_PARAMETERS;
	find("cblas_dgemm", &real);
	real(order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
	c[1] += 1e-3;
}
