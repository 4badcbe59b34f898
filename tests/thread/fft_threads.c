/* fft_threads.c - FFTW from many threads: one shared plan, plans made and destroyed, blocks */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* usage: fft_threads one-plan|plans|blocks ROUNDS */
enum { THREADS = 8, N = 96, ROWS = 3, SIZE = N * ROWS, BLOCK_REALS = 1 << 17 };

static fftw_plan shared, shared_r2c;
static fftw_complex expected[SIZE], expected_r2c[SIZE];
static long rounds;
static atomic_long wrong;

/*
 * The same numbers in each thread and without any, so that results can be compared to the serial
 * one.
 */
static void fill(double *x, int reals, int seed)
{
	for (int i = 0; i < reals; i++)
		x[i] = (double)((i * 37 + seed * 101) % 64) / 64 - 0.5;
}

/*
 * The GPU and the CPU may differ in the last digits, and which one it is may change between two
 * executions.
 */
static bool is_near(const fftw_complex *x, const fftw_complex *wanted, int count)
{
	const double *a = (const double *)x, *b = (const double *)wanted;
	for (int i = 0; i < 2 * count; i++)
		if (!(a[i] - b[i] < 1e-12 && b[i] - a[i] < 1e-12))
			return false;
	return true;
}

static fftw_plan plan_c2c(fftw_complex *in, fftw_complex *out, int sign)
{
	const int n = N;
	return fftw_plan_many_dft(1, &n, ROWS, in, NULL, 1, N, out, NULL, 1, N, sign, FFTW_MEASURE);
}

static fftw_plan plan_r2c(double *in, fftw_complex *out)
{
	return fftw_plan_dft_r2c_2d(ROWS, N, in, out, FFTW_MEASURE);
}

/*
 * One plan, arrays of its own in each thread: cuFFT's plan has one work area, FFTW's is only read.
 */
static void *use_shared_plans(void *unused)
{
	fftw_complex *in = fftw_alloc_complex(SIZE), *out = fftw_alloc_complex(SIZE);
	double *real = fftw_alloc_real(SIZE);
	(void)unused;
	for (long round = 0; round < rounds; round++) {
		fill(*in, 2 * SIZE, 1);
		fftw_execute_dft(shared, in, out);
		wrong += !is_near((const fftw_complex *)out, (const fftw_complex *)expected, SIZE);
		fill(real, SIZE, 1);
		fftw_execute_dft_r2c(shared_r2c, real, out);
		wrong += !is_near((const fftw_complex *)out, (const fftw_complex *)expected_r2c,
		                  ROWS * (N / 2 + 1));
	}
	fftw_free(in);
	fftw_free(out);
	fftw_free(real);
	return NULL;
}

/* Addresses of plans move between threads. FFTW's lock says which planner is in use. */
static void *make_plans(void *unused)
{
	fftw_complex *in = fftw_alloc_complex(SIZE), *out = fftw_alloc_complex(SIZE);
	(void)unused;
	for (long round = 0; round < rounds; round++) {
		fftw_plan forward = plan_c2c(in, out, FFTW_FORWARD),
			  backward = plan_c2c(out, in, FFTW_BACKWARD);
		for (int run = 0; run < 6; run++) {
			fill(*in, 2 * SIZE, 1);
			fftw_execute(forward);
			wrong += !is_near((const fftw_complex *)out, (const fftw_complex *)expected,
			                  SIZE);
			fftw_execute_dft(shared, in, out);
			wrong += !is_near((const fftw_complex *)out, (const fftw_complex *)expected,
			                  SIZE);
			fftw_execute(backward);
			fftw_execute(forward);
			wrong += !(out[0][0] - N * expected[0][0] < 1e-9 &&
			           N * expected[0][0] - out[0][0] < 1e-9);
		}
		fftw_destroy_plan(backward);
		fftw_destroy_plan(forward);
	}
	fftw_free(in);
	fftw_free(out);
	return NULL;
}

/* Each block is used by the GPU once, as input and as output of one transform in place. */
static void *use_blocks(void *number)
{
	for (long round = 0; round < rounds; round++) {
		double *block = fftw_alloc_real(BLOCK_REALS),
		       *spare = fftw_malloc(BLOCK_REALS * sizeof *spare);
		fftw_complex *in = (fftw_complex *)block, *out = in + SIZE;
		fill(*in, 2 * SIZE, 1);
		spare[round % BLOCK_REALS] = *(const int *)number;
		fftw_execute_dft(shared, in, out);
		wrong += !is_near((const fftw_complex *)out, (const fftw_complex *)expected, SIZE);
		fftw_free(round % 2 == 0 ? block : spare);
		fftw_free(round % 2 == 0 ? spare : block);
	}
	return NULL;
}

static void run_threads(void *(*body)(void *))
{
	pthread_t thread[THREADS];
	int number[THREADS];
	for (int i = 0; i < THREADS; i++) {
		number[i] = i;
		pthread_create(&thread[i], NULL, body, &number[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* The serial results, by plans that nobody else uses. */
static void expect_results(void)
{
	fftw_complex *in = fftw_alloc_complex(SIZE);
	fftw_plan c2c = plan_c2c(in, expected, FFTW_FORWARD), r2c = plan_r2c(*in, expected_r2c);
	fill(*in, 2 * SIZE, 1);
	fftw_execute(c2c);
	fill(*in, SIZE, 1);
	fftw_execute(r2c);
	fftw_destroy_plan(c2c);
	fftw_destroy_plan(r2c);
	fftw_free(in);
}

int main(int count, char **arguments)
{
	fftw_complex *in = fftw_alloc_complex(SIZE), *out = fftw_alloc_complex(SIZE);
	if (count != 3)
		return 2;
	rounds = atol(arguments[2]);
	const bool plans = strcmp(arguments[1], "plans") == 0,
		   blocks = strcmp(arguments[1], "blocks") == 0;
	if (plans)
		fftw_make_planner_thread_safe();
	shared = plan_c2c(in, out, FFTW_FORWARD);
	shared_r2c = plan_r2c(*in, out);
	expect_results();
	run_threads(plans ? make_plans : blocks ? use_blocks : use_shared_plans);
	printf("%s: %ld wrong results\n", arguments[1], atomic_load(&wrong));
	fftw_destroy_plan(shared);
	fftw_destroy_plan(shared_r2c);
	fftw_free(in);
	fftw_free(out);
	return wrong != 0;
}
