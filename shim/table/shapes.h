/* shapes.h - each argument list once: PARAMS_ declares it, ARGS_ passes it on */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_TABLE_SHAPES_H
#define GPUSHIM_SHIM_TABLE_SHAPES_H

#include <stddef.h>

/*
 * Integers of BLAS: by reference they are untyped, since only their provider knows how wide they are; by value they
 * are declared 64 bits wide, so that the whole register travels on even where only its lower half means something.
 */
typedef long blas_wide;

/* alpha and beta of CBLAS: real ones by value, complex ones by reference. ADDRESS_ makes one form of the two. */
#define SCALAR_S float
#define SCALAR_D double
#define SCALAR_C const void *
#define SCALAR_Z const void *
#define ADDRESS_S(scalar) (&(scalar))
#define ADDRESS_D(scalar) (&(scalar))
#define ADDRESS_C(scalar) (scalar)
#define ADDRESS_Z(scalar) (scalar)

/* Fortran's hidden lengths of the two character arguments come last; C callers may omit them. */
#define PARAMS_f77_GEMM(E)                                                                                             \
	const char *transa, const char *transb, const void *m, const void *n, const void *k, const void *alpha,        \
		const void *a, const void *lda, const void *b, const void *ldb, const void *beta, void *c,             \
		const void *ldc, size_t transa_length, size_t transb_length
#define ARGS_f77_GEMM transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, transa_length, transb_length
#define DESCRIBE_ARGS_f77_GEMM(E) transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc

#define PARAMS_cblas_GEMM(E)                                                                                           \
	int order, int transa, int transb, blas_wide m, blas_wide n, blas_wide k, SCALAR_##E alpha, const void *a,     \
		blas_wide lda, const void *b, blas_wide ldb, SCALAR_##E beta, void *c, blas_wide ldc
#define ARGS_cblas_GEMM order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc
#define DESCRIBE_ARGS_cblas_GEMM(E)                                                                                    \
	order, transa, transb, m, n, k, ADDRESS_##E(alpha), a, lda, b, ldb, ADDRESS_##E(beta), c, ldc

/* FFTW: the arrays and plans of both precisions travel as untyped pointers. */
#define PARAMS_plan_1d int n0, void *in, void *out, int sign, unsigned flags
#define ARGS_plan_1d n0, in, out, sign, flags
#define PARAMS_plan_2d int n0, int n1, void *in, void *out, int sign, unsigned flags
#define ARGS_plan_2d n0, n1, in, out, sign, flags
#define PARAMS_plan_3d int n0, int n1, int n2, void *in, void *out, int sign, unsigned flags
#define ARGS_plan_3d n0, n1, n2, in, out, sign, flags
#define PARAMS_plan_nd int rank, const int *n, void *in, void *out, int sign, unsigned flags
#define ARGS_plan_nd rank, n, in, out, sign, flags
#define PARAMS_plan_many                                                                                               \
	int rank, const int *n, int howmany, void *in, const int *inembed, int istride, int idist, void *out,          \
		const int *onembed, int ostride, int odist, int sign, unsigned flags
#define ARGS_plan_many rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, sign, flags

#define PARAMS_plan_real_1d int n0, void *in, void *out, unsigned flags
#define ARGS_plan_real_1d n0, in, out, flags
#define PARAMS_plan_real_2d int n0, int n1, void *in, void *out, unsigned flags
#define ARGS_plan_real_2d n0, n1, in, out, flags
#define PARAMS_plan_real_3d int n0, int n1, int n2, void *in, void *out, unsigned flags
#define ARGS_plan_real_3d n0, n1, n2, in, out, flags
#define PARAMS_plan_real_nd int rank, const int *n, void *in, void *out, unsigned flags
#define ARGS_plan_real_nd rank, n, in, out, flags
#define PARAMS_plan_real_many                                                                                          \
	int rank, const int *n, int howmany, void *in, const int *inembed, int istride, int idist, void *out,          \
		const int *onembed, int ostride, int odist, unsigned flags
#define ARGS_plan_real_many rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, flags

/* The guru planners take arrays of {n, is, os}: ints, or in their 64-bit form ptrdiff_t. */
#define PARAMS_plan_guru                                                                                               \
	int rank, const void *dims, int loops, const void *loop_dims, void *in, void *out, int sign, unsigned flags
#define ARGS_plan_guru rank, dims, loops, loop_dims, in, out, sign, flags
#define PARAMS_plan_guru64 PARAMS_plan_guru
#define ARGS_plan_guru64 ARGS_plan_guru
#define PARAMS_plan_real_guru                                                                                          \
	int rank, const void *dims, int loops, const void *loop_dims, void *in, void *out, unsigned flags
#define ARGS_plan_real_guru rank, dims, loops, loop_dims, in, out, flags
#define PARAMS_plan_real_guru64 PARAMS_plan_real_guru
#define ARGS_plan_real_guru64 ARGS_plan_real_guru

#define PARAMS_execute void *plan
#define ARGS_execute plan
#define PARAMS_execute_new void *plan, void *in, void *out
#define ARGS_execute_new plan, in, out

#endif
