/* sim_level3.h - the arithmetic of cuBLAS level 3, on memory that can be touched */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_LEVEL3_H
#define SIMCUDA_SIM_LEVEL3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One call with cuBLAS's own words and numbers; what a routine has no use for is 0. Matrices stand
 * by columns. m x n is the shape of C (or of B in trsm), k the dimension that is summed over: in
 * symm, trmm and trsm that of A. Triangles that a routine does not reference, and unit diagonals,
 * are neither read nor written.
 */
struct sim_level3 {
	char element; /* 'S', 'D', 'C' or 'Z' */
	bool hermitian;
	int digits; /* as in struct sim_gemm */
	int side, uplo, transa, transb, diag;
	int64_t m, n, k, lda, ldb, ldc;
	const void *alpha,
		*beta; /* one element each; one real where the routine is hermitian and BLAS says so */
	const void *a, *b;
	void *c;
};

size_t sim_level3_element_bytes(char element);
bool sim_level3_is_zero(char element, const void *scalar);

/*
 * All: false when scratch memory ran out, C is then partly written. beta exactly 0: C is not read.
 * alpha 0 gives A and B no exemption but in trmm and trsm, where the vendor promises one: there the
 * result is 0 whatever they hold.
 */
bool sim_level3_gemm(const struct sim_level3 *work);
/*
 * Three real products instead of four: large and small parts mix, so only the norm of the error is
 * small.
 */
bool sim_level3_gemm3m(const struct sim_level3 *work);
/* Also hemm, where the imaginary part of A's diagonal is not used. */
bool sim_level3_symm(const struct sim_level3 *work);
/* Also herk (real alpha and beta) and her2k (real beta), which leave a real diagonal. */
bool sim_level3_syrk(const struct sim_level3 *work);
bool sim_level3_syr2k(const struct sim_level3 *work);
/* C may be B. */
bool sim_level3_trmm(const struct sim_level3 *work);
/* Solves into C, which holds the right-hand sides. */
bool sim_level3_trsm(const struct sim_level3 *work);

#endif
