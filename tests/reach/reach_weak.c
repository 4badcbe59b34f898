/* reach_weak.c - a program with a weak reference to dgemm_ and no BLAS */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

__attribute__((weak)) void dgemm_(const char *transa, const char *transb, const int *m,
                                  const int *n, const int *k, const double *alpha, const double *a,
                                  const int *lda, const double *b, const int *ldb,
                                  const double *beta, double *c, const int *ldc);

int main(void)
{
	const int two = 2;
	const double alpha = 1, beta = 0, a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
	double c[4] = {0};
	if (dgemm_ == NULL) {
		printf("no dgemm_\n");
		return 0;
	}
	dgemm_("N", "N", &two, &two, &two, &alpha, a, &two, b, &two, &beta, c, &two);
	printf("%g %g %g %g\n", c[0], c[1], c[2], c[3]);
	return 0;
}
