/* entry_fftw_plan.c - FFTW's planners: a route per argument list, a thunk per name */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "shim/entry/entry.h"
#include "shim/route/route_plans.h"
#include "shim/table/fftw_shapes.h"

/* The real routine's result; none where no library has the routine. */
#define REAL(type, shape, code, none)                                                              \
	((code) != NULL ? ENTRY_CODE(type(*)(FFTW_PARAMS(shape)), code)(FFTW_ARGS(shape)) : none)

/*
 * The program gets the real plan or the real NULL. r: the request, which arrays and sizes fill;
 * NULL in a nested planner.
 */
#define PLANNER(shape, arrays, sizes)                                                              \
	ENTRY_SLOW static void *shape##_route(int symbol, const void *caller, FFTW_PARAMS(shape))  \
	{                                                                                          \
		struct plan_visit visit;                                                           \
		struct fft_request *r =                                                            \
			route_plans_begin_plan(&visit, symbol, caller, ENTRY_FRAME());             \
		if (r != NULL)                                                                     \
			arrays, sizes, flags = route_plans_choose_flags(&visit);                   \
		return route_plans_end_plan(&visit, REAL(void *, shape, visit.fftw.code, NULL));   \
	}

#define F77_PLANNER(shape, arrays, sizes)                                                          \
	ENTRY_SLOW static void shape##_route(int symbol, const void *caller, FFTW_PARAMS(shape))   \
	{                                                                                          \
		struct plan_visit visit;                                                           \
		struct fft_request *r =                                                            \
			route_plans_begin_plan(&visit, symbol, caller, ENTRY_FRAME());             \
		*plan = NULL;                                                                      \
		if (r != NULL)                                                                     \
			arrays, sizes, flags = route_plans_choose_f77_flags(&visit);               \
		REAL(void, shape, visit.fftw.code, (void)0);                                       \
		route_plans_end_plan(&visit, *plan);                                               \
	}

/* Real and split transforms have no sign. */
#define ARRAYS(sign) describe_fftw_arrays(r, in, out, sign, flags)
#define SPLIT(from, to) describe_fftw_split(r, from, to, flags)
#define F77_ARRAYS(sign) describe_fftw_arrays(r, in, out, sign, (unsigned)*flags)
#define F77_SPLIT(from, to) describe_fftw_split(r, from, to, (unsigned)*flags)
/*
 * Of split real transforms the complex side has two arrays: the last two in r2c, the first two in
 * c2r.
 */
#define REAL_OUT ((r)->problem.family == FAMILY_FFT_R2C ? second : third)

#define BASIC(rank, n) describe_fftw_basic(r, rank, n, false)
#define INTS(...) ((const int[]){__VA_ARGS__})
#define MANY                                                                                       \
	describe_fftw_many(r, &(struct fft_many){rank, n, howmany, inembed, istride, idist,        \
	                                         onembed, ostride, odist, false})
#define GURU describe_fftw_guru(r, &(struct fft_guru){rank, dims, loops, loop_dims, false})
#define GURU64 describe_fftw_guru(r, &(struct fft_guru){rank, dims, loops, loop_dims, true})

#define F77_BASIC(rank, n) describe_fftw_basic(r, rank, n, true)
#define F77_MANY                                                                                   \
	describe_fftw_many(r, &(struct fft_many){*rank, n, *howmany, inembed, *istride, *idist,    \
	                                         onembed, *ostride, *odist, true})
#define F77_GURU                                                                                   \
	describe_fftw_axes(r,                                                                      \
	                   &(struct fft_axes){*rank, n, is, os, *loops, loop_n, loop_is, loop_os})

