/* fftw_shapes.h - each argument list of FFTW3, once: as parameters and as arguments */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_TABLE_FFTW_SHAPES_H
#define GPUSHIM_SHIM_TABLE_FFTW_SHAPES_H

#include <stddef.h>

/*
 * Arrays, plans and functions of all precisions travel as untyped pointers. The last argument of a
 * planner is flags: by value in C, by reference in Fortran, whose planners return the plan in their
 * first argument.
 */
#define PARAMS_plan_1d int n0, void *in, void *out, int sign, unsigned flags
#define ARGS_plan_1d n0, in, out, sign, flags
#define PARAMS_plan_2d int n0, int n1, void *in, void *out, int sign, unsigned flags
#define ARGS_plan_2d n0, n1, in, out, sign, flags
#define PARAMS_plan_3d int n0, int n1, int n2, void *in, void *out, int sign, unsigned flags
#define ARGS_plan_3d n0, n1, n2, in, out, sign, flags
#define PARAMS_plan_nd int rank, const int *n, void *in, void *out, int sign, unsigned flags
#define ARGS_plan_nd rank, n, in, out, sign, flags
#define PARAMS_plan_many                                                                           \
	int rank, const int *n, int howmany, void *in, const int *inembed, int istride, int idist, \
		void *out, const int *onembed, int ostride, int odist, int sign, unsigned flags
#define ARGS_plan_many                                                                             \
	rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, sign, flags
/* The guru planners take arrays of {n, is, os}: ints, or in their 64-bit form ptrdiff_t. */
#define PARAMS_plan_guru                                                                           \
	int rank, const void *dims, int loops, const void *loop_dims, void *in, void *out,         \
		int sign, unsigned flags
#define ARGS_plan_guru rank, dims, loops, loop_dims, in, out, sign, flags
#define PARAMS_plan_guru64 PARAMS_plan_guru
#define ARGS_plan_guru64 ARGS_plan_guru
#define PARAMS_plan_split_guru                                                                     \
	int rank, const void *dims, int loops, const void *loop_dims, void *ri, void *ii,          \
		void *ro, void *io, unsigned flags
#define ARGS_plan_split_guru rank, dims, loops, loop_dims, ri, ii, ro, io, flags
#define PARAMS_plan_split_guru64 PARAMS_plan_split_guru
#define ARGS_plan_split_guru64 ARGS_plan_split_guru

/* r2c and c2r. Of their split forms the complex side has two arrays, which come first or last. */
#define PARAMS_plan_real_1d int n0, void *in, void *out, unsigned flags
#define ARGS_plan_real_1d n0, in, out, flags
#define PARAMS_plan_real_2d int n0, int n1, void *in, void *out, unsigned flags
#define ARGS_plan_real_2d n0, n1, in, out, flags
#define PARAMS_plan_real_3d int n0, int n1, int n2, void *in, void *out, unsigned flags
#define ARGS_plan_real_3d n0, n1, n2, in, out, flags
#define PARAMS_plan_real_nd int rank, const int *n, void *in, void *out, unsigned flags
#define ARGS_plan_real_nd rank, n, in, out, flags
#define PARAMS_plan_real_many                                                                      \
	int rank, const int *n, int howmany, void *in, const int *inembed, int istride, int idist, \
		void *out, const int *onembed, int ostride, int odist, unsigned flags
#define ARGS_plan_real_many                                                                        \
	rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, flags
#define PARAMS_plan_real_guru                                                                      \
	int rank, const void *dims, int loops, const void *loop_dims, void *in, void *out,         \
		unsigned flags
#define ARGS_plan_real_guru rank, dims, loops, loop_dims, in, out, flags
#define PARAMS_plan_real_guru64 PARAMS_plan_real_guru
#define ARGS_plan_real_guru64 ARGS_plan_real_guru
#define PARAMS_plan_split_real_guru                                                                \
	int rank, const void *dims, int loops, const void *loop_dims, void *first, void *second,   \
		void *third, unsigned flags
#define ARGS_plan_split_real_guru rank, dims, loops, loop_dims, first, second, third, flags
#define PARAMS_plan_split_real_guru64 PARAMS_plan_split_real_guru
#define ARGS_plan_split_real_guru64 ARGS_plan_split_real_guru

/* r2r: with a kind per dimension. */
#define PARAMS_plan_r2r_1d int n0, void *in, void *out, int kind0, unsigned flags
#define ARGS_plan_r2r_1d n0, in, out, kind0, flags
#define PARAMS_plan_r2r_2d int n0, int n1, void *in, void *out, int kind0, int kind1, unsigned flags
#define ARGS_plan_r2r_2d n0, n1, in, out, kind0, kind1, flags
#define PARAMS_plan_r2r_3d                                                                         \
	int n0, int n1, int n2, void *in, void *out, int kind0, int kind1, int kind2, unsigned flags
#define ARGS_plan_r2r_3d n0, n1, n2, in, out, kind0, kind1, kind2, flags
#define PARAMS_plan_r2r_nd                                                                         \
	int rank, const int *n, void *in, void *out, const void *kind, unsigned flags
