/* doctor_lapack.c - tells OpenBLAS's and MKL's LAPACK by their names and functions */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor/doctor_lapack.h"

#include <stdlib.h>
#include <string.h>

#include "audit/count/count_names.h"
#include "cli/process/elf_file.h"

/* What a library defines. */
struct doctor_lapack {
	int routines;
	bool is_openblas, is_mkl;
};

static void doctor_lapack_note(void *context, const char *symbol, bool defined)
{
	struct doctor_lapack *library = context;
	struct count_name name;
	if (!defined)
		return;
	library->routines += count_names_parse(symbol, &name) &&
	                     name.routine->library == COUNT_LAPACK && !name.is_lapacke;
	library->is_openblas |= strcmp(symbol, "openblas_get_config") == 0;
	library->is_mkl |= strcmp(symbol, "mkl_get_version") == 0;
}

/* Behind all links: a LAPACK of OpenBLAS's without its functions lies in a folder of its name. */
static bool doctor_lapack_is_named(const char *path, const char *mark)
{
	char *real = realpath(path, NULL);
	const bool named = real != NULL && strstr(real, mark) != NULL;
	free(real);
	return named;
}

static bool doctor_lapack_read(const char *path, struct doctor_lapack *library)
{
	struct elf_file elf;
	*library = (struct doctor_lapack){.routines = 0};
	if (elf_file_open(&elf, path) == 0)
		elf_file_visit_symbols(&elf, false, doctor_lapack_note, library);
	elf_file_close(&elf);
	return library->routines >= DOCTOR_LAPACK_LEAST;
}

enum count_maker doctor_lapack_find_maker(char *const *paths, size_t count)
{
	struct doctor_lapack library;
	count_names_prepare();
	for (size_t i = 0; i < count; i++) {
		if (!doctor_lapack_read(paths[i], &library))
			continue;
		if (library.is_openblas || doctor_lapack_is_named(paths[i], "openblas"))
			return COUNT_MAKER_OPENBLAS;
		return library.is_mkl || doctor_lapack_is_named(paths[i], "libmkl_")
		               ? COUNT_MAKER_MKL
		               : COUNT_MAKER_UNKNOWN;
	}
	return COUNT_MAKER_UNKNOWN;
}
