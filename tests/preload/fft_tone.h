/* fft_tone.h - pure tones in double precision, whose transforms are known */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_FFT_TONE_H
#define GPUSHIM_TESTS_FFT_TONE_H

#include <fftw3.h>
#include <stdbool.h>

/* How many lines said WRONG. */
extern int tone_failures;

/* exp(2 pi i tone k / n), whose forward transform is n at tone and 0 elsewhere. */
void tone_fill(fftw_complex *x, int n, int tone);

/*
 * cos(2 pi tone k / n), whose transform to half a spectrum is n / 2 at tone and 0 elsewhere; 0 <
 * tone < n / 2.
 */
void tone_fill_real(double *x, int n, int tone);

/* Whether only x[at] is not zero, and is size. */
bool tone_is_peak(const fftw_complex *x, int n, int at, double size);

/* Whether x is tone_fill_real's, size times. */
bool tone_is_real(const double *x, int n, int tone, double size);

/* One line of output; the same without and with the shim where all is right. */
void tone_tell(const char *what, bool right);

#endif
