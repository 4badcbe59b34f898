/* schedule_factor.c - times of factorizations by the planner, with the rates of the clock file */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_factor.h"

#include <math.h>
#include <string.h>

#include "policy/call/lapack_flops.h"
#include "policy/decide/lapack_plan.h"
#include "policy/decide/rehearse.h"
#include "policy/factor/factor.h"

static const char lu[] = "getrf", cholesky[] = "potrf";

bool schedule_factor_takes(const char *routine)
{
	return strcmp(routine, lu) == 0 || strcmp(routine, cholesky) == 0;
}

static struct machine factor_find_machine(const struct schedule_clock *clock)
{
	struct machine machine = {
		.link_up_bytes = clock->up_gbytes_s * 1e9,
		.link_down_bytes = clock->down_gbytes_s * 1e9,
		.link_duplex = clock->duplex,
		.operation_ns = clock->operation_us * 1e3,
		.gpu_memory_bytes = clock->memory_gbytes_s * 1e9,
		.gpu_multiprocessors = clock->units,
	};
	for (int element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++)
		machine.gpu_gemm_flops[element] = clock->gemm_tflops_s[element] * 1e12;
	return machine;
}

static struct call factor_describe(const struct schedule_call *wanted)
{
	struct call call = {
		.family = strcmp(wanted->routine, lu) == 0 ? FAMILY_GETRF : FAMILY_POTRF,
		.element = ELEMENT_D,
		.lapack = {.uplo = wanted->uplo[0] == 'U' ? UPLO_UPPER : UPLO_LOWER,
	                   .m = wanted->m,
	                   .n = wanted->n},
	};
	call.work_flops = lapack_flops_count(&call);
	return call;
}

static double factor_larger(double a, double b)
{
	return a > b ? a : b;
}

/*
 * What crosses the link, what is computed, and the columns one after the other, each alone. Rows of
 * LU return when all columns have arrived, so that both ways add up; of Cholesky half is copied,
 * both ways at once. In, solve, out copies the square.
 */
static void factor_find_bound(const struct schedule_clock *clock, const struct call *call,
                              struct schedule_factor *found)
{
	const double n = (double)call->lapack.n, square = 8 * n * n;
	const double up_ns = square / clock->up_gbytes_s, down_ns = square / clock->down_gbytes_s;
	const bool is_lu = call->family == FAMILY_GETRF;
	const double link_ns =
		is_lu ? up_ns + down_ns : factor_larger(up_ns, down_ns) / 2 / clock->duplex;
	const double chip_ns = call->work_flops / clock->gemm_tflops_s[ELEMENT_D] / 1e3 +
	                       n * (is_lu ? clock->solver_lu_us : clock->solver_cholesky_us) * 1e3;
	found->bound_ns = factor_larger(link_ns, chip_ns);
	found->whole_ns = up_ns + chip_ns + down_ns;
}

static int64_t factor_find_width(const struct machine *machine, const struct call *call,
                                 double memory_bytes)
{
	const struct panel_rates rates = panel_rates_find(machine, call->element, 0, 0);
	const struct factor_rates known =
		lapack_plan_find_rates(machine, call, &rates, machine->gpu_memory_bytes);
	struct factor_problem problem;
	struct factor_plan plan;
	if (!lapack_plan_find_problem(call, &problem))
		return 0;
	lapack_plan_limit(&problem, memory_bytes);
	if (!factor_make(&problem, &known, &plan))
		return 0;
	const int64_t width = plan.width;
	factor_plan_free(&plan);
	return width;
}

bool schedule_factor_find(const struct schedule_call *wanted, const struct schedule_clock *clock,
                          struct schedule_factor *found)
{
	const struct machine machine = factor_find_machine(clock);
	const struct call call = factor_describe(wanted);
	factor_find_bound(clock, &call, found);
	const double memory_bytes = (double)wanted->memory_mb * 1e6;
	found->width = factor_find_width(&machine, &call, memory_bytes);
	found->time_ns = rehearse_call(&machine, &call, memory_bytes);
	if (memory_bytes > 0) /* in, solve, out has no room */
		found->whole_ns = HUGE_VAL;
	return found->width > 0 && found->time_ns > 0;
}
