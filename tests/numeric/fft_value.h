/* fft_value.h - real numbers of FFTW's precisions in memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_FFT_VALUE_H
#define GPUSHIM_TESTS_NUMERIC_FFT_VALUE_H

#include <string.h>

#include "fft_trial.h"

#define FFT_VALUE_READ(type)                                                                       \
	do {                                                                                       \
		type stored;                                                                       \
		memcpy(&stored, at, sizeof stored);                                                \
		value = (long double)stored;                                                       \
	} while (0)

#define FFT_VALUE_WRITE(type)                                                                      \
	do {                                                                                       \
		const type stored = (type)value;                                                   \
		memcpy(at, &stored, sizeof stored);                                                \
	} while (0)

static inline long double fft_value_read(enum fft_precision precision, const char *at)
{
	long double value = 0;
	switch (precision) {
	case FFT_SINGLE: FFT_VALUE_READ(float); break;
	case FFT_LONG: FFT_VALUE_READ(long double); break;
#ifdef __SIZEOF_FLOAT128__
	case FFT_QUAD: FFT_VALUE_READ(__float128); break;
#endif
	default: FFT_VALUE_READ(double); break;
	}
	return value;
}

static inline void fft_value_write(enum fft_precision precision, char *at, long double value)
{
	switch (precision) {
	case FFT_SINGLE: FFT_VALUE_WRITE(float); break;
	case FFT_LONG: FFT_VALUE_WRITE(long double); break;
#ifdef __SIZEOF_FLOAT128__
	case FFT_QUAD: FFT_VALUE_WRITE(__float128); break;
#endif
	default: FFT_VALUE_WRITE(double); break;
	}
}

#endif
