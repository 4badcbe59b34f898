/* reach_symbolic.c - calls a -Bsymbolic library from outside and from within */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void outer_gemm(double *c);

int main(void)
{
	const int two = 2;
	const double one = 1, x[4] = {1};
	double c[4] = {0}, d[4] = {0};
	dgemm_("N", "N", &two, &two, &two, &one, x, &two, x, &two, &one, c, &two);
	outer_gemm(d);
	printf("%g %g\n", c[0], d[0]);
	return 0;
}
