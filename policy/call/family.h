/* family.h - the families of routines, one per row of family.def */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_FAMILY_H
#define GPUSHIM_POLICY_CALL_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/element.h"

enum family {
#define FAMILY(id, ...) FAMILY_##id,
#include "policy/call/family.def"
	FAMILY_COUNT
};

/* What the routines of a family compute; struct blas_call has the formula of each. */
enum family_kind {
	FAMILY_KIND_PRODUCT,             /* gemm, gemm3m */
	FAMILY_KIND_TRIANGLE_OF_PRODUCT, /* gemmt */
	FAMILY_KIND_SYMMETRIC,           /* symm, hemm */
	FAMILY_KIND_RANK_K,              /* syrk, herk */
	FAMILY_KIND_RANK_2K,             /* syr2k, her2k */
	FAMILY_KIND_TRIANGULAR,          /* trmm, trsm: they overwrite their operand */
	FAMILY_KIND_BATCH,               /* many products of gemm in one call */
	FAMILY_KIND_LAPACK,              /* the rows of lapack_family.def */
	FAMILY_KIND_TRANSFORM,           /* FFTW's plans */
	FAMILY_KIND_COUNT
};

static inline enum family_kind family_find_kind(enum family family)
{
	static const uint8_t kind[FAMILY_COUNT] = {
#define FAMILY(id, name, kind, ...) FAMILY_KIND_##kind,
#include "policy/call/family.def"
	};
	return (enum family_kind)kind[family];
}

/* In family.def the families of BLAS stand first, then those of LAPACK, then transforms. */
static inline bool family_is_blas(enum family family)
{
	return family < FAMILY_GETRF;
}

static inline bool family_is_lapack(enum family family)
{
	return family >= FAMILY_GETRF && family < FAMILY_FFT_C2C;
}

static inline bool family_is_fft(enum family family)
{
	return family >= FAMILY_FFT_C2C;
}

static inline bool family_is_batch(enum family family)
{
	return family_find_kind(family) == FAMILY_KIND_BATCH;
}

/*
 * Whether the routine overwrites an operand that it reads (trmm, trsm). The others scale C by beta,
 * and do not read it where beta is 0.
 */
static inline bool family_is_in_place(enum family family)
{
	return family_find_kind(family) == FAMILY_KIND_TRIANGULAR;
}

/* gemm and gemm3m. */
static inline bool family_is_product(enum family family)
{
	return family_find_kind(family) == FAMILY_KIND_PRODUCT;
}

/* Whether A is a square of which one triangle is read: symmetric, Hermitian or triangular. */
static inline bool family_has_square(enum family family)
{
	const enum family_kind kind = family_find_kind(family);
	return kind == FAMILY_KIND_SYMMETRIC || kind == FAMILY_KIND_TRIANGULAR;
}

/* Whether A or C is Hermitian: its mirror image is the conjugate transpose. */
static inline bool family_is_hermitian(enum family family)
{
	enum { PLAIN, HERMITIAN };
	static const bool hermitian[FAMILY_COUNT] = {
#define FAMILY(id, name, kind, conjugate, ...) conjugate,
#include "policy/call/family.def"
	};
	return hermitian[family];
}

/* Whether C is Hermitian: herk and her2k, whose beta is real and whose diagonal stays so. */
static inline bool family_has_hermitian_result(enum family family)
{
	return family_is_hermitian(family) && family_find_kind(family) != FAMILY_KIND_SYMMETRIC;
}

/* Whether the routine adds two products, each the other's mirror image: syr2k and her2k. */
static inline bool family_is_twice(enum family family)
{
	return family_find_kind(family) == FAMILY_KIND_RANK_2K;
}

/*
 * Static strings: the name in records and in keys of options ("gemm", "c2c"), the sizes of the row
 * ("mnk"), and what stands before the name in a routine's ("d", "fftwf_"). The prefix is NULL where
 * the family has no routine of that element.
 */
const char *family_name(enum family family);
const char *family_prefix(enum family family, enum element element);
const char *family_sizes(enum family family);

/* The flags of a LAPACK call as lapack_family.def has them ("ju"); "" of other families. */
const char *family_letters(enum family family);

#endif
