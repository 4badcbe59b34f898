/* untaken.h - why the shim does not take a routine: the words of coverage, doctor and explain */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_ROUTINES_UNTAKEN_H
#define GPUSHIM_CLI_ROUTINES_UNTAKEN_H

#include <stdbool.h>

#include "audit/count/count_file.h"

enum untaken {
#define UNTAKEN(id, name, sentence) UNTAKEN_##id,
#include "cli/routines/untaken.def"
	UNTAKEN_COUNT
};
enum { UNTAKEN_NONE = -1 };

/* Static strings: equal rows have the same address. */
const char *untaken_name(enum untaken row);
const char *untaken_sentence(enum untaken row);

/*
 * The enum untaken of a routine of BLAS, LAPACK or FFTW that the shim has no row for, by the tables
 * alone: a call may have another reason. symbol: in any spelling, also without an underscore.
 * maker: of the library that has it; COUNT_MAKER_UNKNOWN: LAPACK as it is published. UNTAKEN_NONE
 * where the shim has a row, or the name is none of these libraries'.
 */
int untaken_find(const char *symbol, enum count_maker maker);

/* Whether the row tells of a LAPACK routine, of which BLAS calls may be taken. */
bool untaken_is_lapack(int row);

#endif
