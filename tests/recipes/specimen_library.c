/* specimen_library.c - a BLAS with one routine under three names, a LAPACK that computes nothing */
/* SPDX-License-Identifier: Apache-2.0 */

/* The arguments of a routine of the shape GEMM that the product needs, without transposition. */
struct product {
	int m, n, k, lda, ldb, ldc;
	double alpha, beta;
	const double *a, *b;
	double *c;
};

static void multiply(struct product p)
{
	for (int j = 0; j < p.n; j++)
		for (int i = 0; i < p.m; i++) {
			double sum = 0;
			for (int l = 0; l < p.k; l++)
				sum += p.a[i + l * p.lda] * p.b[l + j * p.ldb];
			p.c[i + j * p.ldc] = p.alpha * sum + p.beta * p.c[i + j * p.ldc];
		}
}

#define PARAMETERS                                                                                 \
	const char *transa, const char *transb, const int *m, const int *n, const int *k,          \
		const double *alpha, const double *a, const int *lda, const double *b,             \
		const int *ldb, const double *beta, double *c, const int *ldc

#define PRODUCT(name)                                                                              \
	void name(PARAMETERS);                                                                     \
	void name(PARAMETERS)                                                                      \
	{                                                                                          \
		(void)transa, (void)transb;                                                        \
		multiply((struct product){*m, *n, *k, *lda, *ldb, *ldc, *alpha, *beta, a, b, c});  \
	}
PRODUCT(dgemm_)
PRODUCT(dspecimen_)
PRODUCT(dspecimenx_)

/* It tells the length of work that it wants; what else it is asked for, it leaves to the GPU. */
#define FACTORIZATION(name)                                                                        \
	void name(const int *m, const int *n, double *a, const int *lda, double *tau,              \
	          double *work, const int *lwork, int *info);                                      \
	void name(const int *m, const int *n, double *a, const int *lda, double *tau,              \
	          double *work, const int *lwork, int *info)                                       \
	{                                                                                          \
		(void)m, (void)a, (void)lda, (void)tau;                                            \
		work[0] = *n;                                                                      \
		*info = *lwork == -1 ? 0 : -99;                                                    \
	}
FACTORIZATION(dspecimenq_)
FACTORIZATION(dspecimenf_)
