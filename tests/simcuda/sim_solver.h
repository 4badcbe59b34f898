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
	bool vectors, econ;
	char jobu, jobvt;
	int itype, range;
	int64_t m, n, k; /* k: right sides, or reflectors */
	int64_t lda, ldb, ldc;
	void *a, *b, *c; /* b: right sides, U, the factor of B. c: V or V^H, eigenvectors */
	void *w;         /* values, or the factors of reflectors */
	bool complex_values;
	int64_t *pivots; /* rows from 1; NULL: no rows are exchanged */
	int *narrow_pivots;
	int64_t il, iu, step; /* a range of values or rows, from 1 */
	double vl, vu;
	/* results */
	int info;           /* LAPACK's number */
	int64_t found;      /* values in the range */
	double error_sigma; /* by how much singular values were moved */
};

/* All return false when scratch memory ran out; results are then partly written. */

/*
 * LU with partial pivoting of an m x n matrix, and Cholesky. Both stop at the first pivot that will
 * not do, which info names.
 */
bool sim_solver_getrf(struct sim_solver *work);
bool sim_solver_getrf_narrow(struct sim_solver *work);
bool sim_solver_potrf(struct sim_solver *work);
/* Solve in place: B has k columns. */
bool sim_solver_getrs(struct sim_solver *work);
bool sim_solver_potrs(struct sim_solver *work);
/*
 * In place; potri takes the factor. info: the first zero of the diagonal, nothing is written then.
 */
bool sim_solver_trtri(struct sim_solver *work);
bool sim_solver_potri(struct sim_solver *work);
bool sim_solver_laswp(struct sim_solver *work);

/* QR: R above and reflectors below the diagonal, Q's first columns, products with Q from a side. */
bool sim_solver_geqrf(struct sim_solver *work);
bool sim_solver_orgqr(struct sim_solver *work);
bool sim_solver_ormqr(struct sim_solver *work);

/*
 * Eigenvalues, ascending, and vectors in A of a triangle's Hermitian matrix, or of a pencil with B,
 * whose triangle becomes its factor.
 */
bool sim_solver_syevd(struct sim_solver *work);
bool sim_solver_sygvd(struct sim_solver *work);

/* Singular values, descending; gesvdp returns V, gesvd V^H. m >= n. */
bool sim_solver_gesvd(struct sim_solver *work);
bool sim_solver_gesvdp(struct sim_solver *work);

/*
 * Eigenvalues and right vectors (in c) of a general matrix. Values of real elements are n real
 * parts and n imaginary ones, or with complex_values n pairs.
 */
bool sim_solver_geev(struct sim_solver *work);

#endif
