/* audit_forwarder.c - a BLAS that forwards to BACKEND, opened RTLD_LOCAL, like FlexiBLAS */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>

#define FORTRAN_PARAMETERS                                                                         \
	const char *transa, const char *transb, const int *m, const int *n, const int *k,          \
		const double *alpha, const double *a, const int *lda, const double *b,             \
		const int *ldb, const double *beta, double *c, const int *ldc
#define C_PARAMETERS                                                                               \
	int order, int transa, int transb, int m, int n, int k, double alpha, const double *a,     \
		int lda, const double *b, int ldb, double beta, double *c, int ldc

void dgemm_(FORTRAN_PARAMETERS);
void cblas_dgemm(C_PARAMETERS);

static void (*forward_fortran)(FORTRAN_PARAMETERS);
static void (*forward_c)(C_PARAMETERS);

__attribute__((constructor)) static void forward_open(void)
{
	void *backend = dlopen(BACKEND, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	if (backend == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		return;
	}
	forward_fortran = (void (*)(FORTRAN_PARAMETERS))dlsym(backend, "dgemm_");
	forward_c = (void (*)(C_PARAMETERS))dlsym(backend, "cblas_dgemm");
}

void dgemm_(FORTRAN_PARAMETERS)
{
	forward_fortran(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void cblas_dgemm(C_PARAMETERS)
{
	forward_c(order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
