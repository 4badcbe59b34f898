/* shapes.h - each argument list once: PARAMS_ declares it, ARGS_ passes it on */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_TABLE_SHAPES_H
#define GPUSHIM_SHIM_TABLE_SHAPES_H

#include <stddef.h>

/*
 * Integers of BLAS: by reference they are untyped, since only their provider knows how wide they
 * are; by value they are declared 64 bits wide, so that the whole register travels on even where
 * only its lower half means something.
 */
typedef long blas_wide;

/*
 * alpha and beta of CBLAS: real ones by value, complex ones by reference. ADDRESS_ makes one form
 * of the two.
 */
#define SCALAR_S float
#define SCALAR_D double
#define SCALAR_C const void *
#define SCALAR_Z const void *
#define ADDRESS_S(scalar) (&(scalar))
#define ADDRESS_D(scalar) (&(scalar))
#define ADDRESS_C(scalar) (scalar)
#define ADDRESS_Z(scalar) (scalar)
/* Those of Hermitian updates, which are real for every element. */
#define REAL_S float
#define REAL_D double
#define REAL_C float
#define REAL_Z double

/*
 * The shapes of blas.def: for each convention its declaration, its names to pass on, and its names
 * to describe, which have no hidden lengths and all scalars by address. Fortran's hidden lengths of
 * the character arguments come last; C callers may omit them.
 */
#define PARAMS_f77_GEMM(E)                                                                         \
	const char *transa, const char *transb, const void *m, const void *n, const void *k,       \
		const void *alpha, const void *a, const void *lda, const void *b, const void *ldb, \
		const void *beta, void *c, const void *ldc, size_t length1, size_t length2
#define ARGS_f77_GEMM DESCRIBE_ARGS_f77_GEMM(), length1, length2
#define DESCRIBE_ARGS_f77_GEMM(E) transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc
#define PARAMS_cblas_GEMM(E)                                                                       \
	int order, int transa, int transb, blas_wide m, blas_wide n, blas_wide k,                  \
		SCALAR_##E alpha, const void *a, blas_wide lda, const void *b, blas_wide ldb,      \
		SCALAR_##E beta, void *c, blas_wide ldc
#define ARGS_cblas_GEMM order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc
#define DESCRIBE_ARGS_cblas_GEMM(E)                                                                \
	order, transa, transb, m, n, k, ADDRESS_##E(alpha), a, lda, b, ldb, ADDRESS_##E(beta), c,  \
		ldc

#define PARAMS_f77_GEMMT(E)                                                                        \
	const char *uplo, const char *transa, const char *transb, const void *n, const void *k,    \
		const void *alpha, const void *a, const void *lda, const void *b, const void *ldb, \
		const void *beta, void *c, const void *ldc, size_t length1, size_t length2,        \
		size_t length3
#define ARGS_f77_GEMMT DESCRIBE_ARGS_f77_GEMMT(), length1, length2, length3
#define DESCRIBE_ARGS_f77_GEMMT(E) uplo, transa, transb, n, k, alpha, a, lda, b, ldb, beta, c, ldc
#define PARAMS_cblas_GEMMT(E)                                                                      \
	int order, int uplo, int transa, int transb, blas_wide n, blas_wide k, SCALAR_##E alpha,   \
		const void *a, blas_wide lda, const void *b, blas_wide ldb, SCALAR_##E beta,       \
		void *c, blas_wide ldc
#define ARGS_cblas_GEMMT order, uplo, transa, transb, n, k, alpha, a, lda, b, ldb, beta, c, ldc
#define DESCRIBE_ARGS_cblas_GEMMT(E)                                                               \
	order, uplo, transa, transb, n, k, ADDRESS_##E(alpha), a, lda, b, ldb, ADDRESS_##E(beta),  \
		c, ldc

#define PARAMS_f77_SYMM(E)                                                                         \
	const char *side, const char *uplo, const void *m, const void *n, const void *alpha,       \
		const void *a, const void *lda, const void *b, const void *ldb, const void *beta,  \
		void *c, const void *ldc, size_t length1, size_t length2
