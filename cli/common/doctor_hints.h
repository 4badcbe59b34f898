/* doctor_hints.h - why a symbol that looks like BLAS, LAPACK or FFTW is not intercepted */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_DOCTOR_HINTS_H
#define GPUSHIM_CLI_COMMON_DOCTOR_HINTS_H

/* The rows of doctor_hints.def; the number of the row that the symbol belongs to, or -1. */
int doctor_hints_find(const char *symbol);

/*
 * How many rows there are, and a row's sentence; rows of one sentence stand together. Static
 * strings.
 */
int doctor_hints_count(void);
const char *doctor_hints_sentence(int row);

#endif
