/* fft_library.h - FFTW loaded three times: as the program sees it, behind the shim, and a copy */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_FFT_LIBRARY_H
#define GPUSHIM_TESTS_NUMERIC_FFT_LIBRARY_H

#include "fft_trial.h"

/*
 * PROGRAM: through the shim, where it is preloaded. ITSELF: the same library around it. COPY: in a
 * namespace of its own.
 */
enum fft_library { FFT_LIBRARY_PROGRAM, FFT_LIBRARY_ITSELF, FFT_LIBRARY_COPY, FFT_LIBRARIES };

enum { FFT_NAME_BYTES = 48 };

/* Opens what is installed; ends the program without double precision. */
void fft_library_open(bool loaded[FFT_PRECISIONS]);

/* The symbol for a name such as plan_many_dft. */
void fft_library_name(enum fft_precision precision, enum fft_language language, const char *name,
                      char symbol[FFT_NAME_BYTES]);

/* The function of that name; ends the program where there is none. */
void *fft_library_find(enum fft_library library, enum fft_precision precision,
                       enum fft_language language, const char *name);

#endif
