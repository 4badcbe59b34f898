/* count_names.h - from a symbol's name to routine, element, convention and width of integers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_NAMES_H
#define GPUSHIM_AUDIT_COUNT_COUNT_NAMES_H

#include <stdbool.h>

#include "audit/count/count_flops.h"

enum count_library { COUNT_BLAS, COUNT_LAPACK, COUNT_FFTW, COUNT_OUTSIDE };

/* What a routine of count_outside.def is part of; its form. */
enum count_kind { COUNT_KIND_MATMUL, COUNT_KIND_LINPACK, COUNT_KIND_R_FFT };

enum count_convention {
	COUNT_FORTRAN,      /* all arguments by reference */
	COUNT_VALUE,        /* CBLAS, LAPACKE: integers by value */
	COUNT_BARE,         /* no underscore: a Fortran or a by-value routine, by the library */
	COUNT_FFTW_C,       /* fftw_ */
	COUNT_FFTW_FORTRAN, /* dfftw_ */
	COUNT_NAMED,        /* a routine of count_outside.def: its arguments are not read */
};

enum { COUNT_STEM_BYTES = 28, COUNT_POSITIONS = 4, COUNT_NO = -1 };

/*
 * A row of a table. inside: OpenBLAS does the routine's work without public BLAS calls. position:
 * of m, n, k and the number of problems in the Fortran argument list; COUNT_NO without.
 */
struct count_routine {
	char stem[COUNT_STEM_BYTES], letters[5];
	bool inside;
	short position[COUNT_POSITIONS];
	unsigned char level, library, form;
};

/*
 * element: s, d, c or z; s for a routine whose stem is its whole name (its form counts pairs). For
 * FFTW it is the precision: s, d, l or q.
 */
struct count_name {
	const struct count_routine *routine;
	enum count_convention convention;
	char element;
	bool is_wide;    /* 64-bit integers, as its name says */
	bool is_lapacke; /* a wrapper that calls the Fortran name */
};

extern const struct count_routine count_routine_table[];
extern const int count_routine_count;

/* To be called before the first count_names_parse. */
void count_names_prepare(void);

/*
 * The position of lwork in the Fortran argument list, -1 for which asks for the size of the
 * workspace; COUNT_NO without.
 */
int count_names_find_query(const struct count_name *name);

/* false where the symbol is no routine of the tables. Any thread may call it. */
bool count_names_parse(const char *symbol, struct count_name *name);

#endif
