/* shapes.h - each argument list of BLAS once: to declare, to pass on, to describe */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_TABLE_SHAPES_H
#define GPUSHIM_SHIM_TABLE_SHAPES_H

#include <stddef.h>

/*
 * Integers of BLAS: by reference they are untyped, since only the library knows their width; by
 * value they are declared 64 bits wide, so that the whole register is passed on even where only its
 * lower half is valid.
 */
typedef long blas_wide;

/* CBLAS passes real alpha and beta by value, complex ones by reference. */
#define SCALAR_S float
#define SCALAR_D double
#define SCALAR_C const void *
#define SCALAR_Z const void *
#define ADDRESS_S(scalar) (&(scalar))
#define ADDRESS_D(scalar) (&(scalar))
#define ADDRESS_C(scalar) (scalar)
#define ADDRESS_Z(scalar) (scalar)
/* Those of Hermitian updates are real for every element. */
#define REAL_S float
#define REAL_D double
#define REAL_C float
#define REAL_Z double

/* clang-format off */
/*
 * The lists of shape.def. In Fortran: C(name) is a character, I(name) an input, O(name) an output,
 * H(count) the hidden lengths of the characters, which C callers may omit. BATCH: each argument is
 * an array with one entry per group; a, b, c are arrays of pointers.
 */
#define LIST_f77_GEMM(C, I, O, H) \
	C(transa), C(transb), I(m), I(n), I(k), I(alpha), I(a), I(lda), I(b), I(ldb), I(beta), O(c), I(ldc) H(2)
#define LIST_f77_GEMMT(C, I, O, H) \
	C(uplo), C(transa), C(transb), I(n), I(k), I(alpha), I(a), I(lda), I(b), I(ldb), I(beta), O(c), I(ldc) H(3)
#define LIST_f77_SYMM(C, I, O, H) \
	C(side), C(uplo), I(m), I(n), I(alpha), I(a), I(lda), I(b), I(ldb), I(beta), O(c), I(ldc) H(2)
#define LIST_f77_SYRK(C, I, O, H) \
	C(uplo), C(trans), I(n), I(k), I(alpha), I(a), I(lda), I(beta), O(c), I(ldc) H(2)
#define LIST_f77_HERK LIST_f77_SYRK
#define LIST_f77_SYR2K(C, I, O, H) \
	C(uplo), C(trans), I(n), I(k), I(alpha), I(a), I(lda), I(b), I(ldb), I(beta), O(c), I(ldc) H(2)
#define LIST_f77_HER2K LIST_f77_SYR2K
#define LIST_f77_TRMM(C, I, O, H) \
	C(side), C(uplo), C(transa), C(diag), I(m), I(n), I(alpha), I(a), I(lda), O(b), I(ldb) H(4)
#define LIST_f77_BATCH(C, I, O, H) \
	C(transa), C(transb), I(m), I(n), I(k), I(alpha), I(a), I(lda), I(b), I(ldb), I(beta), O(c), I(ldc), \
	I(groups), I(group_size) H(2)
#define LIST_f77_STRIDED(C, I, O, H) \
	C(transa), C(transb), I(m), I(n), I(k), I(alpha), I(a), I(lda), I(stridea), I(b), I(ldb), I(strideb), \
	I(beta), O(c), I(ldc), I(stridec), I(problems) H(2)

/*
 * In CBLAS: F(name) is an int, W(name) an integer of either width, I and O as above; S(E, name) and
 * R(E, name) are a scalar and a real one of element E; T(name) is an array of transpositions.
 */
#define LIST_cblas_GEMM(E, F, W, I, O, S, R, T) \
	F(order), F(transa), F(transb), W(m), W(n), W(k), S(E, alpha), I(a), W(lda), I(b), W(ldb), S(E, beta), O(c), W(ldc)
#define LIST_cblas_GEMMT(E, F, W, I, O, S, R, T) \
	F(order), F(uplo), F(transa), F(transb), W(n), W(k), S(E, alpha), I(a), W(lda), I(b), W(ldb), S(E, beta), O(c), W(ldc)
#define LIST_cblas_SYMM(E, F, W, I, O, S, R, T) \
	F(order), F(side), F(uplo), W(m), W(n), S(E, alpha), I(a), W(lda), I(b), W(ldb), S(E, beta), O(c), W(ldc)
#define LIST_cblas_SYRK(E, F, W, I, O, S, R, T) \
	F(order), F(uplo), F(trans), W(n), W(k), S(E, alpha), I(a), W(lda), S(E, beta), O(c), W(ldc)
#define LIST_cblas_HERK(E, F, W, I, O, S, R, T) LIST_cblas_SYRK(E, F, W, I, O, R, R, T)
#define LIST_cblas_SYR2K(E, F, W, I, O, S, R, T) \
	F(order), F(uplo), F(trans), W(n), W(k), S(E, alpha), I(a), W(lda), I(b), W(ldb), S(E, beta), O(c), W(ldc)