#define ARGS_f77_SYMM DESCRIBE_ARGS_f77_SYMM(), length1, length2
#define DESCRIBE_ARGS_f77_SYMM(E) side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc
#define PARAMS_cblas_SYMM(E)                                                                       \
	int order, int side, int uplo, blas_wide m, blas_wide n, SCALAR_##E alpha, const void *a,  \
		blas_wide lda, const void *b, blas_wide ldb, SCALAR_##E beta, void *c,             \
		blas_wide ldc
#define ARGS_cblas_SYMM order, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc
#define DESCRIBE_ARGS_cblas_SYMM(E)                                                                \
	order, side, uplo, m, n, ADDRESS_##E(alpha), a, lda, b, ldb, ADDRESS_##E(beta), c, ldc

#define PARAMS_f77_SYRK(E)                                                                         \
	const char *uplo, const char *trans, const void *n, const void *k, const void *alpha,      \
		const void *a, const void *lda, const void *beta, void *c, const void *ldc,        \
		size_t length1, size_t length2
#define ARGS_f77_SYRK DESCRIBE_ARGS_f77_SYRK(), length1, length2
#define DESCRIBE_ARGS_f77_SYRK(E) uplo, trans, n, k, alpha, a, lda, beta, c, ldc
#define PARAMS_cblas_SYRK(E)                                                                       \
	int order, int uplo, int trans, blas_wide n, blas_wide k, SCALAR_##E alpha, const void *a, \
		blas_wide lda, SCALAR_##E beta, void *c, blas_wide ldc
#define ARGS_cblas_SYRK order, uplo, trans, n, k, alpha, a, lda, beta, c, ldc
#define DESCRIBE_ARGS_cblas_SYRK(E)                                                                \
	order, uplo, trans, n, k, ADDRESS_##E(alpha), a, lda, ADDRESS_##E(beta), c, ldc

#define PARAMS_f77_HERK(E) PARAMS_f77_SYRK(E)
#define ARGS_f77_HERK ARGS_f77_SYRK
#define DESCRIBE_ARGS_f77_HERK(E) DESCRIBE_ARGS_f77_SYRK(E)
#define PARAMS_cblas_HERK(E)                                                                       \
	int order, int uplo, int trans, blas_wide n, blas_wide k, REAL_##E alpha, const void *a,   \
		blas_wide lda, REAL_##E beta, void *c, blas_wide ldc
#define ARGS_cblas_HERK ARGS_cblas_SYRK
#define DESCRIBE_ARGS_cblas_HERK(E) order, uplo, trans, n, k, &alpha, a, lda, &beta, c, ldc

#define PARAMS_f77_SYR2K(E)                                                                        \
	const char *uplo, const char *trans, const void *n, const void *k, const void *alpha,      \
		const void *a, const void *lda, const void *b, const void *ldb, const void *beta,  \
		void *c, const void *ldc, size_t length1, size_t length2
#define ARGS_f77_SYR2K DESCRIBE_ARGS_f77_SYR2K(), length1, length2
#define DESCRIBE_ARGS_f77_SYR2K(E) uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc
#define PARAMS_cblas_SYR2K(E)                                                                      \
	int order, int uplo, int trans, blas_wide n, blas_wide k, SCALAR_##E alpha, const void *a, \
		blas_wide lda, const void *b, blas_wide ldb, SCALAR_##E beta, void *c,             \
		blas_wide ldc
#define ARGS_cblas_SYR2K order, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc
#define DESCRIBE_ARGS_cblas_SYR2K(E)                                                               \
	order, uplo, trans, n, k, ADDRESS_##E(alpha), a, lda, b, ldb, ADDRESS_##E(beta), c, ldc

#define PARAMS_f77_HER2K(E) PARAMS_f77_SYR2K(E)
#define ARGS_f77_HER2K ARGS_f77_SYR2K
#define DESCRIBE_ARGS_f77_HER2K(E) DESCRIBE_ARGS_f77_SYR2K(E)
#define PARAMS_cblas_HER2K(E)                                                                      \
	int order, int uplo, int trans, blas_wide n, blas_wide k, SCALAR_##E alpha, const void *a, \
		blas_wide lda, const void *b, blas_wide ldb, REAL_##E beta, void *c, blas_wide ldc
