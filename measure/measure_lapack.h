/* measure_lapack.h - the speed of a LAPACK on the CPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_LAPACK_H
#define GPUSHIM_MEASURE_MEASURE_LAPACK_H

#include "measure/measure_blas.h"

/*
 * A library, and the arrays of square calls up to order most. matrix is what each call factors a
 * copy of.
 */
struct measure_lapack {
	void *library;
	char path[MEASURE_SENTENCE_BYTES]; /* the file that has the routines */
	int64_t most, work_count, integer_count;
	double *matrix, *a, *u, *vt, *values, *work;
	int64_t *integers;
};

/*
 * Finds LAPACK's routines in the library of the BLAS, else in the system's liblapack. false with a
 * sentence where neither has them.
 */
bool measure_lapack_open(struct measure_lapack *lapack, const struct measure_blas *blas,
                         char sentence[MEASURE_SENTENCE_BYTES]);

/* Allocates and fills the arrays for calls of this family. false where there is no memory. */
bool measure_lapack_take(struct measure_lapack *lapack, enum family family, int64_t most);
void measure_lapack_free(struct measure_lapack *lapack);

/* Whether the library has the routine for doubles; families: getrf, potrf, syevd and gesdd. */
bool measure_lapack_has(const struct measure_lapack *lapack, enum family family);

/*
 * Seconds of one call in doubles on a square matrix of this order, with all vectors; NaN where it
 * failed. measure_lapack_take must have been called for the family.
 */
double measure_lapack_call(const struct measure_lapack *lapack, enum family family, int64_t order);

#endif
