/* lapack_plan.c - problem and rates of planned factorizations, and a formula for their time */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/lapack_plan.h"

#include "policy/decide/lapack_cost.h"
#include "policy/factor/factor.h"

/* Assumed: a thread's start and its end; for LU it copies pivots, and the device waits. */
static const double lapack_plan_lu_panel_ns = 100000, lapack_plan_panel_ns = 50000;

/* Of the device's memory, what workspaces leave to the blocks of a matrix that is larger. */
static const double lapack_plan_share = 15.0 / 16;

/* The most that the right-hand sides, which lie there beside the blocks, take of it. */
static const double lapack_plan_most_right = 0.5;

/* A panel of the plans that take the least time has about so many columns. */
static const double lapack_plan_width = 512;

/* What is shorter, the links or the work, is hidden by the other but for one part of so many. */
static const double lapack_plan_parts = 10;

/* The copies of less take no longer than a panel costs the host. */
static const double lapack_plan_least_bytes = 2 << 20;

static bool lapack_plan_is_lu(const struct call *call)
{
	return call->family == FAMILY_GETRF || call->family == FAMILY_GESV;
}

bool lapack_plan_find_problem(const struct call *call, struct factor_problem *problem)
{
	const struct lapack_call *lapack = &call->lapack;
	const bool upper = lapack->uplo == UPLO_UPPER,
		   solves = call->family == FAMILY_GESV || call->family == FAMILY_POSV;
	*problem = (struct factor_problem){.form = upper ? FACTOR_UPPER : FACTOR_LOWER,
	                                   .element = call->element,
	                                   .m = lapack->m,
	                                   .n = lapack->n,
	                                   .right = solves ? lapack->nrhs : 0};
	if (lapack_plan_is_lu(call))
		problem->form = FACTOR_LU;
	return solves || call->family == FAMILY_GETRF || call->family == FAMILY_POTRF;
}

static double lapack_plan_find_panel(enum factor_form form)
{
	return form == FACTOR_LU ? lapack_plan_lu_panel_ns : lapack_plan_panel_ns;
}

/* What a column of a solver has beside that of its factorization is the second factor's. */
struct factor_rates lapack_plan_find_rates(const struct machine *machine, const struct call *call,
                                           const struct panel_rates *rates, double memory_bytes_s)
{
	const enum family factors = lapack_plan_is_lu(call) ? FAMILY_GETRF : FAMILY_POTRF;
	return (struct factor_rates){
		.up_bytes_s = rates->up_bytes_s,
		.down_bytes_s = rates->down_bytes_s,
		.duplex = rates->duplex,
		.work_flops_s = rates->work_flops_s,
		.memory_bytes_s = memory_bytes_s,
		.operation_ns = rates->operation_ns,
		.copy_ns = rates->copy_ns,
		.panel_ns =
			lapack_plan_find_panel(lapack_plan_is_lu(call) ? FACTOR_LU : FACTOR_LOWER),
		.column_ns = lapack_cost_find_column(machine, factors),
		.row_ns = lapack_cost_find_column(NULL, call->family) -
	                  lapack_cost_find_column(NULL, factors),
	};
}

double lapack_plan_count_bytes(const struct factor_problem *problem, bool of_b)
{
	const double m = (double)problem->m, n = (double)problem->n,
		     of_a = problem->form == FACTOR_LU ? m * n : n * (n + 1) / 2;
	return (of_b ? m * (double)problem->right : of_a) *
	       (double)element_size_bytes(problem->element);
}

bool lapack_plan_wants(const struct factor_problem *problem, const struct factor_rates *rates)
{
	const double bytes =
		lapack_plan_count_bytes(problem, false) + lapack_plan_count_bytes(problem, true);
	return bytes >= lapack_plan_least_bytes &&
	       factor_estimate(problem, rates) < factor_estimate_whole(problem, rates);
}

double lapack_plan_find_share(const struct factor_problem *problem, double memory_bytes)
{
	const double of_b = lapack_plan_count_bytes(problem, true);
	return of_b > memory_bytes * lapack_plan_most_right ? 0 : memory_bytes - of_b;
}

void lapack_plan_limit(struct factor_problem *problem, double memory_bytes)
{
	const double size = (double)element_size_bytes(problem->element), m = (double)problem->m,
		     columns = (double)problem->n + (double)problem->right;
	if (memory_bytes > 0 && m * columns * size > memory_bytes)
		problem->room = (uint64_t)(lapack_plan_find_share(problem, memory_bytes) *
		                           lapack_plan_share / size);
}

double lapack_plan_count_again(const struct factor_problem *problem, double memory_bytes)
{
	struct factor_problem limited = *problem;
	lapack_plan_limit(&limited, memory_bytes);
	return factor_count_again(&limited) * (double)element_size_bytes(problem->element);
}

/* The share of the flops that the second factor takes, by which B is solved for at the end. */
static double lapack_plan_find_back(const struct factor_problem *problem)
{
	const double n = (double)problem->n, right = (double)problem->right;
	const double cubes = problem->form == FACTOR_LU ? 2.0 / 3 : 1.0 / 3;
	return right > 0 ? right / (cubes * n + 2 * right) : 0;
}

/* Rows of LU return when all columns have arrived, and X when all is computed. */
double lapack_plan_estimate(const struct factor_problem *problem,
                            const struct lapack_plan_times *times)
{
	const double columns = (double)(problem->m < problem->n ? problem->m : problem->n);
	const double slower_ns = times->in_ns > times->out_ns ? times->in_ns : times->out_ns;
	const double link_ns = problem->form == FACTOR_LU ? times->in_ns + times->out_ns
	                                                  : slower_ns / times->duplex;
	const double back_ns = times->work_ns * lapack_plan_find_back(problem);
	const double work_ns =
		times->work_ns - back_ns +
		(1 + columns / lapack_plan_width) * lapack_plan_find_panel(problem->form);
	const double both_ns = link_ns > work_ns ? link_ns + work_ns / lapack_plan_parts
	                                         : work_ns + link_ns / lapack_plan_parts;
	return both_ns + back_ns + times->last_ns;
}
