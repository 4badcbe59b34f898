/* reach_many.c - many small calls, by Fortran's and CBLAS's name in turn: each is counted once */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc);

int main(void)
{
	const double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, one = 1, half = 0.5;
	const int size = 3;
	double c[9] = {0};
	for (int i = 0; i < 500; i++) {
		cblas_dgemm(101, 112, 111, size, size, size, one, a, size, a, size, half, c, size);
		if (i % 2 == 0)
			dgemm_("N", "T", &size, &size, &size, &one, a, &size, a, &size, &half, c,
			       &size);
	}
	printf("%.17g %.17g\n", c[0], c[8]);
	return 0;
}
