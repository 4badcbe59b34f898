/* verify_spectrum.h - values and bases, in checks of eigen- and singular values; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_SPECTRUM_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_SPECTRUM_H

#include "policy/verify/verify_bench.h"

/* x := W x, of real values in W, times 2 to the power. */
void verify_spectrum_weigh(const struct verify_bench *bench, const struct verify_vector *x,
                           int64_t count, int power);

/* The power of two in whose unit neither A nor a value in W is large. */
int verify_spectrum_find_unit(const struct verify_bench *bench, const struct verify_view *a,
                              int64_t count);

/* That values rise, or fall. */
void verify_spectrum_judge_order(struct verify_bench *bench, int64_t count, bool falls, int power);

/* That columns (TRANSPOSE_N) or rows are orthonormal. */
void verify_spectrum_judge_basis(struct verify_bench *bench, const struct verify_view *z,
                                 enum transpose trans);

#endif
