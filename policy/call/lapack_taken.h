/* lapack_taken.h - the families of LAPACK that the GPU computes */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_LAPACK_TAKEN_H
#define GPUSHIM_POLICY_CALL_LAPACK_TAKEN_H

#include <stdbool.h>

#include "policy/call/family.h"

/* Those that shim/execute/gpu/lapack/lapack_recipe.c has a recipe of; all others are the CPU's. */
static inline bool lapack_taken_has(enum family family)
{
	return family_is_lapack(family) && family != FAMILY_GELS;
}

#endif
