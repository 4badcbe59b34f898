/* openmp_turns.c - shared batches of transforms and OpenMP: how many threads run */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openmp_watch.h"

/*
 * usage: openmp_turns MOST [region | nested]
 *
 * Executes plans again and again: one of all of OpenMP's threads, or (region) one of each thread of
 * a parallel region, or (nested) of regions in one another. Meanwhile a thread looks at the others.
 */
enum { N = 2048, COUNT = 150, CALLS = 24, TEAM_MAX = 64 };

struct batch {
	fftw_complex *in, *out;
	fftw_plan plan;
};

/* Transform j is that of j + 1 at 0: j + 1 everywhere. */
static struct batch make(int threads)
{
	const int n = N;
	struct batch made = {.in = fftw_alloc_complex((size_t)COUNT * N),
	                     .out = fftw_alloc_complex((size_t)COUNT * N)};
	if (made.in == NULL || made.out == NULL)
		exit(1);
	fftw_plan_with_nthreads(threads);
	made.plan = fftw_plan_many_dft(1, &n, COUNT, made.in, NULL, 1, n, made.out, NULL, 1, n,
	                               FFTW_FORWARD, FFTW_ESTIMATE);
	memset(made.in, 0, sizeof(fftw_complex) * COUNT * N);
	for (int j = 0; j < COUNT; j++)
		made.in[(size_t)j * N][0] = j + 1;
	return made;
}

/* The sum of all, rounded. */
static double execute(const struct batch *batch)
{
	double sum = 0;
	for (int call = 0; call < CALLS; call++)
		fftw_execute(batch->plan);
	for (size_t i = 0; i < (size_t)COUNT * N; i++)
		sum += batch->out[i][0];
	return sum;
}

static double execute_nested(const struct batch own[], int threads)
{
	double sum = 0;
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(threads) reduction(+ : sum)
	sum += execute(&own[omp_get_thread_num()]);
#pragma omp parallel num_threads(threads) reduction(+ : sum)
	{
		const int number = omp_get_thread_num();
#pragma omp parallel num_threads(1) reduction(+ : sum)
		sum += execute(&own[number]);
	}
	return sum;
}

int main(int argc, char **argv)
{
	static struct batch own[TEAM_MAX];
	const int threads = omp_get_max_threads();
	const char *where = argc > 2 ? argv[2] : "";
	double sum = 0;
	if (threads > TEAM_MAX || !fftw_init_threads())
		return 1;
	const struct batch together = make(threads);
	for (int i = 0; i < threads; i++)
		own[i] = make(1);
	execute(&together); /* CUDA has started, and so have FFTW's threads */
	watch_begin(argc > 1 ? atoi(argv[1]) : 1);
	if (strcmp(where, "nested") == 0)
		sum = execute_nested(own, threads);
	else if (strcmp(where, "region") != 0)
		sum = execute(&together);
	else
#pragma omp parallel num_threads(threads) reduction(+ : sum)
		sum += execute(&own[omp_get_thread_num()]);
	watch_end();
	printf("sum %.0f\n", sum);
	return 0;
}
