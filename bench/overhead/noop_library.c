/* noop_library.c - routines that do nothing, so that a call's time is that of the shim */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/overhead/noop_library.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define NOOP_f77(symbol, shape, element)                                                           \
	void symbol(PARAMS_f77(shape, element))                                                    \
	{                                                                                          \
	}
#define NOOP_cblas(symbol, shape, element)                                                         \
	void symbol(PARAMS_cblas(shape, element))                                                  \
	{                                                                                          \
	}
/* A bare name has the address of its Fortran name; from that the shim tells the convention. */
#define NOOP_bare(symbol, shape, element)                                                          \
	void symbol(PARAMS_f77(shape, element)) __attribute__((alias(#symbol "_")));
#define BLAS(symbol, family, element, shape, abi, width) NOOP_##abi(symbol, shape, element)
#include "shim/table/blas_symbols.def"

#define LAPACK(symbol, family, element, shape, width) NOOP_f77(symbol, shape, element)
#include "shim/table/lapack_symbols.def"

void *fftw_plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags)
{
	static int plan;
	return &plan;
}

#define FFTW_COMPUTE(symbol, shape)                                                                \
	void symbol(FFTW_PARAMS(shape))                                                            \
	{                                                                                          \
	}
#include "shim/table/fftw_symbols.def"
