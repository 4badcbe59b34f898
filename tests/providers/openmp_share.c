/* openmp_share.c - shared calls and OpenMP: how many threads run, and which threads there are */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openmp_watch.h"

/*
 * usage: openmp_share MOST [region [batch] | nested]
 *
 * Multiplies matrices again and again: with one call at a time, whose threads are the library's, or
 * (region) with a call of each thread of a parallel region, or (nested) of regions in one another.
 * batch: with batches of two products, which the libraries lack, and the shim has. Meanwhile a
 * thread looks at the others (openmp_watch.h).
 */
enum { ORDER = 384, CALLS = 24, PROBLEMS = 2 };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

/* NULL without the shim. */
static void (*strided)(const char *transa, const char *transb, const int *m, const int *n,
                       const int *k, const double *alpha, const double *a, const int *lda,
                       const int *stridea, const double *b, const int *ldb, const int *strideb,
                       const double *beta, double *c, const int *ldc, const int *stridec,
                       const int *problems);

static bool batch;

static double *make_matrix(int seed)
{
	double *matrix = malloc(sizeof *matrix * PROBLEMS * ORDER * ORDER);
	if (matrix == NULL)
		exit(1);
	for (int i = 0; i < PROBLEMS * ORDER * ORDER; i++)
		matrix[i] = (i * 7 + i / ORDER + seed) % 5 - 2;
	return matrix;
}

static void multiply_once(const double *a, const double *b, const double *beta, double *c)
{
	static const double one = 1;
	static const int n = ORDER, apart = ORDER * ORDER, problems = PROBLEMS;
	if (batch && strided != NULL) {
		strided("N", "T", &n, &n, &n, &one, a, &n, &apart, b, &n, &apart, beta, c, &n,
		        &apart, &problems);
		return;
	}
	for (int i = 0; i < (batch ? PROBLEMS : 1); i++)
		dgemm_("N", "T", &n, &n, &n, &one, a + i * apart, &n, b + i * apart, &n, beta,
		       c + i * apart, &n);
}

/* Whole numbers, whose products are exact. */
static double multiply(int seed)
{
	static const double one = 1, zero = 0;
	double *a = make_matrix(seed), *b = make_matrix(seed + 1), *c = make_matrix(0), sum = 0;
	for (int call = 0; call < CALLS; call++)
		multiply_once(a, b, call % 2 == 0 ? &zero : &one, c);
	for (int i = 0; i < (batch ? PROBLEMS : 1) * ORDER * ORDER; i++)
		sum += c[i] * (i % 17 + 1);
	free(a);
	free(b);
	free(c);
	return sum;
}

/* The threads of a team within a team of one, and teams of one within a team. */
static double multiply_nested(void)
{
	const int threads = omp_get_max_threads();
	double sum = 0;
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(threads) reduction(+ : sum)
	sum += multiply(omp_get_thread_num());
#pragma omp parallel num_threads(threads) reduction(+ : sum)
	{
		const int number = omp_get_thread_num();
#pragma omp parallel num_threads(1) reduction(+ : sum)
		sum += multiply(number);
	}
	return sum;
}

int main(int argc, char **argv)
{
	const char *where = argc > 2 ? argv[2] : "";
	const bool region = strcmp(where, "region") == 0;
	double sum = 0;
	batch = argc > 3 && strcmp(argv[3], "batch") == 0;
	void *found = dlsym(RTLD_DEFAULT, "dgemm_batch_strided_");
	memcpy(&strided, &found, sizeof strided);
	multiply(1); /* CUDA has started, and so have the library's threads */
	watch_begin(argc > 1 ? atoi(argv[1]) : 1);
	if (strcmp(where, "nested") == 0)
		sum = multiply_nested();
	else if (!region)
		sum = multiply(3);
#pragma omp parallel if (region) reduction(+ : sum)
	if (region)
		sum += multiply(omp_get_thread_num());
	watch_end();
	printf("sum %.0f\n", sum);
	return 0;
}
