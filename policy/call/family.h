/* family.h - the families of routines, one per row of family.def */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_FAMILY_H
#define GPUSHIM_POLICY_CALL_FAMILY_H

#include <stdbool.h>

enum family {
#define FAMILY(id, ...) FAMILY_##id,
#include "policy/call/family.def"
	FAMILY_COUNT
};

/* They stand last in family.def. */
static inline bool family_is_fft(enum family family)
{
	return family >= FAMILY_FFT_C2C;
}

static inline bool family_is_batch(enum family family)
{
	return family == FAMILY_GEMM_BATCH || family == FAMILY_GEMM_BATCH_STRIDED;
}

/*
 * Whether beta scales the result: it is not read where beta is 0. The others overwrite their
 * operand.
 */
static inline bool family_is_in_place(enum family family)
{
	return family == FAMILY_TRMM || family == FAMILY_TRSM;
}

#endif
