/* print_routines.c - the routines of blas.def, lapack.def and fftw.def for libgpushim(7) */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "tests/lint/print_mdoc.h"

/* names: of the row; the first one is in print_shorten. */
static const struct print_row {
	const char *library, *names;
} print_rows[] = {
#define BLAS_ROUTINE(family, element, shape, ...) {"BLAS", #__VA_ARGS__},
#include "shim/table/blas.def"
#define LAPACK_ROUTINE(family, element, shape, ...) {"LAPACK", #__VA_ARGS__},
#include "shim/table/lapack.def"
#define FFTW_ROUTINE(role, family, shape, ...) {"FFTW3", #__VA_ARGS__},
#define FFTW_FORTRAN(...)
#include "shim/table/fftw.def"
};
enum { PRINT_ROWS = sizeof print_rows / sizeof print_rows[0], PRINT_TEXT_BYTES = 65536 };

/* Length of the first name without the underscore of Fortran. */
static int print_shorten(const char *names)
{
	const int length = (int)strcspn(names, ",");
	return length - (names[length - 1] == '_');
}

int main(void)
{
	static char text[PRINT_TEXT_BYTES];
	const char *library = "";
	for (int i = 0; i < PRINT_ROWS; i++) {
		const struct print_row *row = &print_rows[i];
		if (strcmp(row->library, library) != 0)
			printf(".It %s\n", row->library);
		library = row->library;
		const size_t used = strlen(text);
		const int last =
			i + 1 == PRINT_ROWS || strcmp(print_rows[i + 1].library, library) != 0;
		snprintf(text + used, sizeof text - used, "%.*s%s", print_shorten(row->names),
		         row->names, last ? "." : ", ");
		if (last) {
			print_mdoc_text(text);
			text[0] = '\0';
		}
	}
	return 0;
}
