/* symbol.h - the intercepted symbols as numbers and rows */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_TABLE_SYMBOL_H
#define GPUSHIM_SHIM_TABLE_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/call/call.h"

enum symbol {
#define BLAS(symbol, family, element, shape, abi, width) SYMBOL_##symbol,
#include "shim/table/blas_symbols.def"
#define LAPACK(symbol, family, element, shape, width) SYMBOL_##symbol,
#include "shim/table/lapack_symbols.def"
#define FFTW(symbol, role, family, element, shape) SYMBOL_##symbol,
#include "shim/table/fftw_symbols.def"
	SYMBOL_COUNT
};

enum library { LIBRARY_BLAS, LIBRARY_LAPACK, LIBRARY_FFTW, LIBRARY_COUNT };

enum symbol_role {
	ROLE_COMPUTE, /* does arithmetic: a routine of BLAS or LAPACK, an FFTW execute */
	ROLE_PLAN,    /* makes an FFTW plan */
	ROLE_RELEASE, /* destroy and cleanup */
	ROLE_SERVICE, /* anything else that concerns FFTW's planner: wisdom, threads */
	ROLE_QUERY    /* asks about a plan, or for memory */
};

enum symbol_abi { ABI_F77, ABI_CBLAS, ABI_BARE, ABI_FFTW };

enum integer_width { WIDTH_PROBE, WIDTH_LP64, WIDTH_ILP64 };

enum { SYMBOL_NAME_BYTES = 36 };

/* The name is stored in the row, so that the table needs no relocation. */
struct symbol_row {
	char name[SYMBOL_NAME_BYTES];
	enum library library;
	enum symbol_role role;
	enum symbol_abi abi;
	enum family family;
	enum element element;
	enum integer_width width;
};

extern const struct symbol_row symbol_table[SYMBOL_COUNT];

/* Whether the symbol is one of that library's interface. */
static inline bool symbol_is_of(int symbol, enum library library)
{
	const struct symbol_row *row = &symbol_table[symbol];
	return row->library == library;
}

/* The symbol of this name, or -1. */
int symbol_find(const char *name);

/* Why no call of this symbol, or no plan that it makes, can run on the GPU; else REASON_NONE. */
enum reason symbol_find_defect(int symbol);

/*
 * The routine's name without spelling, e.g. "dgemm", "fftw_c2c", "fftwf_r2c": the letter of BLAS
 * or LAPACK and the family, or FFTW's prefix and the family. Written into out (of size bytes,
 * always terminated).
 */
void symbol_name_routine(enum family family, enum element element, char *out, size_t size);

#endif
