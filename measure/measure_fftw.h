/* measure_fftw.h - the speed of FFTW */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_FFTW_H
#define GPUSHIM_MEASURE_MEASURE_FFTW_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/measure_blas.h"
#include "measure/spread.h"
#include "policy/call/call.h"

/* One precision of FFTW. */
struct measure_fftw {
	char path[MEASURE_SENTENCE_BYTES]; /* the library's file */
	void *(*plan)(int rank, const int *n, void *in, void *out, int sign, unsigned flags);
	void (*execute)(void *plan);
	void (*destroy)(void *plan);
	void (*limit)(
		double seconds); /* of planning; NULL where the library has no such function */
};

/*
 * element: C or Z. With one thread the library of threads is not needed. false with a sentence
 * where a library or routine is missing.
 */
bool measure_fftw_open(struct measure_fftw *fftw, enum element element, int threads,
                       char sentence[MEASURE_SENTENCE_BYTES]);

/*
 * Seconds of one complex transform in place by a plan of this rigour: the median of at least two
 * and at most `most` executions, as many as budget_s allows; planning is limited to as much again.
 * 0 where there is no plan or no memory.
 */
struct spread measure_fftw_spread(const struct measure_fftw *fftw, enum element element,
                                  enum fft_rigour rigour, int rank, const int *n, int most,
                                  double budget_s);

/* The median of these. */
double measure_fftw_transform(const struct measure_fftw *fftw, enum element element,
                              enum fft_rigour rigour, int rank, const int *n, int most,
                              double budget_s);

#endif
