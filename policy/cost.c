/* cost.c - the design's formula for the time of a call on each side */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/cost.h"

static const double cost_ns_per_second = 1e9;
static const double cost_unknown_ns = -1;

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

static double cost_predict_gpu(const struct machine *machine, const struct call *call)
{
	const double *flops = family_is_fft(call->family) ? machine->gpu_fft_flops : machine->gpu_gemm_flops;
	const double up_ns = cost_time((double)call->input_bytes, machine->link_up_bytes);
	const double work_ns = cost_time(call->work_flops, flops[call->element]);
	const double down_ns = cost_time((double)call->output_bytes, machine->link_down_bytes);
	if (up_ns < 0 || work_ns < 0 || down_ns < 0)
		return cost_unknown_ns;
	const double longest_ns = cost_larger(work_ns, cost_larger(up_ns, down_ns));
	const double others_ns = up_ns + work_ns + down_ns - longest_ns;
	return cost_check(machine->call_fixed_ns + longest_ns + others_ns / cost_count_pieces(call));
}

void cost_predict(const struct machine *machine, const struct call *call, double *cpu_ns, double *gpu_ns)
{
	const double *flops = family_is_fft(call->family) ? machine->cpu_fft_flops : machine->cpu_gemm_flops;
	*cpu_ns = cost_time(call->work_flops, flops[call->element]);
	*gpu_ns = cost_predict_gpu(machine, call);
}