#define ARGS_plan_r2r_nd rank, n, in, out, kind, flags
#define PARAMS_plan_r2r_many                                                                       \
	int rank, const int *n, int howmany, void *in, const int *inembed, int istride, int idist, \
		void *out, const int *onembed, int ostride, int odist, const void *kind,           \
		unsigned flags
#define ARGS_plan_r2r_many                                                                         \
	rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, kind, flags
#define PARAMS_plan_r2r_guru                                                                       \
	int rank, const void *dims, int loops, const void *loop_dims, void *in, void *out,         \
		const void *kind, unsigned flags
#define ARGS_plan_r2r_guru rank, dims, loops, loop_dims, in, out, kind, flags
#define PARAMS_plan_r2r_guru64 PARAMS_plan_r2r_guru
#define ARGS_plan_r2r_guru64 ARGS_plan_r2r_guru

#define PARAMS_execute void *plan
#define ARGS_execute plan
#define PARAMS_execute_new void *plan, void *in, void *out
#define ARGS_execute_new plan, in, out
#define PARAMS_execute_split void *plan, void *ri, void *ii, void *ro, void *io
#define ARGS_execute_split plan, ri, ii, ro, io
#define PARAMS_execute_split_real void *plan, void *first, void *second, void *third
#define ARGS_execute_split_real plan, first, second, third
#define PARAMS_destroy void *plan
#define ARGS_destroy plan
#define PARAMS_cleanup void
#define ARGS_cleanup

/* The legacy interface of Fortran: everything by reference, dimensions in reversed order. */
#define PARAMS_f77_plan_1d                                                                         \
	void **plan, const int *n0, void *in, void *out, const int *sign, const int *flags
#define ARGS_f77_plan_1d plan, n0, in, out, sign, flags
#define PARAMS_f77_plan_2d                                                                         \
	void **plan, const int *n0, const int *n1, void *in, void *out, const int *sign,           \
		const int *flags
#define ARGS_f77_plan_2d plan, n0, n1, in, out, sign, flags
#define PARAMS_f77_plan_3d                                                                         \
	void **plan, const int *n0, const int *n1, const int *n2, void *in, void *out,             \
		const int *sign, const int *flags
#define ARGS_f77_plan_3d plan, n0, n1, n2, in, out, sign, flags
#define PARAMS_f77_plan_nd                                                                         \
	void **plan, const int *rank, const int *n, void *in, void *out, const int *sign,          \
		const int *flags
#define ARGS_f77_plan_nd plan, rank, n, in, out, sign, flags
#define PARAMS_f77_plan_many                                                                       \
	void **plan, const int *rank, const int *n, const int *howmany, void *in,                  \
		const int *inembed, const int *istride, const int *idist, void *out,               \
		const int *onembed, const int *ostride, const int *odist, const int *sign,         \
		const int *flags
#define ARGS_f77_plan_many                                                                         \
	plan, rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, sign,   \
		flags
#define PARAMS_f77_plan_guru                                                                       \
	void **plan, const int *rank, const int *n, const int *is, const int *os,                  \
		const int *loops, const int *loop_n, const int *loop_is, const int *loop_os,       \
		void *in, void *out, const int *sign, const int *flags
#define ARGS_f77_plan_guru                                                                         \
	plan, rank, n, is, os, loops, loop_n, loop_is, loop_os, in, out, sign, flags
#define PARAMS_f77_plan_split_guru                                                                 \
	void **plan, const int *rank, const int *n, const int *is, const int *os,                  \
		const int *loops, const int *loop_n, const int *loop_is, const int *loop_os,       \
		void *ri, void *ii, void *ro, void *io, const int *flags
#define ARGS_f77_plan_split_guru                                                                   \
	plan, rank, n, is, os, loops, loop_n, loop_is, loop_os, ri, ii, ro, io, flags
#define PARAMS_f77_plan_real_1d void **plan, const int *n0, void *in, void *out, const int *flags
#define ARGS_f77_plan_real_1d plan, n0, in, out, flags
#define PARAMS_f77_plan_real_2d                                                                    \
	void **plan, const int *n0, const int *n1, void *in, void *out, const int *flags
#define ARGS_f77_plan_real_2d plan, n0, n1, in, out, flags
#define PARAMS_f77_plan_real_3d                                                                    \
	void **plan, const int *n0, const int *n1, const int *n2, void *in, void *out,             \
		const int *flags
#define ARGS_f77_plan_real_3d plan, n0, n1, n2, in, out, flags
#define PARAMS_f77_plan_real_nd                                                                    \
	void **plan, const int *rank, const int *n, void *in, void *out, const int *flags
#define ARGS_f77_plan_real_nd plan, rank, n, in, out, flags
#define PARAMS_f77_plan_real_many                                                                  \
	void **plan, const int *rank, const int *n, const int *howmany, void *in,                  \
		const int *inembed, const int *istride, const int *idist, void *out,               \
		const int *onembed, const int *ostride, const int *odist, const int *flags
#define ARGS_f77_plan_real_many                                                                    \
	plan, rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, flags
