/* coverage_flops.h - how many floating-point operations a call does, by LAPACK Working Note 41; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_COVERAGE_COVERAGE_FLOPS_H
#define GPUSHIM_COVERAGE_COVERAGE_FLOPS_H

#include <stdbool.h>
#include <stdint.h>

enum coverage_form {
	COVERAGE_FORM_NONE, /* no arithmetic, or none that is known */
	/* PAIR_: of complex vectors, counted as real ones of twice the length */
	COVERAGE_FORM_AXPY,
	COVERAGE_FORM_AXPBY,
	COVERAGE_FORM_SCAL,
	COVERAGE_FORM_ASUM,
	COVERAGE_FORM_ROT,
	COVERAGE_FORM_PAIR_AXPY,
	COVERAGE_FORM_PAIR_SCAL,
	COVERAGE_FORM_PAIR_ASUM,
	COVERAGE_FORM_PAIR_ROT,
	COVERAGE_FORM_GEMV,
	COVERAGE_FORM_SYMV,
	COVERAGE_FORM_TRMV,
	COVERAGE_FORM_GER,
	COVERAGE_FORM_SYR,
	COVERAGE_FORM_SYR2,
	COVERAGE_FORM_GEMM,
	COVERAGE_FORM_GEMMT,
	COVERAGE_FORM_BATCH,   /* groups of GEMM, sizes in arrays */
	COVERAGE_FORM_STRIDED, /* GEMM many times */
	COVERAGE_FORM_SYMM,
	COVERAGE_FORM_SYRK,
	COVERAGE_FORM_SYR2K,
	COVERAGE_FORM_TRMM,
	COVERAGE_FORM_GETRF,
	COVERAGE_FORM_GETRS,
	COVERAGE_FORM_GESV,
	COVERAGE_FORM_GETRI,
	COVERAGE_FORM_POTRF,
	COVERAGE_FORM_POTRS,
	COVERAGE_FORM_POSV,
	COVERAGE_FORM_POTRI,
	COVERAGE_FORM_TRTRI,
	COVERAGE_FORM_TRTRS,
	COVERAGE_FORM_GEQRF,
	/* FFTW */
	COVERAGE_FORM_PLAN_1,
	COVERAGE_FORM_PLAN_2,
	COVERAGE_FORM_PLAN_3,
	COVERAGE_FORM_PLAN_ND,
	COVERAGE_FORM_PLAN_MANY,
	COVERAGE_FORM_PLAN_GURU,
	COVERAGE_FORM_PLAN_GURU64,
	COVERAGE_FORM_PLAN_OTHER,
	COVERAGE_FORM_EXECUTE
};

/* As the call names them; what it does not have is 0. count: of equal problems. is_right: A stands on the right. */
struct coverage_sizes {
	int64_t m, n, k, count;
	bool is_right;
};

/*
 * Multiplications and additions; a complex multiplication is 6 of them, a complex addition 2. 0 where the form has no
 * formula or a size is not positive; UINT64_MAX where it is more.
 */
uint64_t coverage_flops_count(enum coverage_form form, bool is_complex, const struct coverage_sizes *sizes);

/* Elements of the operands, each once and whole, of level 3; 0 for other forms. */
uint64_t coverage_flops_count_elements(enum coverage_form form, const struct coverage_sizes *sizes);

/*
 * Of a transform of n points, times count: 5 n log2 n, the customary measure of speeds (the algorithm may do fewer);
 * half of it where one side is real.
 */
uint64_t coverage_flops_count_transform(int64_t points, int64_t count, bool is_half);

#endif
