/* auto_threads.c - products of many threads, decided by time while the GPU starts */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/thread/thread_counters.h"

/*
 * usage: auto_threads [verified]: one round, or until a call on the GPU was verified. The
 * environment sets the rest.
 */
enum { THREADS = 8, CALLS = 45, ORDER_MAX = 96 };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length);

/* Of several buckets and shapes, from what is over at once to what is worth a plan. */
static const int sizes[][3] = {{3, 3, 3},    {8, 8, 8},   {24, 24, 24}, {50, 50, 50}, {64, 64, 64},
                               {96, 96, 96}, {96, 3, 96}, {96, 96, 2},  {5, 90, 33}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

struct operands {
	double a[ORDER_MAX * ORDER_MAX], b[ORDER_MAX * ORDER_MAX], c[ORDER_MAX * ORDER_MAX];
};

static atomic_long wrong;

/*
 * Whole numbers, so that sums are exact in any order: each row of A is one number, each column of B
 * another.
 */
static double row_value(int i)
{
	return i % 7 - 3;
}

static double column_value(int j)
{
	return j % 5 + 1;
}

static void run_product(struct operands *x, int m, int n, int k, double beta)
{
	const double alpha = 2;
	long differing = 0;
	for (int i = 0; i < m * k; i++)
		x->a[i] = row_value(i % m);
	for (int i = 0; i < k * n; i++)
		x->b[i] = column_value(i / k);
	for (int i = 0; i < m * n; i++)
		x->c[i] = i;
	dgemm_("N", "N", &m, &n, &k, &alpha, x->a, &m, x->b, &k, &beta, x->c, &m, 1, 1);
	for (int i = 0; i < m * n; i++)
		differing +=
			x->c[i] != alpha * k * row_value(i % m) * column_value(i / m) + beta * i;
	wrong += differing;
}

static void *run_thread(void *number)
{
	struct operands *operands = malloc(sizeof *operands);
	if (operands == NULL)
		abort();
	for (int call = 0; call < CALLS; call++) {
		const int *size = sizes[(call + *(const int *)number) % SIZES];
		run_product(operands, size[0], size[1], size[2], call % 2);
	}
	free(operands);
	return NULL;
}

static void run_round(void)
{
	pthread_t thread[THREADS];
	int number[THREADS];
	for (int i = 0; i < THREADS; i++) {
		number[i] = i;
		if (pthread_create(&thread[i], NULL, run_thread, &number[i]) != 0)
			abort();
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

int main(int count, char **arguments)
{
	const bool until_verified = count > 1 && strcmp(arguments[1], "verified") == 0;
	char folder[] = "/tmp/gpushim-auto-threads-XXXXXX";
	const struct counters_file *file = NULL;
	long long made = 0;
	if (mkdtemp(folder) == NULL)
		return 1;
	setenv("EPOCHLY_GPU_COUNTERS", folder, 1);
	do {
		run_round();
		made += (long long)THREADS * CALLS;
		if (file == NULL)
			file = thread_counters_map(folder);
	} while (file != NULL && wrong == 0 && until_verified &&
	         atomic_load(&file->totals.verified) == 0);
	if (file == NULL) {
		printf("no counters file in %s\n", folder);
		return 1;
	}
	const long long counted = thread_counters_forwarded(file, SYMBOL_dgemm_) +
	                          thread_counters_decided(file, SYMBOL_dgemm_);
	printf("%lld calls, %lld counted, %lld on the GPU, %lld verified, %lld looks, %ld wrong "
	       "numbers\n",
	       made, counted, (long long)atomic_load(&file->totals.offloads),
	       (long long)atomic_load(&file->totals.verified),
	       (long long)atomic_load(&file->totals.looks), atomic_load(&wrong));
	const bool failed =
		wrong != 0 || counted != made ||
		atomic_load(
			&counters_find_cell(file, SYMBOL_dgemm_, REASON_VERIFY_FAILED)->calls) != 0;
	thread_counters_empty_folder(folder);
	return failed;
}
