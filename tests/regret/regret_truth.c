/* regret_truth.c - the real times of calls on a machine, which differ from the policy's formula */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/regret_truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "policy/decide/cost.h"
#include "policy/decide/rehearse.h"

static const double truth_sigma = 0.25, truth_ns_per_second = 1e9;

/* The sum of this many uniform numbers is nearly normal, with a deviation of 1. */
enum { TRUTH_UNIFORMS = 12, TRUTH_KNOTS = 64 };

static double truth_normal(uint64_t seed, uint64_t index)
{
	double sum = 0;
	for (uint64_t i = 0; i < TRUTH_UNIFORMS; i++)
		sum += random_number(seed, index * TRUTH_UNIFORMS + i);
	return sum;
}

static double truth_factor(const struct call *call, enum machine_side side, uint64_t seed)
{
	const double place = log2(call->work_flops > 1 ? call->work_flops : 1) / 2 + 0.5,
		     knot = floor(place);
	const uint64_t routine =
		((uint64_t)call->family * ELEMENT_COUNT + call->element) * MACHINE_SIDES + side;
	const uint64_t index = routine * TRUTH_KNOTS + (uint64_t)knot % (TRUTH_KNOTS - 1);
	const double part = place - knot;
	return exp(truth_sigma *
	           ((1 - part) * truth_normal(seed, index) + part * truth_normal(seed, index + 1)));
}

static void truth_fill(const struct machine *machine, const struct call *call, int threads,
                       uint64_t seed, double *cpu_ns, double *gpu_ns)
{
	const double rate = machine_find_rate(machine, MACHINE_CPU, call->family, call->element,
	                                      cost_find_size(call), threads);
	*cpu_ns = call->work_flops / rate * truth_ns_per_second *
	          truth_factor(call, MACHINE_CPU, seed);
	*gpu_ns = rehearse_call(machine, call);
	*gpu_ns = machine->call_fixed_ns + *gpu_ns * truth_factor(call, MACHINE_GPU, seed);
	if (!(*gpu_ns < HUGE_VAL))
		*gpu_ns = *cpu_ns + machine->call_fixed_ns;
}

bool regret_truth_make(const struct call_trace *trace, const struct regret_call *calls,
                       const struct machine *machine, int threads, uint64_t seed,
                       struct regret_truth *truth)
{
	*truth = (struct regret_truth){.start_ns = machine->start_ns,
	                               .plan_ns = machine->fft_plan_ns};
	truth->cpu_ns = calloc((size_t)trace->shape_count, sizeof *truth->cpu_ns);
	truth->gpu_ns = calloc((size_t)trace->shape_count, sizeof *truth->gpu_ns);
	if (truth->cpu_ns == NULL || truth->gpu_ns == NULL) {
		regret_truth_free(truth);
		return false;
	}
	for (int i = 0; i < trace->shape_count; i++)
		truth_fill(machine, &calls[i].call, threads, seed, &truth->cpu_ns[i],
		           &truth->gpu_ns[i]);
	return true;
}

void regret_truth_free(struct regret_truth *truth)
{
	free(truth->cpu_ns);
	free(truth->gpu_ns);
	memset(truth, 0, sizeof *truth);
}
