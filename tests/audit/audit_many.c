/* audit_many.c - a library that defines every intercepted name and records which were called */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/table/symbol.h"

extern int audit_many_last;
int audit_many_last = -1;

/* Ignores its arguments. */
#define MANY(symbol)                                                                               \
	void symbol(void);                                                                         \
	void symbol(void)                                                                          \
	{                                                                                          \
		audit_many_last = SYMBOL_##symbol;                                                 \
	}
#define BLAS(symbol, family, element, shape, abi, width) MANY(symbol)
#include "shim/table/blas_symbols.def"
#define FFTW(symbol, role, family, element, shape) MANY(symbol)
#include "shim/table/fftw_symbols.def"
