/* musl_host.c - a program for musl: products of all sizes, in two threads and a child */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

/* Products of matrices of ones: each element of the result is the order. Returns wrong elements. */
static int multiply(int n)
{
	const double one = 1, zero = 0;
	const size_t elements = (size_t)n * (size_t)n;
	double *values = malloc(3 * elements * sizeof *values);
	int wrong = 0;
	if (values == NULL)
		return 1;
	for (size_t i = 0; i < 2 * elements; i++)
		values[i] = 1;
	dgemm_("N", "N", &n, &n, &n, &one, values, &n, values + elements, &n, &zero,
	       values + 2 * elements, &n);
	for (size_t i = 0; i < elements; i++)
		wrong += values[2 * elements + i] != n;
	free(values);
	return wrong;
}

static void *work(void *unused)
{
	static const int orders[] = {1, 16, 200, 3};
	int wrong = 0;
	(void)unused;
	for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
		wrong += multiply(orders[i]);
	printf("products: %d wrong\n", wrong);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	work(NULL);
	if (pthread_create(&thread, NULL, work, NULL) != 0)
		return 1;
	pthread_join(thread, NULL);
	fflush(stdout);
	if (fork() == 0) {
		work(NULL);
		return 0;
	}
	int status = -1;
	wait(&status);
	printf("child: %d\n", status);
	return 0;
}