#define ARGS_cblas_HER2K ARGS_cblas_SYR2K
#define DESCRIBE_ARGS_cblas_HER2K(E)                                                               \
	order, uplo, trans, n, k, ADDRESS_##E(alpha), a, lda, b, ldb, &beta, c, ldc

#define PARAMS_f77_TRMM(E)                                                                         \
	const char *side, const char *uplo, const char *transa, const char *diag, const void *m,   \
		const void *n, const void *alpha, const void *a, const void *lda, void *b,         \
		const void *ldb, size_t length1, size_t length2, size_t length3, size_t length4
#define ARGS_f77_TRMM DESCRIBE_ARGS_f77_TRMM(), length1, length2, length3, length4
#define DESCRIBE_ARGS_f77_TRMM(E) side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb
#define PARAMS_cblas_TRMM(E)                                                                       \
	int order, int side, int uplo, int transa, int diag, blas_wide m, blas_wide n,             \
		SCALAR_##E alpha, const void *a, blas_wide lda, void *b, blas_wide ldb
#define ARGS_cblas_TRMM order, side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb
#define DESCRIBE_ARGS_cblas_TRMM(E)                                                                \
	order, side, uplo, transa, diag, m, n, ADDRESS_##E(alpha), a, lda, b, ldb

/*
 * Batches: here every parameter is an array with one entry per group, and a, b, c are arrays of
 * pointers.
 */
#define PARAMS_f77_BATCH(E)                                                                        \
	const char *transa, const char *transb, const void *m, const void *n, const void *k,       \
		const void *alpha, const void *a, const void *lda, const void *b, const void *ldb, \
		const void *beta, void *c, const void *ldc, const void *groups,                    \
		const void *group_size, size_t length1, size_t length2
#define ARGS_f77_BATCH DESCRIBE_ARGS_f77_BATCH(), length1, length2
#define DESCRIBE_ARGS_f77_BATCH(E)                                                                 \
	transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, groups, group_size
#define PARAMS_cblas_BATCH(E)                                                                      \
	int order, const int *transa, const int *transb, const void *m, const void *n,             \
		const void *k, const void *alpha, const void *a, const void *lda, const void *b,   \
		const void *ldb, const void *beta, void *c, const void *ldc, blas_wide groups,     \
		const void *group_size
#define ARGS_cblas_BATCH order, DESCRIBE_ARGS_f77_BATCH()
#define DESCRIBE_ARGS_cblas_BATCH(E) order, DESCRIBE_ARGS_f77_BATCH()

#define PARAMS_f77_STRIDED(E)                                                                      \
	const char *transa, const char *transb, const void *m, const void *n, const void *k,       \
		const void *alpha, const void *a, const void *lda, const void *stridea,            \
		const void *b, const void *ldb, const void *strideb, const void *beta, void *c,    \
		const void *ldc, const void *stridec, const void *problems, size_t length1,        \
		size_t length2
#define ARGS_f77_STRIDED DESCRIBE_ARGS_f77_STRIDED(), length1, length2
#define DESCRIBE_ARGS_f77_STRIDED(E)                                                               \
	transa, transb, m, n, k, alpha, a, lda, stridea, b, ldb, strideb, beta, c, ldc, stridec,   \
		problems
#define PARAMS_cblas_STRIDED(E)                                                                    \
	int order, int transa, int transb, blas_wide m, blas_wide n, blas_wide k,                  \
		SCALAR_##E alpha, const void *a, blas_wide lda, blas_wide stridea, const void *b,  \
		blas_wide ldb, blas_wide strideb, SCALAR_##E beta, void *c, blas_wide ldc,         \
		blas_wide stridec, blas_wide problems
#define ARGS_cblas_STRIDED order, DESCRIBE_ARGS_f77_STRIDED()
#define DESCRIBE_ARGS_cblas_STRIDED(E)                                                             \
	order, transa, transb, m, n, k, ADDRESS_##E(alpha), a, lda, stridea, b, ldb, strideb,      \
		ADDRESS_##E(beta), c, ldc, stridec, problems

#endif
