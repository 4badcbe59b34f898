/* fftw_shapes.h - each argument list of FFTW3 once: to declare and to pass on */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_TABLE_FFTW_SHAPES_H
#define GPUSHIM_SHIM_TABLE_FFTW_SHAPES_H

#include <stddef.h>

/* clang-format off */
/*
 * A(type, name) is an argument. Arrays, plans and functions of all precisions are untyped pointers.
 * Planners by their sizes, arrays, sign or kinds, and flags. The guru planners take arrays of
 * {n, is, os}: ints, or in their 64-bit form ptrdiff_t.
 */
#define LIST_ARRAYS(A) A(void *, in), A(void *, out)
#define LIST_SPLIT(A) A(void *, ri), A(void *, ii), A(void *, ro), A(void *, io)
#define LIST_1D(A) A(int, n0)
#define LIST_2D(A) A(int, n0), A(int, n1)
#define LIST_3D(A) A(int, n0), A(int, n1), A(int, n2)
#define LIST_ND(A) A(int, rank), A(const int *, n)
#define LIST_GURU(A) A(int, rank), A(const void *, dims), A(int, loops), A(const void *, loop_dims)
#define LIST_MANY(A) \
	A(int, rank), A(const int *, n), A(int, howmany), A(void *, in), A(const int *, inembed), A(int, istride), \
	A(int, idist), A(void *, out), A(const int *, onembed), A(int, ostride), A(int, odist)
#define LIST_SIGN(A) A(int, sign), A(unsigned, flags)
#define LIST_FLAGS(A) A(unsigned, flags)

#define LIST_plan_1d(A, V) LIST_1D(A), LIST_ARRAYS(A), LIST_SIGN(A)
#define LIST_plan_2d(A, V) LIST_2D(A), LIST_ARRAYS(A), LIST_SIGN(A)
#define LIST_plan_3d(A, V) LIST_3D(A), LIST_ARRAYS(A), LIST_SIGN(A)
#define LIST_plan_nd(A, V) LIST_ND(A), LIST_ARRAYS(A), LIST_SIGN(A)
#define LIST_plan_many(A, V) LIST_MANY(A), LIST_SIGN(A)
#define LIST_plan_guru(A, V) LIST_GURU(A), LIST_ARRAYS(A), LIST_SIGN(A)
#define LIST_plan_guru64 LIST_plan_guru
#define LIST_plan_split_guru(A, V) LIST_GURU(A), LIST_SPLIT(A), LIST_FLAGS(A)
#define LIST_plan_split_guru64 LIST_plan_split_guru

/* r2c and c2r. In their split forms the complex side has two arrays, the first or the last two. */
#define LIST_SPLIT_REAL(A) A(void *, first), A(void *, second), A(void *, third)
#define LIST_plan_real_1d(A, V) LIST_1D(A), LIST_ARRAYS(A), LIST_FLAGS(A)
#define LIST_plan_real_2d(A, V) LIST_2D(A), LIST_ARRAYS(A), LIST_FLAGS(A)
#define LIST_plan_real_3d(A, V) LIST_3D(A), LIST_ARRAYS(A), LIST_FLAGS(A)
#define LIST_plan_real_nd(A, V) LIST_ND(A), LIST_ARRAYS(A), LIST_FLAGS(A)
#define LIST_plan_real_many(A, V) LIST_MANY(A), LIST_FLAGS(A)
#define LIST_plan_real_guru(A, V) LIST_GURU(A), LIST_ARRAYS(A), LIST_FLAGS(A)
#define LIST_plan_real_guru64 LIST_plan_real_guru
#define LIST_plan_split_real_guru(A, V) LIST_GURU(A), LIST_SPLIT_REAL(A), LIST_FLAGS(A)
#define LIST_plan_split_real_guru64 LIST_plan_split_real_guru

