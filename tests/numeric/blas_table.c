/* blas_table.c - the names of blas.def as rows */
/* SPDX-License-Identifier: Apache-2.0 */
#include "blas_table.h"

#include <string.h>

#define ABI_f77 BLAS_F77
#define ABI_cblas BLAS_CBLAS
#define ABI_bare BLAS_BARE
#define WIDE_PROBE false
#define WIDE_ILP64 true

const struct blas_row blas_table[] = {
#define BLAS(symbol, family, element, shape, abi, width)                                           \
	{#symbol, FAMILY_##family, ELEMENT_##element, SHAPE_##shape, ABI_##abi, WIDE_##width},
#include "shim/table/blas_symbols.def"
};
const size_t blas_table_count = sizeof blas_table / sizeof blas_table[0];
_Static_assert(sizeof blas_table / sizeof blas_table[0] % BLAS_SPELLINGS == 0,
               "a routine has another number of names");

size_t blas_table_routine(const struct blas_row *row)
{
	return (size_t)(row - blas_table) / BLAS_SPELLINGS;
}

const struct blas_row *blas_table_fortran(const struct blas_row *row)
{
	return &blas_table[blas_table_routine(row) * BLAS_SPELLINGS + BLAS_SPELLING_FORTRAN];
}

const struct blas_row *blas_table_cblas(const struct blas_row *row)
{
	return &blas_table[blas_table_routine(row) * BLAS_SPELLINGS + BLAS_SPELLING_CBLAS];
}

const struct blas_row *blas_table_find(const char *name)
{
	for (size_t i = 0; i < blas_table_count; i++)
		if (strcmp(blas_table[i].name, name) == 0)
			return &blas_table[i];
	return NULL;
}

bool blas_table_is_routine(const struct blas_row *row, const char *routine)
{
	const char *fortran = blas_table_fortran(row)->name;
	const size_t length = strlen(routine);
	return strlen(fortran) == length + 1 && strncmp(fortran, routine, length) == 0;
}
