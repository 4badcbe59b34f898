/* cost.c - the time of a call on each side: the planner's for level 3, and the design's formula */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/cost.h"

#include "policy/panels.h"

static const double cost_ns_per_second = 1e9;
static const double cost_unknown_ns = -1;

/* Copies are taken to go in operations of this size: half of a usual staging ring. */
static const uint64_t cost_copy_bytes = UINT64_C(16) << 20;

/* A time that can be used: finite and not negative. NaN fails the comparison. */
static double cost_check(double time_ns)
{
	return time_ns >= 0 && time_ns <= __DBL_MAX__ ? time_ns : cost_unknown_ns;
}

/* Nothing to do takes no time at any rate; something takes an unknown time at an unknown rate. */
static double cost_time(double amount, double rate)
{
	if (amount == 0)
		return 0;
	return rate > 0 ? cost_check(amount / rate * cost_ns_per_second) : cost_unknown_ns;
}

static double cost_larger(double a, double b)
{
	return a > b ? a : b;
}

/*
 * How many pieces follow each other, each under way while the one before is worked on: a matrix is sent in as many
 * panels as one likes; of a batch of transforms each is one, since every output of a transform needs every input.
 */
static double cost_count_pieces(const struct call *call)
{
	return family_is_fft(call->family) ? (double)call->fft.problem->howmany : __DBL_MAX__;
}

/* All stages at once, but for the first piece's way in and the last one's way out. */
static double cost_overlap(const struct call *call, double up_ns, double work_ns, double down_ns)
{
	const double longest_ns = cost_larger(work_ns, cost_larger(up_ns, down_ns));
	const double others_ns = up_ns + work_ns + down_ns - longest_ns;
	return longest_ns + others_ns / cost_count_pieces(call);
}

static bool cost_is_planned(const struct call *call)
{
	const struct blas_call *blas = &call->blas;
	return panels_takes(call->family) && blas->m > 0 && blas->n > 0 && blas->k > 0 &&
	       (blas->alpha[0] != 0 || blas->alpha[1] != 0);
}

static double cost_plan(const struct machine *machine, const struct call *call)
{
	const struct panel_problem problem = {.family = call->family, .element = call->element, .blas = call->blas};
	struct panel_rates rates = panels_rates(machine, call->element, 0, 0);
	rates.copy_bytes = cost_copy_bytes;
	rates.memory_bytes = UINT64_MAX;
	return panels_estimate(&problem, &rates);
}

static double cost_predict_gpu(const struct machine *machine, const struct call *call)
{
	const double *flops = family_is_fft(call->family) ? machine->gpu_fft_flops : machine->gpu_gemm_flops;
	const double up_ns = cost_time((double)call->input_bytes, machine->link_up_bytes);
	const double work_ns = cost_time(call->work_flops, flops[call->element]);
	const double down_ns = cost_time((double)call->output_bytes, machine->link_down_bytes);
	if (up_ns < 0 || work_ns < 0 || down_ns < 0)
		return cost_unknown_ns;
	const double time_ns =
		cost_is_planned(call) ? cost_plan(machine, call) : cost_overlap(call, up_ns, work_ns, down_ns);
	return cost_check(machine->call_fixed_ns + time_ns);
}

void cost_predict(const struct machine *machine, const struct call *call, double *cpu_ns, double *gpu_ns)
{
	const double *flops = family_is_fft(call->family) ? machine->cpu_fft_flops : machine->cpu_gemm_flops;
	*cpu_ns = cost_time(call->work_flops, flops[call->element]);
	*gpu_ns = cost_predict_gpu(machine, call);
}
