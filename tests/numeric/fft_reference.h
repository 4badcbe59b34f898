/* fft_reference.h - transforms as they are defined, in long double */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_FFT_REFERENCE_H
#define GPUSHIM_TESTS_NUMERIC_FFT_REFERENCE_H

#include <complex.h>

#include "fft_trial.h"

/*
 * Replaces the points of one transform, tight by rows, by what they become: a sum over all of each
 * dimension in turn. Real transforms are complex ones here, with all of the last dimension.
 */
void fft_reference_run(const struct fft_trial *t, long double complex *points);

#endif
