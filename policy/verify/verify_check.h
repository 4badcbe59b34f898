/* verify_check.h - the checks of LAPACK's families, which verify_check.def assigns; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_CHECK_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_CHECK_H

#include "policy/verify/verify_bench.h"

/* Each joins its verdict to that of the bench. */
typedef void verify_check(struct verify_bench *bench);

verify_check verify_linear_judge_getrf;
verify_check verify_linear_judge_getrs;
verify_check verify_linear_judge_gesv;
verify_check verify_linear_judge_getri;
verify_check verify_linear_judge_potrf;
verify_check verify_linear_judge_potrs;
verify_check verify_linear_judge_posv;
verify_check verify_linear_judge_potri;
verify_check verify_linear_judge_trtri;
verify_check verify_spectrum_judge_symmetric;
verify_check verify_spectrum_judge_pair;
verify_check verify_orthogonal_judge_factor;
verify_check verify_orthogonal_judge_columns;
verify_check verify_orthogonal_judge_product;
verify_check verify_orthogonal_judge_least;
verify_check verify_singular_judge_vectors;
verify_check verify_general_judge_spectrum;

/* The Cholesky factor in this operand. */
void verify_linear_judge_cholesky(struct verify_bench *bench, enum lapack_name name);

/* Eigenvalues and singular values without vectors, by others of the same problem. */
void verify_spectrum_judge_values(struct verify_bench *bench, const void *values);

#endif
