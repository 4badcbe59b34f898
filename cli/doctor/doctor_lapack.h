/* doctor_lapack.h - who made the LAPACK that a program is linked with */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_DOCTOR_DOCTOR_LAPACK_H
#define GPUSHIM_CLI_DOCTOR_DOCTOR_LAPACK_H

#include <stddef.h>

#include "audit/count/count_file.h"

/* A library with fewer of its routines is no LAPACK: ARPACK has some of them, too. */
enum { DOCTOR_LAPACK_LEAST = 100 };

/*
 * The maker of the first of these libraries that has LAPACK, by the marks that `gpushim coverage`
 * goes by; COUNT_MAKER_UNKNOWN where none has it, or it bears no mark.
 */
enum count_maker doctor_lapack_find_maker(char *const *paths, size_t count);

#endif
