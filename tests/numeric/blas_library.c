/* blas_library.c - a BLAS library loaded twice */
/* SPDX-License-Identifier: Apache-2.0 */
#include "blas_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *blas_library_need(void *found)
{
	if (found == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	return found;
}

void blas_library_open(struct blas_library *library, bool global)
{
	library->module = blas_library_need(
		dlopen(library->module_path, RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL)));
	library->itself = blas_library_need(dlmopen(LM_ID_NEWLM, library->path, RTLD_NOW));
	void *call = blas_library_need(dlsym(library->module, "trial_call"));
	memcpy(&library->call, &call, sizeof call);
	library->loaded = dlsym(RTLD_DEFAULT, "gpushim_version") != NULL;
}

void *blas_library_find_itself(const struct blas_library *library, const struct blas_row *row)
{
	return dlsym(
		library->itself,
		(row->abi == BLAS_CBLAS ? blas_table_cblas(row) : blas_table_fortran(row))->name);
}

void *blas_library_find_gemm(const struct blas_library *library, enum element element)
{
	const char name[] = {"sdcz"[element], 'g', 'e', 'm', 'm', '_', '\0'};
	return blas_library_need(dlsym(library->itself, name));
}

/*
 * Of a routine that the library lacks, the names whose integers are known; through the shim alone.
 */
static bool blas_library_may_lack(const struct blas_library *library, const struct blas_row *row)
{
	if (row->abi == BLAS_BARE || blas_library_find_itself(library, row) != NULL)
		return false;
	if (row->wide)
		return dlsym(library->module, "dgemm_64_") != NULL;
	return !library->wide && (row == blas_table_fortran(row) || row == blas_table_cblas(row));
}

void *blas_library_find(const struct blas_library *library, const struct blas_row *row)
{
	void *own = dlsym(library->module, row->name);
	if (!library->loaded)
		return own;
	return own != NULL || blas_library_may_lack(library, row) ? dlsym(RTLD_DEFAULT, row->name)
	                                                          : NULL;
}

/* Seen in OpenBLAS 0.3.21, the reference 3.11, BLIS 0.9.0 and ATLAS 3.10.3. */
bool blas_library_has(const struct blas_library *library, enum family family, enum blas_quirk quirk)
{
	static const struct {
		const char *library; /* the beginning of its name */
		enum blas_quirk quirk;
		enum family first, last;
	} known[] = {
		{"reference", QUIRK_SKIPS_ZEROS, FAMILY_SYRK, FAMILY_TRSM},
		{"blis", QUIRK_SKIPS_ZEROS, FAMILY_GEMM,
	         FAMILY_GEMM}, /* of matrices with one row or column */
		{"blis", QUIRK_SKIPS_ZEROS, FAMILY_GEMM_BATCH, FAMILY_GEMM_BATCH_STRIDED},
		{"openblas", QUIRK_READS_FOR_NOTHING, FAMILY_GEMM,
	         FAMILY_GEMM_BATCH_STRIDED}, /* by kernels for small matrices */
		{"blis", QUIRK_KEEPS_DIAGONAL, FAMILY_HERK, FAMILY_HER2K},
		{"atlas", QUIRK_KEEPS_DIAGONAL, FAMILY_HERK, FAMILY_HER2K},
		{"atlas", QUIRK_SKIPS_ZEROS, FAMILY_GEMM, FAMILY_GEMM_BATCH_STRIDED},
		{"atlas", QUIRK_MISTAKES_SAME, FAMILY_GEMM, FAMILY_GEMMT},
		{"blis", QUIRK_TRANSPOSES_ALIKE, FAMILY_GEMM_BATCH, FAMILY_GEMM_BATCH},
		{"blis", QUIRK_READS_BEYOND, FAMILY_GEMM, FAMILY_GEMM_BATCH_STRIDED},
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strncmp(library->name, known[i].library, strlen(known[i].library)) == 0 &&
		    quirk == known[i].quirk && family >= known[i].first && family <= known[i].last)
			return true;
	return false;
}
