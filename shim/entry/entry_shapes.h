/* entry_shapes.h - sizes for the gate and the ticks from each argument list of shapes.h */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ENTRY_ENTRY_SHAPES_H
#define GPUSHIM_SHIM_ENTRY_ENTRY_SHAPES_H

#include "shim/gate/gate.h"

/* The sizes as each convention and width passes them. */
#define SIZE_f77_PROBE(size) (*(const uint32_t *)(size))
#define SIZE_f77_ILP64(size) (*(const uint64_t *)(size))
#define SIZE_cblas_PROBE(size) ((uint32_t)(size))
#define SIZE_cblas_ILP64(size) ((uint64_t)(size))
#define LEFT_f77(side) ((*(side) | 0x20) == 'l')
/* The order of a square A. */
#define INNER_f77(width) (LEFT_f77(side) ? SIZE_f77_##width(m) : SIZE_f77_##width(n))
#define INNER_cblas(width) ((side) == 141 ? SIZE_cblas_##width(m) : SIZE_cblas_##width(n))

#define ELEMENTS_GEMM(abi, width)                                                                  \
	gate_elements_gemm(SIZE_##abi##_##width(m), SIZE_##abi##_##width(n),                       \
	                   SIZE_##abi##_##width(k))
#define ELEMENTS_GEMMT(abi, width)                                                                 \
	gate_elements_syr2k(SIZE_##abi##_##width(n), SIZE_##abi##_##width(k))
#define ELEMENTS_SYMM(abi, width)                                                                  \
	gate_elements_symm(SIZE_##abi##_##width(m), SIZE_##abi##_##width(n), INNER_##abi(width))
#define ELEMENTS_SYRK(abi, width)                                                                  \
	gate_elements_syrk(SIZE_##abi##_##width(n), SIZE_##abi##_##width(k))
#define ELEMENTS_HERK(abi, width) ELEMENTS_SYRK(abi, width)
#define ELEMENTS_SYR2K(abi, width)                                                                 \
	gate_elements_syr2k(SIZE_##abi##_##width(n), SIZE_##abi##_##width(k))
#define ELEMENTS_HER2K(abi, width) ELEMENTS_SYR2K(abi, width)
#define ELEMENTS_TRMM(abi, width)                                                                  \
	gate_elements_trmm(SIZE_##abi##_##width(m), SIZE_##abi##_##width(n), INNER_##abi(width))
#define ELEMENTS_STRIDED(abi, width)                                                               \
	gate_elements_batch(ELEMENTS_GEMM(abi, width), SIZE_##abi##_##width(problems))
/* Several groups take the route, which adds them up. */
#define GROUPS_f77(width) SIZE_f77_##width(groups)
#define GROUPS_cblas(width) SIZE_cblas_##width(groups)
#define ELEMENTS_BATCH(abi, width)                                                                 \
	(GROUPS_##abi(width) == 1 ? gate_elements_batch(gate_elements_gemm(SIZE_f77_##width(m),    \
	                                                                   SIZE_f77_##width(n),    \
	                                                                   SIZE_f77_##width(k)),   \
	                                                SIZE_f77_##width(group_size))              \
	                          : UINT64_MAX)

/* A tick's sizes: m, n, k as in struct blas_call; and the number of problems of a batch. */
#define TICK_SIZE(abi, width, size) ((int64_t)SIZE_##abi##_##width(size))
#define TICK_SIZES_GEMM(abi, width)                                                                \
	TICK_SIZE(abi, width, m), TICK_SIZE(abi, width, n), TICK_SIZE(abi, width, k)
#define TICK_SIZES_GEMMT(abi, width)                                                               \
	TICK_SIZE(abi, width, n), TICK_SIZE(abi, width, n), TICK_SIZE(abi, width, k)
#define TICK_SIZES_SYMM(abi, width)                                                                \
	TICK_SIZE(abi, width, m), TICK_SIZE(abi, width, n), (int64_t)INNER_##abi(width)
#define TICK_SIZES_TRMM(abi, width) TICK_SIZES_SYMM(abi, width)
#define TICK_SIZES_SYRK(abi, width) TICK_SIZES_GEMMT(abi, width)
#define TICK_SIZES_HERK(abi, width) TICK_SIZES_GEMMT(abi, width)
#define TICK_SIZES_SYR2K(abi, width) TICK_SIZES_GEMMT(abi, width)
#define TICK_SIZES_HER2K(abi, width) TICK_SIZES_GEMMT(abi, width)
#define TICK_SIZES_STRIDED(abi, width) TICK_SIZES_GEMM(abi, width)
#define TICK_SIZES_BATCH(abi, width) TICK_SIZES_GEMM(f77, width)
#define TICK_PROBLEMS_STRIDED(abi, width) .problems = (int32_t)SIZE_##abi##_##width(problems)
#define TICK_PROBLEMS_BATCH(abi, width) .problems = (int32_t)SIZE_f77_##width(group_size)
#define TICK_PROBLEMS_GEMM(abi, width) .problems = 1
#define TICK_PROBLEMS_GEMMT TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_SYMM TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_SYRK TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_HERK TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_SYR2K TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_HER2K TICK_PROBLEMS_GEMM
#define TICK_PROBLEMS_TRMM TICK_PROBLEMS_GEMM
#define ENTRY_TICK(number, shape, abi, width)                                                      \
	{                                                                                          \
		.symbol = (number), .sizes = {TICK_SIZES_##shape(abi, width)},                     \
		TICK_PROBLEMS_##shape(abi, width)                                                  \
	}

#endif
