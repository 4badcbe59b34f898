/* count_names.h - what a symbol's name says: routine, element, calling convention, width of integers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_NAMES_H
#define GPUSHIM_AUDIT_COUNT_COUNT_NAMES_H

#include <stdbool.h>

#include "audit/count/count_flops.h"

enum count_library { COUNT_BLAS, COUNT_LAPACK, COUNT_FFTW };

enum count_convention {
	COUNT_FORTRAN, /* all by reference */
	COUNT_VALUE,   /* CBLAS, LAPACKE: integers by value */
	COUNT_BARE,    /* no underscore: some libraries' Fortran name, others' by-value routine */
	COUNT_FFTW_C,  /* fftw_ */
	COUNT_FFTW_FORTRAN, /* dfftw_ */
};

enum { COUNT_STEM_BYTES = 28, COUNT_POSITIONS = 3, COUNT_NO = -1 };

/*
 * inside: does its work without public BLAS calls in OpenBLAS. position: of m, n, k, as in the
 * tables.
 */
struct count_routine {
	char stem[COUNT_STEM_BYTES], letters[5];
	bool inside;
	short position[COUNT_POSITIONS];
	unsigned char level, library, form;
};

/*
 * element: s, d, c or z, of a routine named whole s (its form counts pairs); of FFTW its precision:
 * s, d, l or q.
 */
struct count_name {
	const struct count_routine *routine;
	enum count_convention convention;
	char element;
	bool is_wide;    /* 64-bit integers, by its name */
	bool is_lapacke; /* calls the Fortran name for its work */
};

extern const struct count_routine count_routine_table[];
extern const int count_routine_count;

/* Before the first count_names_parse. */
void count_names_prepare(void);

/* false where the symbol is none of the tables' routines. Threads may call it. */
bool count_names_parse(const char *symbol, struct count_name *name);

#endif