/* r2r: with a kind per dimension. */
#define LIST_KINDS(A) A(const void *, kind), A(unsigned, flags)
#define LIST_plan_r2r_1d(A, V) LIST_1D(A), LIST_ARRAYS(A), A(int, kind0), LIST_FLAGS(A)
#define LIST_plan_r2r_2d(A, V) LIST_2D(A), LIST_ARRAYS(A), A(int, kind0), A(int, kind1), LIST_FLAGS(A)
#define LIST_plan_r2r_3d(A, V) \
	LIST_3D(A), LIST_ARRAYS(A), A(int, kind0), A(int, kind1), A(int, kind2), LIST_FLAGS(A)
#define LIST_plan_r2r_nd(A, V) LIST_ND(A), LIST_ARRAYS(A), LIST_KINDS(A)
#define LIST_plan_r2r_many(A, V) LIST_MANY(A), LIST_KINDS(A)
#define LIST_plan_r2r_guru(A, V) LIST_GURU(A), LIST_ARRAYS(A), LIST_KINDS(A)
#define LIST_plan_r2r_guru64 LIST_plan_r2r_guru

#define LIST_execute(A, V) A(void *, plan)
#define LIST_execute_new(A, V) A(void *, plan), LIST_ARRAYS(A)
#define LIST_execute_split(A, V) A(void *, plan), LIST_SPLIT(A)
#define LIST_execute_split_real(A, V) A(void *, plan), LIST_SPLIT_REAL(A)
#define LIST_destroy(A, V) A(void *, plan)

/*
 * The legacy interface of Fortran: everything by reference, dimensions in reversed order; planners
 * return the plan in their first argument.
 */
#define LIST_F77_1D(A) A(void **, plan), A(const int *, n0)
#define LIST_F77_2D(A) LIST_F77_1D(A), A(const int *, n1)
#define LIST_F77_3D(A) LIST_F77_2D(A), A(const int *, n2)
#define LIST_F77_ND(A) A(void **, plan), A(const int *, rank), A(const int *, n)
#define LIST_F77_GURU(A) \
	LIST_F77_ND(A), A(const int *, is), A(const int *, os), \
	A(const int *, loops), A(const int *, loop_n), A(const int *, loop_is), A(const int *, loop_os)
#define LIST_F77_MANY(A) \
	LIST_F77_ND(A), A(const int *, howmany), A(void *, in), A(const int *, inembed), A(const int *, istride), \
	A(const int *, idist), A(void *, out), A(const int *, onembed), A(const int *, ostride), A(const int *, odist)
#define LIST_F77_SIGN(A) A(const int *, sign), A(const int *, flags)
#define LIST_F77_FLAGS(A) A(const int *, flags)
#define LIST_F77_KINDS(A) A(const void *, kind), A(const int *, flags)

#define LIST_f77_plan_1d(A, V) LIST_F77_1D(A), LIST_ARRAYS(A), LIST_F77_SIGN(A)
#define LIST_f77_plan_2d(A, V) LIST_F77_2D(A), LIST_ARRAYS(A), LIST_F77_SIGN(A)
#define LIST_f77_plan_3d(A, V) LIST_F77_3D(A), LIST_ARRAYS(A), LIST_F77_SIGN(A)
#define LIST_f77_plan_nd(A, V) LIST_F77_ND(A), LIST_ARRAYS(A), LIST_F77_SIGN(A)
#define LIST_f77_plan_many(A, V) LIST_F77_MANY(A), LIST_F77_SIGN(A)
#define LIST_f77_plan_guru(A, V) LIST_F77_GURU(A), LIST_ARRAYS(A), LIST_F77_SIGN(A)
#define LIST_f77_plan_split_guru(A, V) LIST_F77_GURU(A), LIST_SPLIT(A), LIST_F77_FLAGS(A)
#define LIST_f77_plan_real_1d(A, V) LIST_F77_1D(A), LIST_ARRAYS(A), LIST_F77_FLAGS(A)
#define LIST_f77_plan_real_2d(A, V) LIST_F77_2D(A), LIST_ARRAYS(A), LIST_F77_FLAGS(A)
#define LIST_f77_plan_real_3d(A, V) LIST_F77_3D(A), LIST_ARRAYS(A), LIST_F77_FLAGS(A)
#define LIST_f77_plan_real_nd(A, V) LIST_F77_ND(A), LIST_ARRAYS(A), LIST_F77_FLAGS(A)
#define LIST_f77_plan_real_many(A, V) LIST_F77_MANY(A), LIST_F77_FLAGS(A)
#define LIST_f77_plan_real_guru(A, V) LIST_F77_GURU(A), LIST_ARRAYS(A), LIST_F77_FLAGS(A)
#define LIST_f77_plan_split_real_guru(A, V) LIST_F77_GURU(A), LIST_SPLIT_REAL(A), LIST_F77_FLAGS(A)
#define LIST_f77_plan_r2r_1d(A, V) LIST_F77_1D(A), LIST_ARRAYS(A), A(const int *, kind0), LIST_F77_FLAGS(A)
#define LIST_f77_plan_r2r_2d(A, V) \
	LIST_F77_2D(A), LIST_ARRAYS(A), A(const int *, kind0), A(const int *, kind1), LIST_F77_FLAGS(A)
