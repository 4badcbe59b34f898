/* suffixed_blas.c - a BLAS of 64-bit integers under the suffixed names that exist */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

#define FORTRAN_ARGUMENTS                                                                          \
	const char *ta, const char *tb, const int64_t *m, const int64_t *n, const int64_t *k,      \
		const double *alpha, const double *a, const int64_t *lda, const double *b,         \
		const int64_t *ldb, const double *beta, double *c, const int64_t *ldc
#define FORTRAN(name, value)                                                                       \
	void name(FORTRAN_ARGUMENTS);                                                              \
	void name(FORTRAN_ARGUMENTS)                                                               \
	{                                                                                          \
		c[0] = (value) + *alpha * a[0] * b[0] + *beta + (*ta == *tb);                      \
		c[1] = (double)*m + 1e10 * (double)*n + 1e5 * (double)*k;                          \
		c[2] = (double)(*lda + *ldb + *ldc);                                               \
	}
#define CBLAS(name, value)                                                                         \
	void name(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, double alpha,        \
	          const double *a, int64_t lda, const double *b, int64_t ldb, double beta,         \
	          double *c, int64_t ldc);                                                         \
	void name(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, double alpha,        \
	          const double *a, int64_t lda, const double *b, int64_t ldb, double beta,         \
	          double *c, int64_t ldc)                                                          \
	{                                                                                          \
		c[0] = (value) + alpha * a[0] * b[0] + beta + order + ta + tb;                     \
		c[1] = (double)m + 1e10 * (double)n + 1e5 * (double)k;                             \
		c[2] = (double)(lda + ldb + ldc);                                                  \
	}

FORTRAN(dgemm_64_, 100)
FORTRAN(dgemm_64, 200)
FORTRAN(dgemm64_, 300)
FORTRAN(scipy_dgemm_64_, 400)
CBLAS(cblas_dgemm_64, 500)
CBLAS(cblas_dgemm64_, 600)
CBLAS(scipy_cblas_dgemm64_, 700)
