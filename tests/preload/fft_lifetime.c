/* fft_lifetime.c - plans made and destroyed at one address, NULL, cleanup beside live plans */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 2000, LENGTH_MAX = 24 };

static long failures, executed;

/* A pure tone: its transform is n at one frequency and 0 elsewhere. */
static void fill_tone(fftw_complex *x, int n, int tone)
{
	const double turn = 2 * acos(-1.0) * tone / n;
	for (int i = 0; i < n; i++) {
		x[i][0] = cos(turn * i);
		x[i][1] = sin(turn * i);
	}
}

static void expect_tone(const char *where, const fftw_complex *x, int n, int tone)
{
	for (int i = 0; i < n; i++)
		if (!(fabs(x[i][0] - (i == tone ? n : 0)) < 1e-11 && fabs(x[i][1]) < 1e-11)) {
			printf("WRONG %s: n %d, element %d is %g %g\n", where, n, i, x[i][0],
			       x[i][1]);
			failures++;
			return;
		}
}

static void run(const char *where, fftw_plan plan, fftw_complex *in, fftw_complex *out, int n,
                int tone)
{
	fill_tone(in, n, tone);
	memset(out, 0x7f, (size_t)n * sizeof *out);
	fftw_execute(plan);
	executed++;
	expect_tone(where, out, n, tone);
}

/*
 * Plans of two sizes alternate: data kept for a plan of one size must not serve a plan of the other
 * size at the same address.
 */
static void alternate(fftw_complex *in, fftw_complex *out)
{
	for (int round = 0; round < ROUNDS; round++) {
		const int n = round % 2 == 0 ? 8 : 24;
		fftw_plan plan = fftw_plan_dft_1d(n, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
		run("alternate", plan, in, out, n, round % n);
		fftw_destroy_plan(plan);
	}
}

/* The same for plans that differ in direction or in arrays. */
static void alternate_direction(fftw_complex *in, fftw_complex *out)
{
	for (int round = 0; round < 200; round++) {
		fftw_plan plan = fftw_plan_dft_1d(
			12, in, out, round % 2 ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
		fill_tone(in, 12, 3);
		fftw_execute(plan);
		executed++;
		expect_tone("direction", (const fftw_complex *)out, 12, round % 2 ? 3 : 9);
		fftw_destroy_plan(plan);
		fftw_complex *swap = in;
		in = out;
		out = swap;
	}
}

static void many_at_once(fftw_complex *in, fftw_complex *out)
{
	enum { PLANS = 300 };
	static fftw_plan plans[PLANS];
	for (int i = 0; i < PLANS; i++)
		plans[i] =
			fftw_plan_dft_1d(1 + i % LENGTH_MAX, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	for (int i = PLANS - 1; i >= 0; i--)
		run("many", plans[i], in, out, 1 + i % LENGTH_MAX, 0);
	for (int i = 0; i < PLANS; i += 2)
		fftw_destroy_plan(plans[i]);
	for (int i = 1; i < PLANS; i += 2) {
		run("left", plans[i], in, out, 1 + i % LENGTH_MAX, 0);
		fftw_destroy_plan(plans[i]);
	}
}

/*
 * fftw_cleanup discards FFTW's wisdom. Plans that outlive it must not be used; a plan may be
 * destroyed before it.
 */
static void clean_up(fftw_complex *in, fftw_complex *out)
{
	fftw_cleanup();
	for (int round = 0; round < 3; round++) {
		fftw_plan live = fftw_plan_dft_1d(16, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
		run("before cleanup", live, in, out, 16, 5);
		if (round > 0)
			fftw_destroy_plan(live);
		fftw_cleanup();
	}
	fftw_plan after = fftw_plan_dft_1d(9, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	run("after cleanup", after, in, out, 9, 4);
	fftw_destroy_plan(after);
}

int main(void)
{
	fftw_complex *in = fftw_malloc(LENGTH_MAX * sizeof *in),
		     *out = fftw_malloc(LENGTH_MAX * sizeof *out);
	fftw_destroy_plan(NULL);
	alternate(in, out);
	alternate_direction(in, out);
	many_at_once(in, out);
	clean_up(in, out);
	fftw_destroy_plan(NULL);
	fftw_free(in);
	fftw_free(out);
	printf("call fftw_execute %ld\n%ld failures\n", executed, failures);
	return failures != 0;
}
