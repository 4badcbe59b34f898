/* sim_fft.h - the Fourier transforms of the cufft stand-in, always in double precision */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_FFT_H
#define SIMCUDA_SIM_FFT_H

#include <stdbool.h>
#include <stddef.h>

struct sim_complex {
	double re, im;
};

/* Tables for transforms of vectors of length n. NULL when memory ran out. */
struct sim_fft *sim_fft_new(size_t n);
void sim_fft_free(struct sim_fft *fft);
/* Forward (exponent -1) and unnormalised, in place. `scratch` holds n elements. */
void sim_fft_forward(const struct sim_fft *fft, struct sim_complex *data,
                     struct sim_complex *scratch);

enum sim_fft_kind { SIM_FFT_COMPLEX, SIM_FFT_FROM_REAL, SIM_FFT_TO_REAL };

/*
 * One tight array, last dimension fastest, n[2] innermost (outer sizes are 1 when the rank is
 * less). For the real kinds a row has n[2] / 2 + 1 complex elements in the frequency domain, and
 * n[2] elements in the other, of which only the real part counts. The array always has room for
 * n[2] elements in each row.
 */
bool sim_fft_array(const size_t n[3], enum sim_fft_kind kind, bool inverse,
                   struct sim_complex *data);

#endif
