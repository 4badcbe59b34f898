/* doctor_hints.h - why a symbol that looks like BLAS, LAPACK or FFTW is not intercepted */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_DOCTOR_HINTS_H
#define GPUSHIM_CLI_COMMON_DOCTOR_HINTS_H

/* The number of the row of doctor_hints.def that the symbol belongs to, or -1. */
int doctor_hints_find(const char *symbol);

/*
 * The number of rows, and the sentence of a row, a static string. Rows with the same sentence
 * follow each other.
 */
int doctor_hints_count(void);
const char *doctor_hints_sentence(int row);

#endif
