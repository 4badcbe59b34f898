/* reach_bare.c - calls dgemm of a library where it is the Fortran routine */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

void dgemm(const char *transa, const char *transb, const int *m, const int *n, const int *k,
           const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
           const double *beta, double *c, const int *ldc);

int main(void)
{
	const int m = 3, n = 2, k = 4, ld = 5;
	const double alpha = 0.5, beta = 2;
	for (int round = 0; round < 4; round++) {
		double a[20], b[20], c[10];
		for (int i = 0; i < 20; i++) {
			a[i] = i % 7 + round;
			b[i] = i % 5 - 2;
		}
		for (int i = 0; i < 10; i++)
			c[i] = 100 + i;
		dgemm("N", "N", &m, &n, &k, &alpha, a, &ld, b, &ld, &beta, c, &ld);
		for (int i = 0; i < 10; i++)
			printf("%g ", c[i]);
		printf("\n");
	}
	printf("call dgemm 4\n");
	return 0;
}
