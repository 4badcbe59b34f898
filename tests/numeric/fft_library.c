/* fft_library.c - FFTW three times */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *fft_library_handles[FFT_PRECISIONS][FFT_LIBRARIES];

static void *fft_library_need(void *found)
{
	if (found == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	return found;
}

void fft_library_open(bool loaded[FFT_PRECISIONS])
{
	for (int p = 0; p < FFT_PRECISIONS; p++) {
		const char *file = fft_precisions[p].soname;
		void *itself = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
		loaded[p] = itself != NULL;
		if (!loaded[p] && p != FFT_DOUBLE)
			continue;
		fft_library_handles[p][FFT_LIBRARY_PROGRAM] = RTLD_DEFAULT;
		fft_library_handles[p][FFT_LIBRARY_ITSELF] = fft_library_need(itself);
		fft_library_handles[p][FFT_LIBRARY_COPY] =
			fft_library_need(dlmopen(LM_ID_NEWLM, file, RTLD_NOW));
	}
#ifndef __SIZEOF_FLOAT128__
	loaded[FFT_QUAD] = false;
#endif
}

void fft_library_name(enum fft_precision precision, enum fft_language language, const char *name,
                      char symbol[FFT_NAME_BYTES])
{
	static const char *const ends[FFT_LANGUAGES] = {"", "_", "__"};
	const struct fft_precision_row *row = &fft_precisions[precision];
	snprintf(symbol, FFT_NAME_BYTES, "%s%s%s", language == FFT_C ? row->prefix : row->fortran,
	         name, ends[language]);
}

void *fft_library_find(enum fft_library library, enum fft_precision precision,
                       enum fft_language language, const char *name)
{
	char symbol[FFT_NAME_BYTES];
	fft_library_name(precision, language, name, symbol);
	return fft_library_need(dlsym(fft_library_handles[precision][library], symbol));
}
