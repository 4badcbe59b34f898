/* blas_library.h - a BLAS library loaded twice: behind the shim, and out of the shim's reach */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_BLAS_LIBRARY_H
#define GPUSHIM_TESTS_NUMERIC_BLAS_LIBRARY_H

#include "trial.h"

struct blas_library {
	const char *name, *module_path, *path;
	bool wide, loaded; /* whether the shim is */
	void *module;      /* linked with the library; the calls are made from it */
	void *itself;      /* in a namespace of its own, where nothing is preloaded */
	void (*call)(const struct trial *, char *, void *);
};

/*
 * Fills the rest of what has names, paths and width. global: the module's libraries serve the whole
 * program. Ends the program where a file cannot be loaded.
 */
void blas_library_open(struct blas_library *library, bool global);

/*
 * The address that a call of this name reaches. NULL where the name does not exist or has no
 * meaning for this library.
 */
void *blas_library_find(const struct blas_library *library, const struct blas_row *row);

/*
 * The library's own routine, in the convention that the row has; NULL where the library lacks it.
 */
void *blas_library_find_itself(const struct blas_library *library, const struct blas_row *row);

/* Its Fortran gemm of this element. */
void *blas_library_find_gemm(const struct blas_library *library, enum element element);

/*
 * Known faults of libraries that are not the shim's. SKIPS_ZEROS: does not multiply by zeros.
 * READS_FOR_NOTHING: reads A and B although alpha is zero. KEEPS_DIAGONAL: keeps a NaN in the
 * imaginary part of C's diagonal, which is to be ignored. TRANSPOSES_ALIKE: transposes all groups
 * of a batch like the first. READS_BEYOND: its kernels read beyond the end of an operand.
 * MISTAKES_SAME: takes A^T A^T, passed as C and T, for a symmetric product.
 */
enum blas_quirk {
	QUIRK_SKIPS_ZEROS,
	QUIRK_READS_FOR_NOTHING,
	QUIRK_KEEPS_DIAGONAL,
	QUIRK_TRANSPOSES_ALIKE,
	QUIRK_READS_BEYOND,
	QUIRK_MISTAKES_SAME
};

bool blas_library_has(const struct blas_library *library, enum family family,
                      enum blas_quirk quirk);

#endif
