/* sim_level3.h - the arithmetic of cuBLAS level 3, on memory that the host can access */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_LEVEL3_H
#define SIMCUDA_SIM_LEVEL3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One call in cuBLAS's names and numbers; fields that a routine does not use are 0. Matrices are
 * stored by columns. C (in trsm: B) is m x n. k is the dimension of the sum: in symm, trmm and trsm
 * that of A. Triangles that a routine does not reference, and unit diagonals, are neither read nor
 * written.
 */
struct sim_level3 {
	char element; /* 'S', 'D', 'C' or 'Z' */
	bool hermitian;
	int digits; /* as in struct sim_gemm */
	int side, uplo, transa, transb, diag;
	int64_t m, n, k, lda, ldb, ldc;
	/* One element each; one real number for Hermitian routines where BLAS says so. */
	const void *alpha, *beta;
	const void *a, *b;
	void *c;
};

size_t sim_level3_element_bytes(char element);
bool sim_level3_is_zero(char element, const void *scalar);

/*
 * All return false when scratch memory ran out; C is then partly written. beta exactly 0: C is not
 * read. alpha 0: A and B are still read, except in trmm and trsm, where the vendor promises that
 * they are not; the result is 0 there for any operands.
 */
bool sim_level3_gemm(const struct sim_level3 *work);
/*
 * Three real products instead of four. Large and small parts mix, so the error is small in the norm
 * only, not for each part.
 */
bool sim_level3_gemm3m(const struct sim_level3 *work);
/* Also hemm, which ignores the imaginary part of A's diagonal. */
bool sim_level3_symm(const struct sim_level3 *work);
/* Also herk (real alpha and beta) and her2k (real beta), which leave a real diagonal. */
bool sim_level3_syrk(const struct sim_level3 *work);
bool sim_level3_syr2k(const struct sim_level3 *work);
/* C may be B. */
bool sim_level3_trmm(const struct sim_level3 *work);
/* Solves in place: C holds the right-hand sides. */
bool sim_level3_trsm(const struct sim_level3 *work);

#endif
