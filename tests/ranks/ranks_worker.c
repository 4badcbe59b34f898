/* ranks_worker.c - updates a matrix by blocks, as the ranks of a distributed factorization do */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

enum { WORKER_ORDER = 400, WORKER_BLOCK = 80, WORKER_CALLS = 10 };

/* Of blocks of ones each call adds WORKER_BLOCK to each element. */
int main(void)
{
	const int n = WORKER_ORDER, k = WORKER_BLOCK;
	const size_t order = (size_t)n, block = (size_t)k;
	const double one = 1;
	double *left = malloc(order * block * sizeof *left);
	double *sum = calloc(order * order, sizeof *sum);
	int wrong = left == NULL || sum == NULL;
	for (size_t i = 0; i < order * block && wrong == 0; i++)
		left[i] = 1;
	for (int call = 0; call < WORKER_CALLS && wrong == 0; call++)
		dgemm_("N", "N", &n, &n, &k, &one, left, &n, left, &k, &one, sum, &n);
	for (size_t i = 0; i < order * order && wrong == 0; i++)
		wrong = sum[i] != WORKER_CALLS * WORKER_BLOCK;
	puts(wrong == 0 ? "right" : "wrong");
	free(left);
	free(sum);
	return wrong;
}
