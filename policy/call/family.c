/* family.c - the texts of family.def */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/call/family.h"

#include <stddef.h>

/* Arrays, not pointers: the table needs no relocation when the library is loaded. */
static const struct {
	char name[24], sizes[8];
} family_texts[FAMILY_COUNT] = {
#define FAMILY(id, name, kind, conjugate, sizes, ...) {name, sizes},
#include "policy/call/family.def"
};

const char *family_name(enum family family)
{
	return family_texts[family].name;
}

/* The elements of lapack_family.def, from the first on up to the last. */
enum { ALL = ELEMENT_S, ALL_END = ELEMENT_BLAS_COUNT };
enum { REAL = ELEMENT_S, REAL_END = ELEMENT_C };
enum { COMPLEX = ELEMENT_C, COMPLEX_END = ELEMENT_BLAS_COUNT };

static const struct {
	uint8_t first, end;
	char letters[6];
} family_lapack[] = {
#define LAPACK_FAMILY(id, name, elements, sizes, letters, ...) {elements, elements##_END, letters},
#include "policy/call/lapack_family.def"
};

static bool family_lapack_has(enum family family, enum element element)
{
	const int row = family - FAMILY_GETRF;
	return element >= family_lapack[row].first && element < family_lapack[row].end;
}

const char *family_letters(enum family family)
{
	return family_is_lapack(family) ? family_lapack[family - FAMILY_GETRF].letters : "";
}

const char *family_prefix(enum family family, enum element element)
{
	static const char *const blas[ELEMENT_COUNT] = {"s", "d", "c", "z"};
	static const char *const fftw[ELEMENT_COUNT] = {NULL,    NULL,     "fftwf_",
	                                                "fftw_", "fftwl_", "fftwq_"};
	if (family_is_lapack(family) && !family_lapack_has(family, element))
		return NULL;
	return family_is_fft(family) ? fftw[element] : blas[element];
}

const char *family_sizes(enum family family)
{
	return family_texts[family].sizes;
}
