/* verify.h - whether two results of a BLAS call differ by more than rounding can explain; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_H

#include "policy/verify/verify_terms.h"

/*
 * Bounds are worst cases over every order of summation, for two results that were both rounded.
 * Norms are Frobenius norms, u is the unit roundoff of the element. Source: Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd edition.
 *
 *   products       |C1 - C2| <= 2 f (k + 2) u (|alpha| |A| |B| + |beta| |C0|)       (3.13)
 *   syr2k, her2k   the same with 2 k for k, and twice |A| |B|
 *   trmm           the same with C0 for B and without beta
 *   trsm, left     |op(A) (X1 - X2)| <= 4 f (k + 2) u |A| (|X1| + |X2|)             theorem 8.5
 *   trsm, right    the same with (X1 - X2) op(A)
 *
 * f is 1 for real elements and 2 sqrt(2) for complex ones (lemma 3.5), and 8 for gemm3m, whose
 * imaginary part is the difference of larger terms (section 23.2.4). k is that of struct blas_call.
 * TensorFloat-32, if allowed, cuts each factor to 10 bits. Underflow adds the least normal number
 * per term, times the other factor.
 */

/*
 * Compares both results. An element that is not finite on one side must not be finite on the other,
 * unless an operand that is not finite, or an overflow of intermediate terms, explains the
 * difference. For trsm the verdict is whether the difference of the solutions is small enough by
 * itself; if not, verify_judge_residual decides, unless the deviation is infinite.
 */
void verify_judge(const struct verify_problem *problem, struct verify_verdict *verdict);

/*
 * trsm only: writes the difference of the solutions, times the factor that is returned, to
 * difference (m x n, leading dimension m). The factor keeps a product with A from overflow and
 * underflow.
 */
long double verify_subtract(const struct verify_problem *problem, void *difference);

/*
 * trsm only: judges by residual, which is op(A) times that difference, or the difference times
 * op(A) (leading dimension m); scale is the factor of verify_subtract.
 */
void verify_judge_residual(const struct verify_problem *problem, const void *residual,
                           long double scale, struct verify_verdict *verdict);

#endif