#define LIST_f77_plan_r2r_3d(A, V) \
	LIST_F77_3D(A), LIST_ARRAYS(A), A(const int *, kind0), A(const int *, kind1), A(const int *, kind2), LIST_F77_FLAGS(A)
#define LIST_f77_plan_r2r_nd(A, V) LIST_F77_ND(A), LIST_ARRAYS(A), LIST_F77_KINDS(A)
#define LIST_f77_plan_r2r_many(A, V) LIST_F77_MANY(A), LIST_F77_KINDS(A)
#define LIST_f77_plan_r2r_guru(A, V) LIST_F77_GURU(A), LIST_ARRAYS(A), LIST_F77_KINDS(A)
#define LIST_f77_execute(A, V) A(void *const *, plan)
#define LIST_f77_execute_new(A, V) A(void *const *, plan), LIST_ARRAYS(A)
#define LIST_f77_execute_split(A, V) A(void *const *, plan), LIST_SPLIT(A)
#define LIST_f77_execute_split_real(A, V) A(void *const *, plan), LIST_SPLIT_REAL(A)
#define LIST_f77_destroy(A, V) A(void *const *, plan)

/* Everything else, by its arguments and, behind _to_, its result. V: the list is empty. */
#define LIST_nothing(A, V) V
#define LIST_to_int LIST_nothing
#define LIST_to_pointer LIST_nothing
#define LIST_cleanup LIST_nothing
#define LIST_threads(A, V) A(int, threads)
#define LIST_f77_threads(A, V) A(const int *, threads)
#define LIST_double(A, V) A(double, value)
#define LIST_pointer(A, V) A(void *, pointer)
#define LIST_pointer_to_int LIST_pointer
#define LIST_pointer_to_pointer LIST_pointer
#define LIST_pointer_to_double LIST_pointer
#define LIST_free LIST_pointer
#define LIST_pointers(A, V) A(void *, first), A(void *, second)
#define LIST_pointers_to_int LIST_pointers
#define LIST_callback LIST_pointers
#define LIST_pointers3(A, V) LIST_pointers(A, V), A(void *, third)
#define LIST_pointers4(A, V) LIST_pointers3(A, V), A(void *, fourth)
#define LIST_alloc(A, V) A(size_t, count)
#define LIST_alloc_real LIST_alloc
#define LIST_alloc_complex LIST_alloc
/* clang-format on */

/*
 * The parameters of a list and their names, and the same behind other arguments: there an empty
 * list is an unused int.
 */
#define FFTW_DECLARE(type, name) type name
#define FFTW_NAME(type, name) name
#define FFTW_PARAMS(shape) LIST_##shape(FFTW_DECLARE, void)
#define FFTW_ARGS(shape) LIST_##shape(FFTW_NAME, )
#define FFTW_MORE_PARAMS(shape) LIST_##shape(FFTW_DECLARE, int unused __attribute__((unused)))
#define FFTW_MORE_ARGS(shape) LIST_##shape(FFTW_NAME, 0)

#endif
