/* entry_lapack_shapes.h - sizes for the gate and the ticks from each argument list of LAPACK */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ENTRY_ENTRY_LAPACK_SHAPES_H
#define GPUSHIM_SHIM_ENTRY_ENTRY_LAPACK_SHAPES_H

#include "shim/entry/entry_shapes.h"

/* At least as many elements as all operands have, as JUMP_ELEMENTS_f77_* of entry_jump.h. */
#define ELEMENTS_MATRIX(width) gate_elements_matrix(SIZE_f77_##width(m), SIZE_f77_##width(n))
#define ELEMENTS_SOLVE(width) gate_elements_syrk(SIZE_f77_##width(n), SIZE_f77_##width(nrhs))
#define ELEMENTS_SQUARES_1(width) gate_elements_squares(SIZE_f77_##width(n), 1)
#define ELEMENTS_SQUARES_2(width) gate_elements_squares(SIZE_f77_##width(n), 2)
#define ELEMENTS_SQUARES_3(width) gate_elements_squares(SIZE_f77_##width(n), 3)
#define ELEMENTS_SINGULAR(width) gate_elements_singular(SIZE_f77_##width(m), SIZE_f77_##width(n))
#define ELEMENTS_APPLY(width)                                                                      \
	gate_elements_gemm(SIZE_f77_##width(m), SIZE_f77_##width(n), SIZE_f77_##width(k))
#define ELEMENTS_LEAST(width)                                                                      \
	gate_elements_gemm(SIZE_f77_##width(m), SIZE_f77_##width(n), SIZE_f77_##width(nrhs))
#define ELEMENTS_GETRF(abi, width) ELEMENTS_MATRIX(width)
#define ELEMENTS_GETRS(abi, width) ELEMENTS_SOLVE(width)
#define ELEMENTS_GESV(abi, width) ELEMENTS_SOLVE(width)
#define ELEMENTS_GETRI(abi, width) ELEMENTS_SQUARES_1(width)
#define ELEMENTS_POTRF(abi, width) ELEMENTS_SQUARES_1(width)
#define ELEMENTS_POTRS(abi, width) ELEMENTS_SOLVE(width)
#define ELEMENTS_TRTRI(abi, width) ELEMENTS_SQUARES_1(width)
#define ELEMENTS_GEQRF(abi, width) ELEMENTS_MATRIX(width)
#define ELEMENTS_ORGQR(abi, width) ELEMENTS_MATRIX(width)
#define ELEMENTS_ORMQR(abi, width) ELEMENTS_APPLY(width)
#define ELEMENTS_GELS(abi, width) ELEMENTS_LEAST(width)
#define ELEMENTS_SYEV(abi, width) ELEMENTS_SQUARES_1(width)
#define ELEMENTS_HEEV(abi, width) ELEMENTS_SQUARES_1(width)
#define ELEMENTS_SYEVD(abi, width) ELEMENTS_SQUARES_1(width)
#define ELEMENTS_HEEVD(abi, width) ELEMENTS_SQUARES_1(width)
#define ELEMENTS_SYEVR(abi, width) ELEMENTS_SQUARES_2(width)
#define ELEMENTS_HEEVR(abi, width) ELEMENTS_SQUARES_2(width)
#define ELEMENTS_SYEVX(abi, width) ELEMENTS_SQUARES_2(width)
#define ELEMENTS_HEEVX(abi, width) ELEMENTS_SQUARES_2(width)
#define ELEMENTS_SYGV(abi, width) ELEMENTS_SQUARES_2(width)
#define ELEMENTS_HEGV(abi, width) ELEMENTS_SQUARES_2(width)
#define ELEMENTS_SYGVD(abi, width) ELEMENTS_SQUARES_2(width)
#define ELEMENTS_HEGVD(abi, width) ELEMENTS_SQUARES_2(width)
#define ELEMENTS_SYGVX(abi, width) ELEMENTS_SQUARES_3(width)
#define ELEMENTS_HEGVX(abi, width) ELEMENTS_SQUARES_3(width)
#define ELEMENTS_GESDD(abi, width) ELEMENTS_SINGULAR(width)
#define ELEMENTS_GESDD_C(abi, width) ELEMENTS_SINGULAR(width)
#define ELEMENTS_GESVD(abi, width) ELEMENTS_SINGULAR(width)
#define ELEMENTS_GESVD_C(abi, width) ELEMENTS_SINGULAR(width)
#define ELEMENTS_GEEV(abi, width) ELEMENTS_SQUARES_3(width)
#define ELEMENTS_GEEV_C(abi, width) ELEMENTS_SQUARES_3(width)

/* A tick's sizes: m and n as in struct lapack_call, then k or nrhs. */
#define TICK_SIZES_MN(width) TICK_SIZE(f77, width, m), TICK_SIZE(f77, width, n), 0
#define TICK_SIZES_NN(width) TICK_SIZE(f77, width, n), TICK_SIZE(f77, width, n), 0
#define TICK_SIZES_NR(width)                                                                       \
	TICK_SIZE(f77, width, n), TICK_SIZE(f77, width, n), TICK_SIZE(f77, width, nrhs)
#define TICK_SIZES_MNR(width)                                                                      \
	TICK_SIZE(f77, width, m), TICK_SIZE(f77, width, n), TICK_SIZE(f77, width, nrhs)
#define TICK_SIZES_MNK(width)                                                                      \
	TICK_SIZE(f77, width, m), TICK_SIZE(f77, width, n), TICK_SIZE(f77, width, k)
#define TICK_SIZES_GETRF(abi, width) TICK_SIZES_MN(width)
#define TICK_SIZES_GETRS(abi, width) TICK_SIZES_NR(width)
#define TICK_SIZES_GESV(abi, width) TICK_SIZES_NR(width)
#define TICK_SIZES_GETRI(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_POTRF(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_POTRS(abi, width) TICK_SIZES_NR(width)
#define TICK_SIZES_TRTRI(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_GEQRF(abi, width) TICK_SIZES_MN(width)
#define TICK_SIZES_ORGQR(abi, width) TICK_SIZES_MNK(width)
#define TICK_SIZES_ORMQR(abi, width) TICK_SIZES_MNK(width)
#define TICK_SIZES_GELS(abi, width) TICK_SIZES_MNR(width)
#define TICK_SIZES_SYEV(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_HEEV(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_SYEVD(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_HEEVD(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_SYEVR(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_HEEVR(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_SYEVX(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_HEEVX(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_SYGV(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_HEGV(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_SYGVD(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_HEGVD(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_SYGVX(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_HEGVX(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_GESDD(abi, width) TICK_SIZES_MN(width)
#define TICK_SIZES_GESDD_C(abi, width) TICK_SIZES_MN(width)
#define TICK_SIZES_GESVD(abi, width) TICK_SIZES_MN(width)
#define TICK_SIZES_GESVD_C(abi, width) TICK_SIZES_MN(width)
#define TICK_SIZES_GEEV(abi, width) TICK_SIZES_NN(width)
#define TICK_SIZES_GEEV_C(abi, width) TICK_SIZES_NN(width)
#define TICK_PROBLEMS_GETRF TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_GETRS TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_GESV TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_GETRI TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_POTRF TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_POTRS TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_TRTRI TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_GEQRF TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_ORGQR TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_ORMQR TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_GELS TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_SYEV TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_HEEV TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_SYEVD TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_HEEVD TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_SYEVR TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_HEEVR TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_SYEVX TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_HEEVX TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_SYGV TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_HEGV TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_SYGVD TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_HEGVD TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_SYGVX TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_HEGVX TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_GESDD TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_GESDD_C TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_GESVD TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_GESVD_C TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_GEEV TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_GEEV_C TICK_PROBLEMS_GEMM

#endif
