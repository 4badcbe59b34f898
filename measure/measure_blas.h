/* measure_blas.h - the speed of a BLAS on the CPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_BLAS_H
#define GPUSHIM_MEASURE_MEASURE_BLAS_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/call/call.h"

enum { MEASURE_SENTENCE_BYTES = 512 };

/* A library as the loader found it, and square matrices of order most. */
struct measure_blas {
	void *library;
	char path[MEASURE_SENTENCE_BYTES]; /* the file that has the routines */
	int64_t most;
	void *a, *b, *c;
};

/*
 * Opens a library that has the routines by Fortran's names, with 32-bit or 64-bit integers. It
 * stays open. false with a sentence where that fails.
 */
bool measure_blas_open(struct measure_blas *blas, const char *file,
                       char sentence[MEASURE_SENTENCE_BYTES]);

/*
 * The routine of this name with its letter, by the spellings of libraries with integers of either
 * width, and of those in Python's wheels; NULL where the library has none.
 */
void *measure_blas_look(void *library, char element, const char *stem);

/* Allocates and fills matrices of this order and element. false where there is no memory. */
bool measure_blas_take(struct measure_blas *blas, enum element element, int64_t most);
void measure_blas_free(struct measure_blas *blas);

/* Whether the library has the routine; families: gemm, symm, syrk, trmm and trsm. */
bool measure_blas_has(const struct measure_blas *blas, enum family family, enum element element);

/*
 * Seconds of one call on square matrices of this order. measure_blas_take must have been called for
 * the element.
 */
double measure_blas_call(const struct measure_blas *blas, enum family family, enum element element,
                         int64_t order);

#endif
