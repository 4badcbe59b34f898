/* calls.h - calls of BLAS, LAPACK and FFTW, each compared with plain loops over copies */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_RESIDENCY_CALLS_H
#define GPUSHIM_TESTS_RESIDENCY_CALLS_H

#include "blocks.h"

/* One call with random operands of the pool. Ends the program with status 1 if it is wrong. */
void calls_run_product(void);
/* A product with an operand in the block, twice, and something in between. */
void calls_run_around(struct block *block, void (*happen)(const struct block *block));
void calls_run_level3(void);
void calls_run_triangular_solve(void);
void calls_run_transform(void);

/* Matrices with factors that stay in memory: solves with them, now and then anew. */
void calls_make_factors(void);
void calls_run_solve(void);

/* Says what is wrong, and ends the program. */
void calls_fail(const char *call);
extern long calls_made;

#endif
