/* module.c - calls its BLAS; INTEGER: integer width, HOOKS: constructor and destructor */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>

typedef INTEGER blas_int;

void dgemm_(const char *transa, const char *transb, const blas_int *m, const blas_int *n,
            const blas_int *k, const double *alpha, const double *a, const blas_int *lda,
            const double *b, const blas_int *ldb, const double *beta, double *c,
            const blas_int *ldc);
void cblas_dgemm(int order, int transa, int transb, blas_int m, blas_int n, blas_int k,
                 double alpha, const double *a, blas_int lda, const double *b, blas_int ldb,
                 double beta, double *c, blas_int ldc);
void module_call(double *result, long size);
void module_call_cblas(double *result, long size);
void module_tail(const char *transa, const char *transb, const blas_int *m, const blas_int *n,
                 const blas_int *k, const double *alpha, const double *a, const blas_int *lda,
                 const double *b, const blas_int *ldb, const double *beta, double *c,
                 const blas_int *ldc);

enum { MODULE_SIZE_MAX = 1300 };

static double module_a[MODULE_SIZE_MAX * MODULE_SIZE_MAX] = {2};
static double module_b[MODULE_SIZE_MAX * MODULE_SIZE_MAX] = {3};
static double module_c[MODULE_SIZE_MAX * MODULE_SIZE_MAX];

/* Copies the first three elements of C to result. */
void module_call(double *result, long size)
{
	const blas_int m = (blas_int)size, n = m, k = m;
	const double alpha = 0.5, beta = 0;
	dgemm_("N", "T", &m, &n, &k, &alpha, module_a, &m, module_b, &n, &beta, module_c, &m);
	for (int i = 0; i < 3; i++)
		result[i] = module_c[i];
}

void module_call_cblas(double *result, long size)
{
	const blas_int m = (blas_int)size;
	cblas_dgemm(102, 111, 112, m, m, m, 0.5, module_a, m, module_b, m, 0, module_c, m);
	for (int i = 0; i < 3; i++)
		result[i] = module_c[i];
}

/* A tail call, compiled to a jump: the return address on the stack is that of our caller. */
void module_tail(const char *transa, const char *transb, const blas_int *m, const blas_int *n,
                 const blas_int *k, const double *alpha, const double *a, const blas_int *lda,
                 const double *b, const blas_int *ldb, const double *beta, double *c,
                 const blas_int *ldc)
{
	dgemm_(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

#ifdef HOOKS
/* The destructor uses write: stdio may have been flushed for the last time before it runs. */
#include <string.h>
#include <unistd.h>

static void module_say(const char *when)
{
	char line[80];
	double result[3];
	module_call(result, 2);
	const int length = snprintf(line, sizeof line, "%s %.3f %.0f %.0f\n", when, result[0],
	                            result[1], result[2]);
	if (write(1, line, (size_t)length) != length)
		_exit(9);
}

__attribute__((constructor)) static void module_begin(void)
{
	module_say("constructor");
}

__attribute__((destructor)) static void module_end(void)
{
	module_say("destructor");
}
#endif
