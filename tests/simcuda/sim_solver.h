/* sim_solver.h - the arithmetic of cuSOLVER, on memory that the host can access */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_SOLVER_H
#define SIMCUDA_SIM_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One call in cuSOLVER's names and numbers; fields that a routine does not use are 0. Matrices are
 * stored by columns. Triangles that a routine does not reference are neither read nor written.
 */
struct sim_solver {
	char element; /* 'S', 'D', 'C' or 'Z' */
	int uplo, trans, side, diag;
	int64_t m, n, k; /* k: right sides, or reflectors */
	int64_t lda, ldb;
	void *a, *b;
	int64_t *pivots; /* rows from 1; NULL: no rows are exchanged */
	int info;        /* result: LAPACK's number */
};

/* All return false when scratch memory ran out; results are then partly written. */

/*
 * LU with partial pivoting of an m x n matrix, and Cholesky. Both stop at the first pivot that will
 * not do, which info names.
 */
bool sim_solver_getrf(struct sim_solver *work);
bool sim_solver_potrf(struct sim_solver *work);
/* Solve in place: B has k columns. */
bool sim_solver_getrs(struct sim_solver *work);
bool sim_solver_potrs(struct sim_solver *work);

#endif
