/* auto_library.c - a BLAS of one routine in plain loops: the reference for the GPU's results */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length);

/* As gemm does it: beta 0 reads nothing of C. */
static double scale(double beta, double value)
{
	return beta == 0 ? 0 : beta * value;
}

/* Neither operand is transposed: the program does not ask for it. */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length)
{
	(void)transa, (void)transb, (void)transa_length, (void)transb_length;
	for (ptrdiff_t j = 0; j < *n; j++) {
		double *column = c + j * *ldc;
		for (ptrdiff_t i = 0; i < *m; i++)
			column[i] = scale(*beta, column[i]);
		for (ptrdiff_t l = 0; l < *k; l++)
			for (ptrdiff_t i = 0; i < *m; i++)
				column[i] += *alpha * a[i + l * *lda] * b[l + j * *ldb];
	}
}
