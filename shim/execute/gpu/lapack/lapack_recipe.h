/* lapack_recipe.h - how each family of LAPACK is made of cuSOLVER's and cuBLAS's functions */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_RECIPE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_RECIPE_H

#include "shim/execute/gpu/lapack/solve.h"

/* Does the steps of the call's family, or measures them. */
typedef void lapack_recipe(struct solve *solve);

/* NULL: the family is the CPU's. */
lapack_recipe *lapack_recipe_find(enum family family);

#endif
