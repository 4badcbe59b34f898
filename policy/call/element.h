/* element.h - element types of matrices and transforms, by the letters of BLAS */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_ELEMENT_H
#define GPUSHIM_POLICY_CALL_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The letters of BLAS. The element of an FFT is the complex type of its precision: C or Z, or L
 * (long double, prefix fftwl_) or Q (quadruple precision, prefix fftwq_), which only FFTW has.
 */
enum element {
	ELEMENT_S,
	ELEMENT_D,
	ELEMENT_C,
	ELEMENT_Z,
	ELEMENT_BLAS_COUNT,
	ELEMENT_L = ELEMENT_BLAS_COUNT,
	ELEMENT_Q,
	ELEMENT_COUNT
};

/* Bytes of one element. */
static inline uint64_t element_size_bytes(enum element element)
{
	static const uint8_t size[ELEMENT_COUNT] = {4, 8, 8, 16, 32, 32};
	return size[element];
}

static inline bool element_is_complex(enum element element)
{
	return element >= ELEMENT_C;
}

#endif
