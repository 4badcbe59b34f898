/* specimen_library.c - a BLAS with one routine under three names */
/* SPDX-License-Identifier: Apache-2.0 */

#define PRODUCT(name)                                                                              \
	void name(const char *transa, const char *transb, const int *m, const int *n,              \
	          const int *k, const double *alpha, const double *a, const int *lda,              \
	          const double *b, const int *ldb, const double *beta, double *c, const int *ldc); \
	void name(const char *transa, const char *transb, const int *m, const int *n,              \
	          const int *k, const double *alpha, const double *a, const int *lda,              \
	          const double *b, const int *ldb, const double *beta, double *c, const int *ldc)  \
	{                                                                                          \
		(void)transa, (void)transb;                                                        \
		for (int j = 0; j < *n; j++)                                                       \
			for (int i = 0; i < *m; i++) {                                             \
				double sum = 0;                                                    \
				for (int p = 0; p < *k; p++)                                       \
					sum += a[i + p * *lda] * b[p + j * *ldb];                  \
				c[i + j * *ldc] = *alpha * sum + *beta * c[i + j * *ldc];          \
			}                                                                          \
	}
PRODUCT(dgemm_)
PRODUCT(dspecimen_)
PRODUCT(dspecimenx_)
