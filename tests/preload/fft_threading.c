/* fft_threading.c - FFTW's thread functions reach the library that the program was linked with */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fft_tone.h"

enum { SIDE = 128, SIZE = SIDE * SIDE };

static fftw_complex *in, *out;
static double *real, *other_real;
static int loops;

/* A callback for fftw_threads_set_callback: runs the jobs of FFTW's loop one after another. */
static void run_loop(void *(*work)(char *), char *data, size_t size, int jobs, void *counter)
{
	++*(int *)counter;
	for (int i = 0; i < jobs; i++)
		work(data + size * (size_t)i);
}

static bool run_c2c(unsigned flags)
{
	fftw_plan plan = fftw_plan_dft_2d(SIDE, SIDE, in, out, FFTW_FORWARD, flags);
	tone_fill(in, SIZE, SIDE * 3);
	fftw_execute(plan);
	fftw_destroy_plan(plan);
	return tone_is_peak((const fftw_complex *)out, SIZE, 3, SIZE);
}

/* Stays on the CPU, where FFTW's threads run. */
static bool run_r2r(unsigned flags)
{
	fftw_plan plan =
		fftw_plan_r2r_2d(SIDE, SIDE, real, other_real, FFTW_R2HC, FFTW_R2HC, flags);
	for (int i = 0; i < SIZE; i++)
		real[i] = 1;
	fftw_execute(plan);
	fftw_destroy_plan(plan);
	return fabs(other_real[0] - SIZE) < 1e-9 && fabs(other_real[1]) < 1e-9;
}

static void run_both(const char *what, unsigned flags)
{
	printf("%s, %d threads\n", what, fftw_planner_nthreads());
	tone_tell("c2c", run_c2c(flags));
	tone_tell("r2r", run_r2r(flags));
}

int main(void)
{
	in = fftw_alloc_complex(SIZE);
	out = fftw_alloc_complex(SIZE);
	real = fftw_alloc_real(SIZE);
	other_real = fftw_alloc_real(SIZE);
	printf("init_threads %d\n", fftw_init_threads());
	run_both("at first", FFTW_ESTIMATE);
	fftw_plan_with_nthreads(3);
	run_both("with threads", FFTW_ESTIMATE);
	run_both("measured", FFTW_MEASURE);
	fftw_make_planner_thread_safe();
	run_both("thread-safe", FFTW_ESTIMATE);
	fftw_threads_set_callback(run_loop, &loops);
	run_both("by a loop of the program's", FFTW_ESTIMATE);
	tone_tell("the loop was used", loops > 0);
	fftw_threads_set_callback(NULL, NULL);
	fftw_plan_with_nthreads(1);
	run_both("at last", FFTW_ESTIMATE);
	fftw_cleanup_threads();
	tone_tell("after cleanup_threads", run_c2c(FFTW_ESTIMATE));
	fftw_free(in);
	fftw_free(out);
	fftw_free(real);
	fftw_free(other_real);
	return tone_failures != 0;
}
