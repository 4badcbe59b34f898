/* fate.h - where a result must be non-finite, where it may be, and where it must be finite */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_FATE_H
#define GPUSHIM_TESTS_NUMERIC_FATE_H

#include "product.h"

/*
 * EITHER: a kernel that works on whole tiles multiplies the NaN by a zero that stands for the other
 * triangle. SKIPPED: the NaN meets an exact zero of an operand, at which some libraries do not
 * multiply.
 */
enum fate { FATE_FINITE, FATE_EITHER, FATE_SKIPPED, FATE_FOREIGN };

/*
 * For each element (i, j) of the problem's result at i * n + j; fate has room for m * n. before is
 * the arena.
 */
void fate_find(const struct trial *t, int problem, const char *before, enum fate *fate);

static inline bool fate_is_finite(double complex value)
{
	return __builtin_isfinite(creal(value)) && __builtin_isfinite(cimag(value));
}

#endif
