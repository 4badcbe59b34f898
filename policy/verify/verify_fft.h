/* verify_fft.h - whether results of an FFTW plan differ by more than rounding explains; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_FFT_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_FFT_H

#include "policy/verify/verify_norm.h"

/*
 * Each transform is judged by itself, with Euclidean norms; N is the product of its lengths:
 *
 *   |y1 - y2| <= 2 * 16 (log2 N + 1) u |y|
 *
 * Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, theorem 24.2, has 4 sqrt(2)
 * + 1 for powers of two; 16 leaves room for other lengths, which may be computed by a convolution
 * of twice the length. For c2r |y| is at least sqrt(2 N) |x|, because the part of the input that
 * belongs to no real signal cancels.
 */

/* Copies the elements of one side; both addresses have the same strides. */
void verify_fft_copy_side(const struct fft_problem *problem, bool output, void *to,
                          const void *from);

/*
 * Compares the outputs of all transforms; in is their input, read for c2r only. *verdict is that of
 * the transform that is farthest from its bound. A transform that is not finite on one side must
 * not be finite on the other, unless it came near overflow.
 */
void verify_fft_judge(const struct fft_problem *problem, const void *in, const void *gpu,
                      const void *cpu, struct verify_verdict *verdict);

#endif
