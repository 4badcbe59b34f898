/* fft_check.h - one transform with all its parameters, checked against the defining sum */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_FFT_CHECK_H
#define GPUSHIM_TESTS_FFT_CHECK_H

#include <fftw3.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef SINGLE
#define FFT(name) fftwf_##name
#define FFT_NAME "fftwf_"
typedef float real;
#define FFT_BOUND 1e-5
#else
#define FFT(name) fftw_##name
#define FFT_NAME "fftw_"
typedef double real;
#define FFT_BOUND 1e-13
#endif

enum kind { C2C, R2C, C2R, KIND_COUNT };

/*
 * The layout of one array, in elements of its own type: element (i0, i1, i2) of transform b is at
 * offset + b dist + stride (...).
 */
struct layout {
	int embed[3], stride, dist;
	bool is_real;
	int last; /* stored elements of the last dimension */
};

struct problem {
	enum kind kind;
	int rank, n[3], howmany, sign;
	bool in_place;
	struct layout in, out;
};

/* Tight layouts, padded where a real transform is in place. */
void problem_make_tight(struct problem *p, enum kind kind, int rank, const int *n, int howmany,
                        int sign, bool in_place);
/* Interleaved vectors (stride howmany, dist 1), or gaps within and between. */
void problem_make_strided(struct problem *p, bool interleaved);

/* In reals. */
size_t layout_reals(const struct problem *p, const struct layout *layout);
size_t problem_reals(const struct problem *p, bool output);

/*
 * Fills the whole array: the elements with numbers in [-1, 1), Hermitian where that must be, gaps
 * with canaries.
 */
void problem_fill(const struct problem *p, real *in, unsigned seed);

/*
 * The greatest error against the defining sum over the transforms, relative to the norm; 1e30 where
 * a gap of out was written. saved: the input as it was; before: out as it was.
 */
double problem_error(const struct problem *p, const real *saved, const real *before,
                     const real *out);

#endif
