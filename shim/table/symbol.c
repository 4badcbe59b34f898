/* symbol.c - the rows of symbol.h */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/table/symbol.h"

#include <string.h>

/* The words of blas_symbols.def. */
#define ABI_f77 ABI_F77
#define ABI_cblas ABI_CBLAS
#define ABI_bare ABI_BARE

/* A word of fftw.def: only the entry needs to know how the plan is returned. */
#define ROLE_F77_PLAN ROLE_PLAN

const struct symbol_row symbol_table[SYMBOL_COUNT] = {
#define BLAS(symbol, family, element, shape, abi, width)                                           \
	{#symbol,         LIBRARY_BLAS,      ROLE_COMPUTE, ABI_##abi,                              \
	 FAMILY_##family, ELEMENT_##element, WIDTH_##width},
#include "shim/table/blas_symbols.def"
#define LAPACK(symbol, family, element, shape, width)                                              \
	{#symbol,         LIBRARY_LAPACK,    ROLE_COMPUTE, ABI_F77,                                \
	 FAMILY_##family, ELEMENT_##element, WIDTH_##width},
#include "shim/table/lapack_symbols.def"
#define FFTW(symbol, role, family, element, shape)                                                 \
	{#symbol,         LIBRARY_FFTW,      ROLE_##role, ABI_FFTW,                                \
	 FAMILY_##family, ELEMENT_##element, WIDTH_PROBE},
#include "shim/table/fftw_symbols.def"
};

int symbol_find(const char *name)
{
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++)
		if (strcmp(symbol_table[symbol].name, name) == 0)
			return symbol;
	return -1;
}

enum reason symbol_find_defect(int symbol)
{
	const struct symbol_row *row = &symbol_table[symbol];
	if (row->library != LIBRARY_FFTW || (row->role != ROLE_COMPUTE && row->role != ROLE_PLAN))
		return REASON_NONE;
	if (row->element >= ELEMENT_BLAS_COUNT)
		return REASON_UNSUPPORTED_PRECISION;
	if (row->family == FAMILY_FFT_R2R)
		return REASON_REAL_TO_REAL;
	return strstr(row->name, "_split_") != NULL ? REASON_SPLIT_ARRAYS : REASON_NONE;
}

static size_t symbol_append(char *out, size_t size, size_t used, const char *text)
{
	while (*text != '\0' && used + 1 < size)
		out[used++] = *text++;
	out[used] = '\0';
	return used;
}

void symbol_name_routine(enum family family, enum element element, char *out, size_t size)
{
	const char *prefix = family_prefix(family, element);
	if (size == 0)
		return;
	const size_t used = symbol_append(out, size, 0, prefix != NULL ? prefix : "");
	symbol_append(out, size, used, family_name(family));
}
