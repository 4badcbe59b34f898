/* coverage_names.h - what a symbol's name says: routine, element, calling convention, width of integers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_COVERAGE_COVERAGE_NAMES_H
#define GPUSHIM_COVERAGE_COVERAGE_NAMES_H

#include <stdbool.h>

#include "coverage/coverage_flops.h"

enum coverage_library { COVERAGE_BLAS, COVERAGE_LAPACK, COVERAGE_FFTW };

enum coverage_convention {
	COVERAGE_FORTRAN,      /* all by reference */
	COVERAGE_VALUE,        /* CBLAS, LAPACKE: integers by value */
	COVERAGE_BARE,         /* no underscore: some libraries' Fortran name, others' by-value routine */
	COVERAGE_FFTW_C,       /* fftw_ */
	COVERAGE_FFTW_FORTRAN, /* dfftw_ */
};

enum { COVERAGE_STEM_BYTES = 28, COVERAGE_POSITIONS = 3, COVERAGE_NO = -1 };

/* inside: does its work without public BLAS calls in OpenBLAS. position: of m, n, k, as in the tables. */
struct coverage_routine {
	char stem[COVERAGE_STEM_BYTES], letters[5];
	bool inside;
	short position[COVERAGE_POSITIONS];
	unsigned char level, library, form;
};

/* element: s, d, c or z, of a routine named whole s (its form counts pairs); of FFTW its precision: s, d, l or q. */
struct coverage_name {
	const struct coverage_routine *routine;
	enum coverage_convention convention;
	char element;
	bool is_wide;    /* 64-bit integers, by its name */
	bool is_lapacke; /* calls the Fortran name for its work */
};

extern const struct coverage_routine coverage_routine_table[];
extern const int coverage_routine_count;

/* Before the first coverage_names_parse. */
void coverage_names_prepare(void);

/* false where the symbol is none of the tables' routines. Threads may call it. */
bool coverage_names_parse(const char *symbol, struct coverage_name *name);

#endif
