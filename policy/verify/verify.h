/* verify.h - whether two results of a BLAS call differ by more than rounding can explain; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_H

#include "policy/verify/verify_terms.h"

/*
 * The bounds are worst cases of any order of summation, for two results that were both rounded.
 * Norms are Frobenius's, u is the unit roundoff of the element. Source: Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd edition.
 *
 *   products       |C1 - C2| <= 2 f (k + 2) u (|alpha| |A| |B| + |beta| |C0|)             section 3.5, (3.13)
 *   syr2k, her2k   the same with 2 k for k, and twice |A| |B|
 *   trmm           the same, C0 as B and no beta
 *   trsm           |op(A) (X1 - X2)| <= 4 f (k + 2) u |A| (|X1| + |X2|), or from the right   theorem 8.5
 *
 * f is 1 for real elements, 2 sqrt(2) for complex ones (lemma 3.5), and 8 for gemm3m, whose
 * imaginary part is what remains of larger terms (section 23.2.4). k is that of struct blas_call.
 * TensorFloat-32, where it is allowed, cuts each factor to 10 bits. What underflows adds the least
 * normal number per term, times the other factor.
 */

/*
 * Compares. Where the CPU's result is not finite the GPU's must not be either, and the other way
 * round; but for what can follow from operands that are not finite, or from terms that overflow
 * where only one side computes them. Of trsm it asks whether the difference of the solutions is
 * small enough by itself; if not, verify_judge_residual has the last word, unless the deviation is
 * infinite.
 */
void verify_judge(const struct verify_problem *problem, struct verify_verdict *verdict);

/*
 * Of trsm: writes the difference of the solutions, times the number that is returned, into
 * difference, of leading dimension m: a product with A neither overflows nor vanishes then.
 */
long double verify_subtract(const struct verify_problem *problem, void *difference);

/* residual: op(A) times that difference, or the difference times op(A), of leading dimension m. */
void verify_judge_residual(const struct verify_problem *problem, const void *residual,
                           long double scale, struct verify_verdict *verdict);

#endif