#define LIST_cblas_HER2K(E, F, W, I, O, S, R, T) \
	F(order), F(uplo), F(trans), W(n), W(k), S(E, alpha), I(a), W(lda), I(b), W(ldb), R(E, beta), O(c), W(ldc)
#define LIST_cblas_TRMM(E, F, W, I, O, S, R, T) \
	F(order), F(side), F(uplo), F(transa), F(diag), W(m), W(n), S(E, alpha), I(a), W(lda), O(b), W(ldb)
#define LIST_cblas_BATCH(E, F, W, I, O, S, R, T) \
	F(order), T(transa), T(transb), I(m), I(n), I(k), I(alpha), I(a), I(lda), I(b), I(ldb), I(beta), O(c), I(ldc), \
	W(groups), I(group_size)
#define LIST_cblas_STRIDED(E, F, W, I, O, S, R, T) \
	F(order), F(transa), F(transb), W(m), W(n), W(k), S(E, alpha), I(a), W(lda), W(stridea), I(b), W(ldb), W(strideb), \
	S(E, beta), O(c), W(ldc), W(stridec), W(problems)
/* clang-format on */

/* How one argument is declared, passed on, and turned into an address. */
#define LIST_TEXT(name) const char *name
#define LIST_IN(name) const void *name
#define LIST_OUT(name) void *name
#define LIST_INT(name) int name
#define LIST_INTS(name) const int *name
#define LIST_WIDE(name) blas_wide name
#define LIST_SCALAR(E, name) SCALAR_##E name
#define LIST_REAL(E, name) REAL_##E name
#define LIST_NAME(name) name
#define LIST_SCALAR_NAME(E, name) name
#define LIST_SCALAR_IN(E, name) const void *name
#define LIST_SCALAR_ADDRESS(E, name) ADDRESS_##E(name)
#define LIST_REAL_ADDRESS(E, name) (&(name))
#define LIST_NO_LENGTHS(count)
#define LIST_LENGTHS(count) LIST_LENGTHS_##count(size_t)
#define LIST_LENGTH_NAMES(count) LIST_LENGTHS_##count()
#define LIST_LENGTHS_1(type) , type length1
#define LIST_LENGTHS_2(type) LIST_LENGTHS_1(type), type length2
#define LIST_LENGTHS_3(type) LIST_LENGTHS_2(type), type length3
#define LIST_LENGTHS_4(type) LIST_LENGTHS_3(type), type length4

/* The parameters of a routine of this shape, and their names to pass them on. */
#define PARAMS_f77(shape, E) LIST_f77_##shape(LIST_TEXT, LIST_IN, LIST_OUT, LIST_LENGTHS)
#define ARGS_f77(shape) LIST_f77_##shape(LIST_NAME, LIST_NAME, LIST_NAME, LIST_LENGTH_NAMES)
#define PARAMS_cblas(shape, E)                                                                     \
	LIST_cblas_##shape(E, LIST_INT, LIST_WIDE, LIST_IN, LIST_OUT, LIST_SCALAR, LIST_REAL,      \
	                   LIST_INTS)
#define ARGS_cblas(shape)                                                                          \
	LIST_cblas_##shape(D, LIST_NAME, LIST_NAME, LIST_NAME, LIST_NAME, LIST_SCALAR_NAME,        \
	                   LIST_SCALAR_NAME, LIST_NAME)

/* The same to describe a call: without hidden lengths, all scalars by address. */
#define DESCRIBE_PARAMS_f77(shape) LIST_f77_##shape(LIST_TEXT, LIST_IN, LIST_OUT, LIST_NO_LENGTHS)
#define DESCRIBE_ARGS_f77(shape, E)                                                                \
	LIST_f77_##shape(LIST_NAME, LIST_NAME, LIST_NAME, LIST_NO_LENGTHS)
#define DESCRIBE_PARAMS_cblas(shape)                                                               \
	LIST_cblas_##shape(D, LIST_INT, LIST_WIDE, LIST_IN, LIST_OUT, LIST_SCALAR_IN,              \
	                   LIST_SCALAR_IN, LIST_INTS)
#define DESCRIBE_ARGS_cblas(shape, E)                                                              \
	LIST_cblas_##shape(E, LIST_NAME, LIST_NAME, LIST_NAME, LIST_NAME, LIST_SCALAR_ADDRESS,     \
	                   LIST_REAL_ADDRESS, LIST_NAME)

/* All arguments that a list of level 3 can have in Fortran; NULL where a shape lacks one. */
struct f77_arguments {
	const char *side, *uplo, *trans, *transa, *transb, *diag;
	const void *m, *n, *k, *lda, *ldb, *ldc, *alpha, *beta, *a;
	void *b, *c;
};

#endif
