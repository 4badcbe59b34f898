/* cpu_finish.c - computes parts of a BLAS call by the CPU library */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/cpu/cpu_finish.h"

#include "shim/base/fp_environment.h"
#include "shim/execute/cpu/cpu_fortran.h"
#include "shim/shield/shield.h"

/*
 * Not gemmt: cgemmt and zgemmt of OpenBLAS 0.3.29 do not conjugate B for transb = 'C'; every
 * library's gemm does.
 */
static bool cpu_finish_trusts(enum family family)
{
	return family != FAMILY_GEMMT;
}

static void cpu_finish_run(const struct call *call, const void *caller,
                           const struct region_problem *problem)
{
	struct cpu_fortran routine;
	struct call part = *call;
	part.family = problem->family;
	part.blas = problem->blas;
	if (cpu_finish_trusts(problem->family) &&
	    cpu_fortran_find(&routine, call, problem->family, caller))
		cpu_fortran_run(&routine, &problem->blas);
	else if (!cpu_compose_run(&part, caller))
		cpu_plain_run(&part);
}

void cpu_finish_part(const struct call *call, const void *caller, struct panel_span row,
                     struct panel_span column)
{
	struct region_problem problems[REGION_PROBLEMS];
	const int count =
		region_cut(call->family, &call->blas, row, column, call->element, problems);
	fp_environment_lend();
	for (int i = 0; i < count; i++)
		cpu_finish_run(call, caller, &problems[i]);
	fp_environment_take_back();
}

void cpu_finish_region(const struct call *call, const void *caller, struct panel_span row,
                       struct panel_span column)
{
	shield_open();
	cpu_finish_part(call, caller, row, column);
	shield_close();
}
