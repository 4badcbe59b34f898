/* count_flops.h - floating-point operations of a call, after LAPACK Working Note 41; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_FLOPS_H
#define GPUSHIM_AUDIT_COUNT_COUNT_FLOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/element.h"
#include "policy/call/family.h"

enum count_form {
	COUNT_FORM_NONE, /* no arithmetic, or no formula */
/*
 * Level 3 and LAPACK: the families of the policy. FFT_... are the policy's own transforms: no row
 * has them.
 */
#define FAMILY(id, ...) COUNT_FORM_##id,
#include "policy/call/family.def"
	/* Vectors. PAIR_: complex ones, counted as real ones of twice the length. */
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
	/* LAPACK beside the families */
	COUNT_FORM_TRTRS,
	/* FFTW: how a planner gets the sizes; OTHER: in a way that is not read */
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
 * The call's arguments of these names; 0 for one that it does not have. count: number of equal
 * problems; 0 is one. is_right: A, or Q, stands on the right. has_vectors: eigenvectors or singular
 * vectors of either side are computed.
 */
struct count_sizes {
	int64_t m, n, k, count;
	bool is_right, has_vectors;
};

/* The family of a form of level 3 or LAPACK. */
static inline enum family count_flops_find_family(enum count_form form)
{
	return (enum family)(form - COUNT_FORM_GEMM);
}

static inline bool count_flops_is_level3(enum count_form form)
{
	return form > COUNT_FORM_NONE && form < COUNT_FORM_AXPY &&
	       family_is_blas(count_flops_find_family(form));
}

static inline bool count_flops_is_lapack(enum count_form form)
{
	return form == COUNT_FORM_TRTRS || (form > COUNT_FORM_NONE && form < COUNT_FORM_AXPY &&
	                                    family_is_lapack(count_flops_find_family(form)));
}

/*
 * Multiplications and additions of real numbers; a complex multiplication is 6 of them, a complex
 * addition 2. Those of eigen- and singular values are nominal, as in lapack_family.def: their
 * iterations depend on the data. 0 where the form has no formula or a size is negative; at most
 * UINT64_MAX.
 */
uint64_t count_flops_count(enum count_form form, bool is_complex, const struct count_sizes *sizes);

/* Bytes of the operands of level 3, squares counted whole; 0 for other forms. */
uint64_t count_flops_count_bytes(enum count_form form, enum element element,
                                 const struct count_sizes *sizes);

/*
 * Of count transforms of n points: 5 n log2 n each, the usual convention for FFT speeds (the
 * algorithm may do fewer); half of it where one side is real.
 */
uint64_t count_flops_count_transform(int64_t points, int64_t count, bool is_half);

#endif
