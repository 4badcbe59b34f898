/* gpu_square.h - which elements of a square A are read: a triangle, or that without its diagonal */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_SQUARE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_SQUARE_H

#include "policy/call/operand.h"
#include "shim/execute/gpu/copy/pack.h"

/*
 * The rule by which A is loaded: PACK_WHOLE in families without a square. The other triangle may be
 * another matrix, in use by another thread, or not be accessible at all. The imaginary parts of a
 * Hermitian diagonal are not used by BLAS, whatever they hold.
 */
static inline struct pack_rule gpu_square_make_rule(enum family family, enum element element,
                                                    const struct blas_call *blas)
{
	struct pack_rule rule = {.element = element, .part = PACK_WHOLE};
	if (!family_has_square(family))
		return rule;
	rule.part = blas->uplo == UPLO_UPPER ? PACK_UPPER : PACK_LOWER;
	rule.unit = family_is_in_place(family) && blas->diag == DIAG_UNIT;
	rule.hermitian = family_is_hermitian(family) && element_is_complex(element);
	return rule;
}

#endif