#define PARAMS_f77_plan_real_guru                                                                  \
	void **plan, const int *rank, const int *n, const int *is, const int *os,                  \
		const int *loops, const int *loop_n, const int *loop_is, const int *loop_os,       \
		void *in, void *out, const int *flags
#define ARGS_f77_plan_real_guru                                                                    \
	plan, rank, n, is, os, loops, loop_n, loop_is, loop_os, in, out, flags
#define PARAMS_f77_plan_split_real_guru                                                            \
	void **plan, const int *rank, const int *n, const int *is, const int *os,                  \
		const int *loops, const int *loop_n, const int *loop_is, const int *loop_os,       \
		void *first, void *second, void *third, const int *flags
#define ARGS_f77_plan_split_real_guru                                                              \
	plan, rank, n, is, os, loops, loop_n, loop_is, loop_os, first, second, third, flags
#define PARAMS_f77_plan_r2r_1d                                                                     \
	void **plan, const int *n0, void *in, void *out, const int *kind0, const int *flags
#define ARGS_f77_plan_r2r_1d plan, n0, in, out, kind0, flags
#define PARAMS_f77_plan_r2r_2d                                                                     \
	void **plan, const int *n0, const int *n1, void *in, void *out, const int *kind0,          \
		const int *kind1, const int *flags
#define ARGS_f77_plan_r2r_2d plan, n0, n1, in, out, kind0, kind1, flags
#define PARAMS_f77_plan_r2r_3d                                                                     \
	void **plan, const int *n0, const int *n1, const int *n2, void *in, void *out,             \
		const int *kind0, const int *kind1, const int *kind2, const int *flags
#define ARGS_f77_plan_r2r_3d plan, n0, n1, n2, in, out, kind0, kind1, kind2, flags
#define PARAMS_f77_plan_r2r_nd                                                                     \
	void **plan, const int *rank, const int *n, void *in, void *out, const void *kind,         \
		const int *flags
#define ARGS_f77_plan_r2r_nd plan, rank, n, in, out, kind, flags
#define PARAMS_f77_plan_r2r_many                                                                   \
	void **plan, const int *rank, const int *n, const int *howmany, void *in,                  \
		const int *inembed, const int *istride, const int *idist, void *out,               \
		const int *onembed, const int *ostride, const int *odist, const void *kind,        \
		const int *flags
#define ARGS_f77_plan_r2r_many                                                                     \
	plan, rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, kind,   \
		flags
#define PARAMS_f77_plan_r2r_guru                                                                   \
	void **plan, const int *rank, const int *n, const int *is, const int *os,                  \
		const int *loops, const int *loop_n, const int *loop_is, const int *loop_os,       \
		void *in, void *out, const void *kind, const int *flags
#define ARGS_f77_plan_r2r_guru                                                                     \
	plan, rank, n, is, os, loops, loop_n, loop_is, loop_os, in, out, kind, flags
#define PARAMS_f77_execute void *const *plan
#define ARGS_f77_execute plan
#define PARAMS_f77_execute_new void *const *plan, void *in, void *out
#define ARGS_f77_execute_new plan, in, out
#define PARAMS_f77_execute_split void *const *plan, void *ri, void *ii, void *ro, void *io
#define ARGS_f77_execute_split plan, ri, ii, ro, io
#define PARAMS_f77_execute_split_real void *const *plan, void *first, void *second, void *third
#define ARGS_f77_execute_split_real plan, first, second, third
#define PARAMS_f77_destroy void *const *plan
#define ARGS_f77_destroy plan

/* Everything else, by its arguments and, behind _to_, its result. */
#define PARAMS_nothing void
#define ARGS_nothing
#define PARAMS_to_int void
#define ARGS_to_int
#define PARAMS_to_pointer void
#define ARGS_to_pointer
#define PARAMS_threads int threads
#define ARGS_threads threads
#define PARAMS_f77_threads const int *threads
#define ARGS_f77_threads threads
#define PARAMS_double double value
#define ARGS_double value
#define PARAMS_pointer void *pointer
#define ARGS_pointer pointer
#define PARAMS_pointer_to_int void *pointer
#define ARGS_pointer_to_int pointer
#define PARAMS_pointer_to_pointer void *pointer
#define ARGS_pointer_to_pointer pointer
#define PARAMS_pointer_to_double void *pointer
#define ARGS_pointer_to_double pointer
#define PARAMS_pointers void *first, void *second
#define ARGS_pointers first, second
#define PARAMS_pointers_to_int void *first, void *second
#define ARGS_pointers_to_int first, second
#define PARAMS_pointers3 void *first, void *second, void *third
#define ARGS_pointers3 first, second, third
#define PARAMS_pointers4 void *first, void *second, void *third, void *fourth
#define ARGS_pointers4 first, second, third, fourth
#define PARAMS_alloc size_t count
#define ARGS_alloc count
#define PARAMS_alloc_real PARAMS_alloc
#define ARGS_alloc_real ARGS_alloc
#define PARAMS_alloc_complex PARAMS_alloc
#define ARGS_alloc_complex ARGS_alloc
#define PARAMS_free PARAMS_pointer
#define ARGS_free ARGS_pointer

#endif
