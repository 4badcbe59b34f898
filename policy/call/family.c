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

const char *family_prefix(enum family family, enum element element)
{
	static const char *const blas[ELEMENT_COUNT] = {"s", "d", "c", "z"};
	static const char *const fftw[ELEMENT_COUNT] = {NULL,    NULL,     "fftwf_",
	                                                "fftw_", "fftwl_", "fftwq_"};
	return family_is_fft(family) ? fftw[element] : blas[element];
}

const char *family_sizes(enum family family)
{
	return family_texts[family].sizes;
}