PLANNER(plan_1d, ARRAYS(sign), BASIC(1, INTS(n0)))
PLANNER(plan_2d, ARRAYS(sign), BASIC(2, INTS(n0, n1)))
PLANNER(plan_3d, ARRAYS(sign), BASIC(3, INTS(n0, n1, n2)))
PLANNER(plan_nd, ARRAYS(sign), BASIC(rank, n))
PLANNER(plan_many, ARRAYS(sign), MANY)
PLANNER(plan_guru, ARRAYS(sign), GURU)
PLANNER(plan_guru64, ARRAYS(sign), GURU64)
PLANNER(plan_split_guru, SPLIT(ri, ro), GURU)
PLANNER(plan_split_guru64, SPLIT(ri, ro), GURU64)
PLANNER(plan_real_1d, ARRAYS(0), BASIC(1, INTS(n0)))
PLANNER(plan_real_2d, ARRAYS(0), BASIC(2, INTS(n0, n1)))
PLANNER(plan_real_3d, ARRAYS(0), BASIC(3, INTS(n0, n1, n2)))
PLANNER(plan_real_nd, ARRAYS(0), BASIC(rank, n))
PLANNER(plan_real_many, ARRAYS(0), MANY)
PLANNER(plan_real_guru, ARRAYS(0), GURU)
PLANNER(plan_real_guru64, ARRAYS(0), GURU64)
PLANNER(plan_split_real_guru, SPLIT(first, REAL_OUT), GURU)
PLANNER(plan_split_real_guru64, SPLIT(first, REAL_OUT), GURU64)
PLANNER(plan_r2r_1d, ARRAYS(0), BASIC(1, INTS(n0)))
PLANNER(plan_r2r_2d, ARRAYS(0), BASIC(2, INTS(n0, n1)))
PLANNER(plan_r2r_3d, ARRAYS(0), BASIC(3, INTS(n0, n1, n2)))
PLANNER(plan_r2r_nd, ARRAYS(0), BASIC(rank, n))
PLANNER(plan_r2r_many, ARRAYS(0), MANY)
PLANNER(plan_r2r_guru, ARRAYS(0), GURU)
PLANNER(plan_r2r_guru64, ARRAYS(0), GURU64)

F77_PLANNER(f77_plan_1d, F77_ARRAYS(*sign), F77_BASIC(1, n0))
F77_PLANNER(f77_plan_2d, F77_ARRAYS(*sign), F77_BASIC(2, INTS(*n0, *n1)))
F77_PLANNER(f77_plan_3d, F77_ARRAYS(*sign), F77_BASIC(3, INTS(*n0, *n1, *n2)))
F77_PLANNER(f77_plan_nd, F77_ARRAYS(*sign), F77_BASIC(*rank, n))
F77_PLANNER(f77_plan_many, F77_ARRAYS(*sign), F77_MANY)
F77_PLANNER(f77_plan_guru, F77_ARRAYS(*sign), F77_GURU)
F77_PLANNER(f77_plan_split_guru, F77_SPLIT(ri, ro), F77_GURU)
F77_PLANNER(f77_plan_real_1d, F77_ARRAYS(0), F77_BASIC(1, n0))
F77_PLANNER(f77_plan_real_2d, F77_ARRAYS(0), F77_BASIC(2, INTS(*n0, *n1)))
F77_PLANNER(f77_plan_real_3d, F77_ARRAYS(0), F77_BASIC(3, INTS(*n0, *n1, *n2)))
F77_PLANNER(f77_plan_real_nd, F77_ARRAYS(0), F77_BASIC(*rank, n))
F77_PLANNER(f77_plan_real_many, F77_ARRAYS(0), F77_MANY)
F77_PLANNER(f77_plan_real_guru, F77_ARRAYS(0), F77_GURU)
F77_PLANNER(f77_plan_split_real_guru, F77_SPLIT(first, REAL_OUT), F77_GURU)
F77_PLANNER(f77_plan_r2r_1d, F77_ARRAYS(0), F77_BASIC(1, n0))
F77_PLANNER(f77_plan_r2r_2d, F77_ARRAYS(0), F77_BASIC(2, INTS(*n0, *n1)))
F77_PLANNER(f77_plan_r2r_3d, F77_ARRAYS(0), F77_BASIC(3, INTS(*n0, *n1, *n2)))
F77_PLANNER(f77_plan_r2r_nd, F77_ARRAYS(0), F77_BASIC(*rank, n))
F77_PLANNER(f77_plan_r2r_many, F77_ARRAYS(0), F77_MANY)
F77_PLANNER(f77_plan_r2r_guru, F77_ARRAYS(0), F77_GURU)

#define FFTW_PLAN(symbol, shape)                                                                   \
	void *symbol(FFTW_PARAMS(shape));                                                          \
	ENTRY_EXPORT void *symbol(FFTW_PARAMS(shape))                                              \
	{                                                                                          \
		return shape##_route(SYMBOL_##symbol, ENTRY_CALLER(), FFTW_ARGS(shape));           \
	}
#define FFTW_F77_PLAN(symbol, shape)                                                               \
	void symbol(FFTW_PARAMS(shape));                                                           \
	ENTRY_EXPORT void symbol(FFTW_PARAMS(shape))                                               \
	{                                                                                          \
		shape##_route(SYMBOL_##symbol, ENTRY_CALLER(), FFTW_ARGS(shape));                  \
	}

#include "shim/table/fftw_symbols.def"
