/* noop_library.h - the routines of noop_library.c: BLAS, LAPACK and the executions of FFTW */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_OVERHEAD_NOOP_LIBRARY_H
#define GPUSHIM_BENCH_OVERHEAD_NOOP_LIBRARY_H

#include "shim/table/fftw_shapes.h"
#include "shim/table/lapack_shapes.h"
#include "shim/table/shapes.h"

/* Bare names follow the Fortran convention here, as in MKL. */
#define PARAMS_bare PARAMS_f77

#define BLAS(symbol, family, element, shape, abi, width) void symbol(PARAMS_##abi(shape, element));
#include "shim/table/blas_symbols.def"

#define LAPACK(symbol, family, element, shape, width) void symbol(PARAMS_f77(shape, element));
#include "shim/table/lapack_symbols.def"

void *fftw_plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags);
#define FFTW_COMPUTE(symbol, shape) void symbol(FFTW_PARAMS(shape));
#include "shim/table/fftw_symbols.def"

#endif
