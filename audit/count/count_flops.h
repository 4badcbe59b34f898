/* count_flops.h - how many floating-point operations a call does, by LAPACK Working Note 41; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_FLOPS_H
#define GPUSHIM_AUDIT_COUNT_COUNT_FLOPS_H

#include <stdbool.h>
#include <stdint.h>

enum count_form {
	COUNT_FORM_NONE, /* no arithmetic, or none that is known */
	/* PAIR_: of complex vectors, counted as real ones of twice the length */
	COUNT_FORM_AXPY,
	COUNT_FORM_AXPBY,
	COUNT_FORM_SCAL,
	COUNT_FORM_ASUM,
	COUNT_FORM_ROT,
	COUNT_FORM_PAIR_AXPY,
	COUNT_FORM_PAIR_SCAL,
	COUNT_FORM_PAIR_ASUM,
	COUNT_FORM_PAIR_ROT,
	COUNT_FORM_GEMV,
	COUNT_FORM_SYMV,
	COUNT_FORM_TRMV,
	COUNT_FORM_GER,
	COUNT_FORM_SYR,
	COUNT_FORM_SYR2,
	COUNT_FORM_GEMM,
	COUNT_FORM_GEMMT,
	COUNT_FORM_BATCH,   /* groups of GEMM, sizes in arrays */
	COUNT_FORM_STRIDED, /* GEMM many times */
	COUNT_FORM_SYMM,
	COUNT_FORM_SYRK,
	COUNT_FORM_SYR2K,
	COUNT_FORM_TRMM,
	COUNT_FORM_GETRF,
	COUNT_FORM_GETRS,
	COUNT_FORM_GESV,
	COUNT_FORM_GETRI,
	COUNT_FORM_POTRF,
	COUNT_FORM_POTRS,
	COUNT_FORM_POSV,
	COUNT_FORM_POTRI,
	COUNT_FORM_TRTRI,
	COUNT_FORM_TRTRS,
	COUNT_FORM_GEQRF,
	/* FFTW */
	COUNT_FORM_PLAN_1,
	COUNT_FORM_PLAN_2,
	COUNT_FORM_PLAN_3,
	COUNT_FORM_PLAN_ND,
	COUNT_FORM_PLAN_MANY,
	COUNT_FORM_PLAN_GURU,
	COUNT_FORM_PLAN_GURU64,
	COUNT_FORM_PLAN_OTHER,
	COUNT_FORM_EXECUTE
};

/*
 * As the call names them; what it does not have is 0. count: of equal problems. is_right: A stands
 * on the right.
 */
struct count_sizes {
	int64_t m, n, k, count;
	bool is_right;
};

/*
 * Multiplications and additions; a complex multiplication is 6 of them, a complex addition 2. 0
 * where the form has no formula or a size is not positive; UINT64_MAX where it is more.
 */
uint64_t count_flops_count(enum count_form form, bool is_complex, const struct count_sizes *sizes);

/* Elements of the operands, each once and whole, of level 3; 0 for other forms. */
uint64_t count_flops_count_elements(enum count_form form, const struct count_sizes *sizes);

/*
 * Of a transform of n points, times count: 5 n log2 n, the customary measure of speeds (the
 * algorithm may do fewer); half of it where one side is real.
 */
uint64_t count_flops_count_transform(int64_t points, int64_t count, bool is_half);

#endif
