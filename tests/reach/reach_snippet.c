/* reach_snippet.c - small and large dgemm_ and cblas_dgemm of the linked BLAS */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc);

static double checksum(const double *c, int size)
{
	double sum = 0;
	for (int i = 0; i < size * size; i++)
		sum += c[i] * (1 + i % 7);
	return sum;
}

static void run(int size)
{
	const double alpha = 2, beta = -1;
	double *all = malloc(3 * sizeof(double) * (size_t)size * (size_t)size);
	double *a = all, *b = a + size * size, *c = b + size * size;
	for (int i = 0; i < 3 * size * size; i++)
		all[i] = i % 13 - 6;
	dgemm_("N", "T", &size, &size, &size, &alpha, a, &size, b, &size, &beta, c, &size);
	printf("dgemm_ %d: %.17g\n", size, checksum(c, size));
	cblas_dgemm(101, 112, 111, size, size, size, alpha, a, size, b, size, beta, c, size);
	printf("cblas_dgemm %d: %.17g\n", size, checksum(c, size));
	free(all);
}

int main(void)
{
	run(3);
	run(40);
	run(700);
	run(3);
	printf("call dgemm_ 4\ncall cblas_dgemm 4\n");
	return 0;
}
