/* fft_tone.h - pure tones in double precision, whose transforms are known */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_FFT_TONE_H
#define GPUSHIM_TESTS_FFT_TONE_H

#include <fftw3.h>
#include <stdbool.h>

/* The number of lines that tone_tell printed with WRONG. */
extern int tone_failures;

/* exp(2 pi i tone k / n), whose forward transform is n at tone and 0 elsewhere. */
void tone_fill(fftw_complex *x, int n, int tone);

/* cos(2 pi tone k / n), 0 < tone < n / 2: its half spectrum is n / 2 at tone and 0 elsewhere. */
void tone_fill_real(double *x, int n, int tone);

/* Whether x[at] is size and every other element is 0. */
bool tone_is_peak(const fftw_complex *x, int n, int at, double size);

/* Whether x is size times the values of tone_fill_real. */
bool tone_is_real(const double *x, int n, int tone, double size);

/*
 * Prints one line: what, and right or WRONG. Correct runs print the same without and with the shim.
 */
void tone_tell(const char *what, bool right);

#endif
