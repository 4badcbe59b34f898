/* lapack_recipe.c - one short function per family */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/lapack_recipe.h"

#include <stddef.h>

static void lapack_recipe_getrf(struct solve *solve)
{
	solve_getrf(solve);
}

static void lapack_recipe_getrs(struct solve *solve)
{
	solve_getrs(solve, solve->call.lapack.trans);
}

static void lapack_recipe_gesv(struct solve *solve)
{
	solve_getrf(solve);
	solve_getrs(solve, TRANSPOSE_N);
}

static void lapack_recipe_potrf(struct solve *solve)
{
	solve_potrf(solve);
}

static void lapack_recipe_potrs(struct solve *solve)
{
	solve_potrs(solve);
}

static void lapack_recipe_posv(struct solve *solve)
{
	solve_potrf(solve);
	solve_potrs(solve);
}

lapack_recipe *lapack_recipe_find(enum family family)
{
	switch (family) {
	case FAMILY_GETRF: return lapack_recipe_getrf;
	case FAMILY_GETRS: return lapack_recipe_getrs;
	case FAMILY_GESV: return lapack_recipe_gesv;
	case FAMILY_POTRF: return lapack_recipe_potrf;
	case FAMILY_POTRS: return lapack_recipe_potrs;
	case FAMILY_POSV: return lapack_recipe_posv;
	default: return NULL;
	}
}
