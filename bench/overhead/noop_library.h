/* noop_library.h - the routines that overhead_loop.c calls: every BLAS name and every execution of FFTW */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_OVERHEAD_NOOP_LIBRARY_H
#define GPUSHIM_BENCH_OVERHEAD_NOOP_LIBRARY_H

#include "shim/table/fftw_shapes.h"
#include "shim/table/shapes.h"

/* Bare names follow the Fortran convention here, as in MKL. */
#define PARAMS_bare_GEMM PARAMS_f77_GEMM
#define PARAMS_bare_GEMMT PARAMS_f77_GEMMT
#define PARAMS_bare_SYMM PARAMS_f77_SYMM
#define PARAMS_bare_SYRK PARAMS_f77_SYRK
#define PARAMS_bare_HERK PARAMS_f77_HERK
#define PARAMS_bare_SYR2K PARAMS_f77_SYR2K
#define PARAMS_bare_HER2K PARAMS_f77_HER2K
#define PARAMS_bare_TRMM PARAMS_f77_TRMM
#define PARAMS_bare_BATCH PARAMS_f77_BATCH
#define PARAMS_bare_STRIDED PARAMS_f77_STRIDED

#define BLAS(symbol, family, element, shape, abi, width)                                           \
	void symbol(PARAMS_##abi##_##shape(element));
#include "shim/table/blas_symbols.def"

void *fftw_plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags);
#define FFTW_COMPUTE(symbol, shape) void symbol(PARAMS_##shape);
#include "shim/table/fftw_symbols.def"

#endif
