/* rehearse.c - times the plan that the engine would make */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/rehearse.h"

#include <math.h>

#include "policy/decide/cost.h"
#include "policy/decide/lapack_cost.h"
#include "policy/decide/lapack_plan.h"
#include "policy/factor/factor.h"
#include "policy/fft/fft_groups.h"
#include "policy/fft/fft_map.h"
#include "policy/plan/panel_time.h"
#include "policy/plan/panels.h"

static const double rehearse_ns_per_second = 1e9;

/* Free memory of the assumed device, and the bytes of one copy through the rings. */
static const uint64_t rehearse_memory_bytes = UINT64_C(12000000000),
		      rehearse_copy_bytes = UINT64_C(8) << 20;

static struct panel_rates rehearse_rates(const struct machine *machine, const struct call *call)
{
	struct panel_rates rates = panel_rates_find(machine, call->element, 0, 0);
	rates.memory_bytes = rehearse_memory_bytes;
	rates.copy_bytes = rehearse_copy_bytes;
	return rates;
}

/* Kernels of a thin product run no faster than the device reads the operands. */
static void rehearse_slow(const struct machine *machine, const struct call *call,
                          struct panel_rates *rates)
{
	const double memory = machine_find_memory(machine, MACHINE_GPU, 0),
		     bytes = (double)call->size_bytes;
	if (memory > 0 && bytes * rates->work_flops_s > call->work_flops * memory)
		rates->work_flops_s = call->work_flops / bytes * memory;
}

static double rehearse_plan(const struct machine *machine, const struct call *call)
{
	const struct panel_problem problem = {
		.family = call->family, .element = call->element, .blas = call->blas};
	struct panel_rates rates = rehearse_rates(machine, call);
	struct panel_plan plan;
	if (!panels_plan(&problem, &rates, &plan))
		return HUGE_VAL;
	rehearse_slow(machine, call, &rates);
	const double time_ns =
		panel_time_find(&problem, &rates, &plan) + cost_find_latency(machine, call);
	panel_plan_free(&plan);
	return time_ns;
}

/* The time of groups of transforms; nothing overlaps the arithmetic of the last group. */
static double rehearse_groups(const struct machine *machine, const struct call *call, double rate)
{
	const struct fft_problem *problem = call->fft.problem;
	const struct panel_rates rates = rehearse_rates(machine, call);
	const uint64_t count = (uint64_t)problem->howmany;
	struct fft_batch batch = {problem->howmany,
	                          1,
	                          (call->input_bytes - 1) / count + 1,
	                          (call->output_bytes - 1) / count + 1,
	                          0,
	                          0,
	                          fft_map_count_operations(problem)};
	batch.device_bytes = batch.input_bytes + (problem->in_place ? 0 : batch.output_bytes);
	batch.work_bytes = count > 1 ? batch.input_bytes : 0;
	const int64_t group = fft_groups_choose(&batch, &rates);
	if (group == 0)
		return HUGE_VAL;
	const double work_ns = call->work_flops / rate * rehearse_ns_per_second;
	const double groups_ns = fft_groups_time(&batch, &rates, group);
	return (groups_ns > work_ns ? groups_ns : work_ns) +
	       work_ns * (double)group / (double)problem->howmany +
	       cost_find_latency(machine, call);
}

static struct factor_rates rehearse_factor_rates(const struct machine *machine,
                                                 const struct call *call,
                                                 const struct panel_rates *rates)
{
	const double memory = machine_find_memory(machine, MACHINE_GPU, 0);
	return lapack_plan_find_rates(machine, call, rates,
	                              memory > 0 ? memory : panel_rates_find_memory(0, 0));
}

bool rehearse_overlaps(const struct machine *machine, const struct call *call)
{
	const struct panel_rates rates = rehearse_rates(machine, call);
	struct factor_problem problem;
	if (!family_is_lapack(call->family) || !lapack_plan_find_problem(call, &problem))
		return false;
	const struct factor_rates known = rehearse_factor_rates(machine, call, &rates);
	return lapack_plan_wants(&problem, &known);
}

bool rehearse_streams(const struct call *call, double memory_bytes)
{
	struct factor_problem problem;
	if (!family_is_lapack(call->family) || !lapack_plan_find_problem(call, &problem))
		return false;
	lapack_plan_limit(&problem, memory_bytes);
	return problem.room > 0;
}

/* The engine's choice; input crosses the link no faster than the host keeps a copy of it. */
static double rehearse_factor(const struct machine *machine, const struct call *call,
                              const struct factor_problem *problem)
{
	struct panel_rates rates = rehearse_rates(machine, call);
	const double shadow = lapack_cost_find_shadow_rate(machine);
	if (rates.up_bytes_s > shadow)
		rates.up_bytes_s = shadow;
	const struct factor_rates known = rehearse_factor_rates(machine, call, &rates);
	const double planned_ns = factor_estimate(problem, &known);
	if (problem->room > 0)
		return planned_ns > 0 ? planned_ns : HUGE_VAL;
	const double whole_ns = factor_estimate_whole(problem, &known);
	return planned_ns > 0 && planned_ns < whole_ns ? planned_ns : whole_ns;
}

static double rehearse_lapack(const struct machine *machine, const struct call *call,
                              double memory_bytes)
{
	struct factor_problem problem;
	if (!lapack_plan_find_problem(call, &problem) ||
	    !lapack_cost_is_modelled(machine, MACHINE_GPU, call))
		return -1;
	lapack_plan_limit(&problem, memory_bytes);
	return rehearse_factor(machine, call, &problem);
}

double rehearse_call(const struct machine *machine, const struct call *call, double memory_bytes)
{
	const double rate = machine_find_rate(machine, MACHINE_GPU, call->family, call->element,
	                                      cost_find_size(call), 0);
	if (family_is_batch(call->family) || call->defect != REASON_NONE || !(rate > 0))
		return -1;
	if (family_is_lapack(call->family))
		return rehearse_lapack(machine, call, memory_bytes);
	return family_is_fft(call->family) ? rehearse_groups(machine, call, rate)
	                                   : rehearse_plan(machine, call);
}

double rehearse_expect(const struct machine *machine, const struct call *call, double memory_bytes,
                       double formula_ns)
{
	/* Plans of larger calls have very many steps, and the formula is accurate for them. */
	const uint64_t planned_bytes = UINT64_C(8000000000);
	if (!(formula_ns > 0) || call->input_bytes > planned_bytes ||
	    call->output_bytes > planned_bytes - call->input_bytes)
		return formula_ns;
	const double plan_ns = rehearse_call(machine, call, memory_bytes);
	return plan_ns >= 0 && plan_ns < HUGE_VAL ? machine->call_fixed_ns + plan_ns : formula_ns;
}
