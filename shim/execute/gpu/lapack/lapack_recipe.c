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

/* The solution of A X = I: the pivots need no columns exchanged then. */
static void lapack_recipe_getri(struct solve *solve)
{
	solve_make_unit(solve);
	solve_getrs(solve, TRANSPOSE_N);
	solve_copy(solve, LAPACK_B, LAPACK_A);
}

static void lapack_recipe_potri(struct solve *solve)
{
	solve_potri(solve);
}

static void lapack_recipe_trtri(struct solve *solve)
{
	solve_trtri(solve);
}

static void lapack_recipe_syev(struct solve *solve)
{
	solve_syevd(solve);
}

static void lapack_recipe_syevr(struct solve *solve)
{
	if (solve->call.lapack.range == 'I')
		solve_syevdx(solve);
	else
		solve_syevd(solve);
	solve_copy(solve, LAPACK_A, LAPACK_U);
}

static void lapack_recipe_sygv(struct solve *solve)
{
	solve_sygvd(solve);
}

static void lapack_recipe_sygvx(struct solve *solve)
{
	if (solve->call.lapack.range == 'I')
		solve_sygvdx(solve);
	else
		solve_sygvd(solve);
	solve_copy(solve, LAPACK_A, LAPACK_U);
}

static void lapack_recipe_geqrf(struct solve *solve)
{
	solve_geqrf(solve);
}

static void lapack_recipe_orgqr(struct solve *solve)
{
	solve_orgqr(solve);
}

static void lapack_recipe_ormqr(struct solve *solve)
{
	solve_ormqr(solve, solve->call.lapack.side, solve->call.lapack.trans);
}

/*
 * A has no fewer rows than columns. R X = the first rows of Q^H B, whose other rows stay in B; or,
 * of A^H X = B, the X of least norm: Q times the solution of R^H Y = B, with zeros below.
 */
static void lapack_recipe_gels(struct solve *solve)
{
	const bool plain = solve->call.lapack.trans == TRANSPOSE_N;
	solve_make_tau(solve);
	solve_geqrf(solve);
	solve_judge_diagonal(solve);
	if (plain)
		solve_ormqr(solve, SIDE_LEFT, TRANSPOSE_C);
	solve_trsm(solve, solve->call.lapack.trans);
	if (plain)
		return;
	solve_clear_rest(solve);
	solve_ormqr(solve, SIDE_LEFT, TRANSPOSE_N);
}

/* Both are measured: which one is called, the numbers decide. The first one is told. */
static void lapack_recipe_singular(struct solve *solve, char jobu, char jobvt)
{
	if (!solve_gesvdp(solve, jobu, jobvt) || (solve->measures && !solve->tells))
		solve_gesvd(solve, jobu, jobvt);
}

static void lapack_recipe_gesdd(struct solve *solve)
{
	lapack_recipe_singular(solve, solve->call.lapack.jobs[0], solve->call.lapack.jobs[0]);
}

static void lapack_recipe_gesvd(struct solve *solve)
{
	lapack_recipe_singular(solve, solve->call.lapack.jobs[0], solve->call.lapack.jobs[1]);
}

static void lapack_recipe_geev(struct solve *solve)
{
	solve_geev(solve);
	solve_part_values(solve);
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
	case FAMILY_GETRI: return lapack_recipe_getri;
	case FAMILY_POTRI: return lapack_recipe_potri;
	case FAMILY_TRTRI: return lapack_recipe_trtri;
	case FAMILY_SYEV:
	case FAMILY_SYEVD:
	case FAMILY_HEEV:
	case FAMILY_HEEVD: return lapack_recipe_syev;
	case FAMILY_SYEVR:
	case FAMILY_SYEVX:
	case FAMILY_HEEVR:
	case FAMILY_HEEVX: return lapack_recipe_syevr;
	case FAMILY_SYGV:
	case FAMILY_SYGVD:
	case FAMILY_HEGV:
	case FAMILY_HEGVD: return lapack_recipe_sygv;
	case FAMILY_SYGVX:
	case FAMILY_HEGVX: return lapack_recipe_sygvx;
	case FAMILY_GEQRF: return lapack_recipe_geqrf;
	case FAMILY_ORGQR:
	case FAMILY_UNGQR: return lapack_recipe_orgqr;
	case FAMILY_ORMQR:
	case FAMILY_UNMQR: return lapack_recipe_ormqr;
	case FAMILY_GELS: return lapack_recipe_gels;
	case FAMILY_GESDD: return lapack_recipe_gesdd;
	case FAMILY_GESVD: return lapack_recipe_gesvd;
	case FAMILY_GEEV: return lapack_recipe_geev;
	default: return NULL;
	}
}

/* No form for vectors that overwrite A. */
static bool lapack_recipe_has_svd(const struct lapack_call *lapack)
{
	return lapack->jobs[0] != 'O' && lapack->jobs[1] != 'O';
}

/* No left vectors. */
static bool lapack_recipe_has_geev(const struct lapack_call *lapack)
{
	return lapack->jobs[0] == 'N' && lapack->n <= LAPACK_RECIPE_GEEV_MOST;
}

enum reason lapack_recipe_judge(const struct call *call)
{
	if (lapack_recipe_find(call->family) == NULL)
		return REASON_FUNCTION_MISSING;
	/* How many columns the caller's Z has for the vectors of an interval is not known. */
	if (call->lapack.range == 'V')
		return REASON_CPU_ONLY_JOB;
	if ((call->family == FAMILY_GESDD || call->family == FAMILY_GESVD) &&
	    !lapack_recipe_has_svd(&call->lapack))
		return REASON_CPU_ONLY_JOB;
	if (call->family == FAMILY_GEEV && !lapack_recipe_has_geev(&call->lapack))
		return REASON_CPU_ONLY_JOB;
	return REASON_NONE;
}
