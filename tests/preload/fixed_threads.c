/* fixed_threads.c - threads that multiply, solve, transform; prints checksums of result bits */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cblas.h>
#include <complex.h>
#include <fftw3.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../driver/fixed_bits.h"

enum { THREADS = 5, KINDS = 5, ROUNDS = 2, SIDE = 260, POINTS = 1500, TRANSFORMS = 30 };

static uint64_t hashes[THREADS][ROUNDS][KINDS];
static fftw_plan plans[THREADS];
static fftw_complex *in[THREADS], *out[THREADS];
static pthread_barrier_t barrier;

static double *make_doubles(size_t count, uint64_t seed)
{
	double *array = malloc(count * sizeof *array);
	for (size_t i = 0; i < count; i++)
		array[i] = fixed_bits_number(seed + i);
	return array;
}

static float *make_floats(size_t count, uint64_t seed)
{
	float *array = malloc(count * sizeof *array);
	for (size_t i = 0; i < count; i++)
		array[i] = (float)fixed_bits_number(seed + i);
	return array;
}

static uint64_t run_dgemm(uint64_t seed)
{
	const size_t count = (size_t)SIDE * SIDE;
	double *a = make_doubles(count, seed), *b = make_doubles(count, seed + count);
	double *c = make_doubles(count, seed + 2 * count);
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, SIDE, SIDE, SIDE, 0.75, a, SIDE, b,
	            SIDE, 1.25, c, SIDE);
	const uint64_t hash = fixed_bits_hash(c, count * sizeof *c);
	free(a);
	free(b);
	free(c);
	return hash;
}

static uint64_t run_sgemm(uint64_t seed)
{
	const size_t count = (size_t)SIDE * SIDE;
	float *a = make_floats(count, seed), *b = make_floats(count, seed + count);
	float *c = make_floats(count, seed + 2 * count);
	cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 0.75F, a, SIDE, b,
	            SIDE, 1.25F, c, SIDE);
	const uint64_t hash = fixed_bits_hash(c, count * sizeof *c);
	free(a);
	free(b);
	free(c);
	return hash;
}

static uint64_t run_zherk(uint64_t seed)
{
	const size_t count = (size_t)SIDE * SIDE;
	double *a = make_doubles(2 * count, seed), *c = make_doubles(2 * count, seed + 2 * count);
	cblas_zherk(CblasColMajor, CblasLower, CblasNoTrans, SIDE, SIDE, 0.75, a, SIDE, 1.25, c,
	            SIDE);
	const uint64_t hash = fixed_bits_hash(c, 2 * count * sizeof *c);
	free(a);
	free(c);
	return hash;
}

static uint64_t run_dtrsm(uint64_t seed)
{
	const size_t count = (size_t)SIDE * SIDE;
	double *a = make_doubles(count, seed), *c = make_doubles(count, seed + count);
	for (size_t i = 0; i < SIDE; i++)
		a[i * (SIDE + 1)] += SIDE;
	cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, SIDE, SIDE,
	            0.75, a, SIDE, c, SIDE);
	const uint64_t hash = fixed_bits_hash(c, count * sizeof *c);
	free(a);
	free(c);
	return hash;
}

static uint64_t run_fft(int thread, uint64_t seed)
{
	const size_t count = (size_t)POINTS * TRANSFORMS;
	for (size_t i = 0; i < count; i++)
		in[thread][i] =
			fixed_bits_number(seed + 2 * i) + fixed_bits_number(seed + 2 * i + 1) * I;
	fftw_execute(plans[thread]);
	return fixed_bits_hash(out[thread], count * sizeof *out[thread]);
}

static uint64_t run_kind(int thread, int kind, uint64_t seed)
{
	switch (kind) {
	case 0: return run_dgemm(seed);
	case 1: return run_sgemm(seed);
	case 2: return run_zherk(seed);
	case 3: return run_dtrsm(seed);
	default: return run_fft(thread, seed);
	}
}

/* Each thread begins with another kind of call, so that different kinds run at once. */
static void *run_thread(void *argument)
{
	const int thread = (int)(intptr_t)argument;
	pthread_barrier_wait(&barrier);
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < KINDS; i++) {
			const int kind = (thread + i) % KINDS;
			hashes[thread][round][kind] = run_kind(
				thread, kind,
				(uint64_t)((thread * ROUNDS + round) * KINDS + kind) << 32);
		}
	return NULL;
}

/* FFTW's planner is not thread-safe. */
static void make_plan(int thread)
{
	const int n = POINTS;
	in[thread] = fftw_malloc(sizeof(fftw_complex) * POINTS * TRANSFORMS);
	out[thread] = fftw_malloc(sizeof(fftw_complex) * POINTS * TRANSFORMS);
	plans[thread] = fftw_plan_many_dft(1, &n, TRANSFORMS, in[thread], NULL, 1, n, out[thread],
	                                   NULL, 1, n, FFTW_FORWARD, FFTW_ESTIMATE);
}

int main(void)
{
	pthread_t thread[THREADS];
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		make_plan(i);
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run_thread, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < THREADS; i++) {
		for (int round = 0; round < ROUNDS; round++)
			for (int kind = 0; kind < KINDS; kind++)
				printf("%d %d %d %016llx\n", i, round, kind,
				       (unsigned long long)hashes[i][round][kind]);
		fftw_destroy_plan(plans[i]);
		fftw_free(in[i]);
		fftw_free(out[i]);
	}
	return 0;
}
