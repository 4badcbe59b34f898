/* fft_many_plans.c - more plans than one table holds; reused addresses; cleanup, live plans */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft_tone.h"

enum { N = 16, SOME = 3000, ROUNDS = 300 };

static fftw_complex *in, *out;
static double *real;
static fftwf_complex *narrow;

static bool execute_tone(fftw_plan plan, int tone, int peak)
{
	tone_fill(in, N, tone);
	fftw_execute(plan);
	return tone_is_peak((const fftw_complex *)out, N, peak, N);
}

static fftw_plan make_plan(int number)
{
	return fftw_plan_dft_1d(N, in, out, number % 2 != 0 ? FFTW_BACKWARD : FFTW_FORWARD,
	                        FFTW_ESTIMATE);
}

/* gpu_fftw has room for no more than 1,024 plans. */
static void hold_plans(int count, int step)
{
	fftw_plan *plans = malloc((size_t)count * sizeof(fftw_plan));
	bool right = true;
	for (int i = 0; i < count; i++)
		right = (plans[i] = make_plan(i)) != NULL && right;
	for (int i = 0; i < count; i += step)
		right = execute_tone(plans[i], 3, i % 2 != 0 ? N - 3 : 3) && right;
	/* Plans are destroyed from both ends alternately; those left between must still work. */
	for (int i = 0; i < count / 4; i++) {
		fftw_destroy_plan(plans[i]);
		fftw_destroy_plan(plans[count - 1 - i]);
	}
	for (int i = count / 4; i < count - count / 4; i += step)
		right = execute_tone(plans[i], 5, i % 2 != 0 ? N - 5 : 5) && right;
	for (int i = count / 4; i < count - count / 4; i++)
		fftw_destroy_plan(plans[i]);
	printf("%d plans at once: %s\n", count, right ? "right" : "WRONG");
	tone_failures += !right;
	free(plans);
}

static bool execute_narrow(void)
{
	fftwf_plan plan = fftwf_plan_dft_1d(N, narrow, narrow, FFTW_FORWARD, FFTW_ESTIMATE);
	for (int k = 0; k < N; k++) {
		narrow[k][0] = 1;
		narrow[k][1] = 0;
	}
	fftwf_execute(plan);
	fftwf_destroy_plan(plan);
	return fabsf(narrow[0][0] - N) < 1e-5f && fabsf(narrow[1][0]) < 1e-5f;
}

static bool execute_r2r(void)
{
	fftw_plan plan = fftw_plan_r2r_1d(N, real, real, FFTW_R2HC, FFTW_ESTIMATE);
	tone_fill_real(real, N, 2);
	fftw_execute(plan);
	fftw_destroy_plan(plan);
	return fabs(real[2] - N / 2.0) < 1e-12 && fabs(real[3]) < 1e-12;
}

static bool execute_r2c(void)
{
	fftw_plan plan = fftw_plan_dft_r2c_1d(N, real, out, FFTW_ESTIMATE);
	tone_fill_real(real, N, 2);
	fftw_execute(plan);
	fftw_destroy_plan(plan);
	return tone_is_peak((const fftw_complex *)out, N / 2 + 1, 2, N / 2.0);
}

/*
 * malloc returns an address again: data kept for a plan must not serve a later plan of another kind
 * or precision.
 */
static void reuse_addresses(void)
{
	bool right = true;
	for (int i = 0; i < ROUNDS; i++) {
		fftw_plan plan = make_plan(i);
		right = execute_tone(plan, 3, i % 2 != 0 ? N - 3 : 3) && right;
		fftw_destroy_plan(plan);
		right = execute_narrow() && execute_r2r() && execute_r2c() && right;
	}
	tone_tell("addresses used again", right);
}

/*
 * FFTW leaves plans that outlive a cleanup undefined, but programs with late destructors execute
 * and destroy them.
 */
static void clean_up(void)
{
	fftw_plan early = make_plan(0), late = make_plan(1);
	fftwf_plan other = fftwf_plan_dft_1d(N, narrow, narrow, FFTW_FORWARD, FFTW_ESTIMATE);
	tone_tell("before cleanup", execute_tone(early, 4, 4) && execute_tone(late, 4, N - 4));
	fftw_destroy_plan(early);
	fftw_cleanup();
	tone_tell("a live plan after cleanup", execute_tone(late, 6, N - 6));
	fftw_destroy_plan(late);
	fftw_plan next = make_plan(0);
	tone_tell("a plan after cleanup", execute_tone(next, 6, 6));
	for (int k = 0; k < N; k++)
		narrow[k][0] = narrow[k][1] = 1;
	fftwf_execute(other);
	tone_tell("another precision's plan", fabsf(narrow[0][0] - N) < 1e-5f);
	fftwf_destroy_plan(other);
	fftw_cleanup();
	fftw_cleanup();
	fftw_destroy_plan(next);
}

int main(int count, char **arguments)
{
	const int crowd = count > 1 ? atoi(arguments[1]) : SOME;
	in = fftw_alloc_complex(N);
	out = fftw_alloc_complex(N);
	real = fftw_alloc_real(N);
	narrow = fftwf_alloc_complex(N);
	hold_plans(crowd, crowd / 100);
	reuse_addresses();
	clean_up();
	return tone_failures != 0;
}
