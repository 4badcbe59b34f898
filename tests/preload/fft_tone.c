/* fft_tone.c - pure tones in double precision, whose transforms are known */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_tone.h"

#include <math.h>
#include <stdio.h>

int tone_failures;

static double tone_turn(int n, int tone, int k)
{
	return 2 * acos(-1.0) * ((long)tone * k % n) / n;
}

/* Error bound of sums of n terms of size 1. */
static double tone_bound(int n, double size)
{
	return 1e-13 * (n + fabs(size));
}

void tone_fill(fftw_complex *x, int n, int tone)
{
	for (int k = 0; k < n; k++) {
		x[k][0] = cos(tone_turn(n, tone, k));
		x[k][1] = sin(tone_turn(n, tone, k));
	}
}

void tone_fill_real(double *x, int n, int tone)
{
	for (int k = 0; k < n; k++)
		x[k] = cos(tone_turn(n, tone, k));
}

bool tone_is_peak(const fftw_complex *x, int n, int at, double size)
{
	const double bound = tone_bound(n, size);
	for (int k = 0; k < n; k++)
		if (!(fabs(x[k][0] - (k == at ? size : 0)) < bound && fabs(x[k][1]) < bound))
			return false;
	return true;
}

bool tone_is_real(const double *x, int n, int tone, double size)
{
	for (int k = 0; k < n; k++)
		if (!(fabs(x[k] - size * cos(tone_turn(n, tone, k))) < tone_bound(n, size)))
			return false;
	return true;
}

void tone_tell(const char *what, bool right)
{
	printf("%s: %s\n", what, right ? "right" : "WRONG");
	fflush(stdout);
	tone_failures += !right;
}
