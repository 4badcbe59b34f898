/* cost.h - expected time of a call on each side; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_COST_H
#define GPUSHIM_POLICY_DECIDE_COST_H

#include "policy/call/call.h"
#include "policy/call/operand.h"
#include "policy/machine/machine.h"

/*
 * Where an operand lies. OPERAND_A is the input of a transform and all that a batch reads;
 * OPERAND_C is the result.
 */
enum cost_place { COST_PAGEABLE, COST_PINNED, COST_DEVICE };

/* Facts about the process. Zeroed: one thread, a device of its own, pageable operands. */
struct cost_setting {
	int cpu_threads; /* threads of the CPU library for this call; less than 1 counts as 1 */
	/*
	 * Processes that share the device and its link, this one included; less than 1 counts as 1.
	 */
	int gpu_sharers;
	double queue_ns; /* time of the work that is queued on the device */
	/* one-time cost before the first call of a kind: a cuFFT plan, cuSOLVER's start */
	double setup_ns;
	double memory_bytes; /* of the device for this call; 0: not known */
	/*
	 * Threads that copy between the program's memory and staging while the CPU library computes
	 * a part of the call; 0: not known, or nothing needs them.
	 */
	int copy_threads;
	enum cost_place place[OPERAND_COUNT];
	/* the device has a copy of this operand that is not on the device: it is not sent */
	bool held[OPERAND_COUNT];
};

/*
 * The time on one side in nanoseconds. The parts are the times of each stage alone; stages overlap,
 * so whole_ns may be less than their sum. -1: unknown, because the profile lacks a rate.
 */
struct cost_time {
	double whole_ns, fixed_ns, in_ns, work_ns, out_ns;
};

struct cost {
	struct cost_time cpu, gpu;
};

/*
 * Predicts both sides. CPU: flops / rate of the routine at this size and these threads, of a
 * transform by its plan's rigour. GPU: for a level-3 call that is planned (policy/plan/panels.h),
 * fixed cost plus the estimated time of its plan with unlimited device memory. For other calls the
 * three stages (bytes in / link up, flops / rate, bytes out / link down), each with the cost of an
 * operation, overlap, except the way in of the first piece and the way out of the last one. On
 * either side the work takes no less than reading the operands once; on the GPU a latency is added
 * to it (cost_find_latency). With q pieces:
 *
 *   fixed + longest + (sum of the other two) / q
 *
 * q is the number of transforms of an FFT (a single one overlaps nothing, because every output
 * needs all inputs); 1 for a batch of products and for a LAPACK call, whose work is that of
 * lapack_cost.h, and whose input takes no less time than the host needs to keep a copy of what the
 * results overwrite; infinite if only bytes and flops are known. LU, Cholesky and their solvers
 * take no longer than lapack_plan_estimate says. A planned call with an operand on the device takes
 * the stages one after the other, or as long as its plan if that is less.
 *
 * Operands on the device, but for those of LAPACK, cross no link for the GPU; for the CPU they are
 * copied both ways by cudaMemcpy. Page-locked operands go up without staging; results always come
 * back through it.
 * Sharers divide device and link. The queue is part of the fixed cost; setup_ns is part of nothing.
 * Never NaN; never negative except -1. More bytes or flops, a slower link, more sharers or a longer
 * queue never make the GPU faster (up to rounding: a part in 10^12).
 */
void cost_predict(const struct machine *machine, const struct cost_setting *setting,
                  const struct call *call, struct cost *cost);

/*
 * The size of a call as in struct machine_curve; where C is a triangle, with n + 1 for one n; of
 * LAPACK as lapack_cost_find_size has it.
 */
double cost_find_size(const struct call *call);

/*
 * The time on the device in nanoseconds that comes to flops / rate: a transform's floor by its
 * number of dimensions; for trsm, whose rows depend on each other, the rows of its triangle, unless
 * the machine has a rate of trsm itself.
 */
double cost_find_latency(const struct machine *machine, const struct call *call);

/* The rate of the call on the CPU; size as cost_find_size has it. 0 if unknown. */
double cost_find_cpu_rate(const struct machine *machine, const struct call *call, double size,
                          int threads);

/*
 * Floating point operations per byte moved between host and GPU, with the operands where setting
 * says; DBL_MAX if none are moved.
 */
double cost_find_intensity(const struct cost_setting *setting, const struct call *call);

/*
 * The intensity, in operations per byte, above which a call without overlapping stages is faster on
 * the GPU, without its fixed cost: (1 / link) / (1 / cpu - 1 / gpu), with the link in bytes per
 * second and rates in operations per second. DBL_MAX if no intensity is enough. (w operations and b
 * bytes take w / cpu on the CPU, and b / link + w / gpu on the GPU.)
 */
double cost_break_even(double link_bytes, double cpu_flops, double gpu_flops);

#endif
