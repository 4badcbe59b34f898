/* blas_table.h - the names of blas.def as rows for the tests of this room */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_BLAS_TABLE_H
#define GPUSHIM_TESTS_NUMERIC_BLAS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/call/call.h"

enum shape {
#define SHAPE(shape) SHAPE_##shape,
#include "shim/table/shape.def"
	SHAPE_COUNT
};

enum blas_abi { BLAS_F77, BLAS_CBLAS, BLAS_BARE };

/* Names of one routine stand together; two of them are those that every library uses. */
enum { BLAS_SPELLINGS = 14, BLAS_SPELLING_FORTRAN = 0, BLAS_SPELLING_CBLAS = 4 };

struct blas_row {
	const char *name;
	enum family family;
	enum element element;
	enum shape shape;
	enum blas_abi abi;
	bool wide; /* 64-bit integers by its name; others have what their library has */
};

extern const struct blas_row blas_table[];
extern const size_t blas_table_count;

/* The number of the routine that a row is a name of, and the common names of it. */
size_t blas_table_routine(const struct blas_row *row);
const struct blas_row *blas_table_fortran(const struct blas_row *row);
const struct blas_row *blas_table_cblas(const struct blas_row *row);

/* The row of this name, or NULL. */
const struct blas_row *blas_table_find(const char *name);

/* Whether routine, e.g. "dgemm", is what the row is a name of. */
bool blas_table_is_routine(const struct blas_row *row, const char *routine);

#endif
