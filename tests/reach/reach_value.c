/* reach_value.c - calls bare names with arguments by value: arguments and result are unchanged */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

void dgemm(char transa, char transb, int m, int n, int k, double alpha, double *a, int lda,
           double *b, int ldb, double beta, double *c, int ldc);
double DGEMM(double a, double b, double c, double d, double e, double f, double g, double h, int i,
             int j, int k, int l, int m, int n, int o, int p, double q, double r, int s);

int main(void)
{
	for (int round = 0; round < 3; round++) {
		double a[2] = {2 + round}, b[2] = {3}, c[3] = {1};
		/* Sizes whose values are not readable addresses. */
		dgemm('N', 'T', 1, 2, 3 + round, 0.5, a, 4, b, 5, 0.25, c, 6);
		printf("%g %g %g\n", c[0], c[1], c[2]);
		printf("%.3f\n", DGEMM(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17.5,
		                       18.5, 19 + round));
	}
	return 0;
}
