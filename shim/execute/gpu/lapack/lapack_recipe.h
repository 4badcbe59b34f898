/* lapack_recipe.h - how each family of LAPACK is made of cuSOLVER's and cuBLAS's functions */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_RECIPE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_RECIPE_H

#include "shim/execute/gpu/lapack/solve.h"

/* The largest order of Xgeev: its square is an int. */
enum { LAPACK_RECIPE_GEEV_MOST = 46340 };

/* Does the steps of the call's family, or measures them. */
typedef void lapack_recipe(struct solve *solve);

/* NULL: the family is the CPU's. */
lapack_recipe *lapack_recipe_find(enum family family);

/* REASON_CPU_ONLY_JOB: cuSOLVER has no form for the call's letters or sizes. */
enum reason lapack_recipe_judge(const struct call *call);

#endif
