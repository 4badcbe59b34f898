/* cost.h - expected time of a call on each side; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_COST_H
#define GPUSHIM_POLICY_DECIDE_COST_H

#include "policy/call/call.h"
#include "policy/call/operand.h"
#include "policy/machine/machine.h"

/*
 * Where an operand lies. A transform's input, and all that a batch reads, is OPERAND_A; results are
 * OPERAND_C.
 */
enum cost_place { COST_PAGEABLE, COST_PINNED, COST_DEVICE };

/*
 * What the process knows of the call's surroundings. Zeroed: one thread, the device to itself,
 * pageable operands.
 */
struct cost_setting {
	int cpu_threads; /* that the CPU library would use for this call; below 1 is 1 */
	int gpu_sharers; /* processes that use the same device and link as this one does, itself included; below 1 is 1
	                  */
	double queue_ns; /* of work that the device has to do before it */
	double setup_ns; /* once, before the first call of its kind: a cuFFT plan */
	enum cost_place place[OPERAND_COUNT];
};

/*
 * One side's time. The parts are those of each stage alone: since stages overlap, whole_ns is less
 * than their sum. -1: not known, since the profile lacks a rate.
 */
struct cost_time {
	double whole_ns, fixed_ns, in_ns, work_ns, out_ns;
};

struct cost {
	struct cost_time cpu, gpu;
};

/*
 * Expected nanoseconds on the CPU, flops / rate of the routine at this size and these threads, and
 * on the GPU: for a level-3 call that is planned (policy/plan/panels.h) the fixed cost and about
 * the time of its plan, as if the device's memory held everything. For the others the three stages
 * (bytes in / link up, flops / rate, bytes out / link down) overlap, but for the first piece's way
 * in and the last one's way out. With q pieces that is
 *
 *     fixed + longest + (sum of the other two) / q
 *
 * q is the number of transforms of an FFT: one alone overlaps nothing, since each of its outputs
 * needs all inputs; 1 of a batch, which goes in, is computed and comes back; of calls of which only
 * bytes and flops are known q is endless. A planned call with an operand on the device is like a
 * batch, or as with its plan, if that is sooner. Operands on the device cross no link for the GPU;
 * for the CPU they cross it both ways, plainly. Page-locked ones go up without staging; results
 * always come back through it. Sharers divide the device and the link. The queue is part of the
 * fixed cost, setup_ns of nothing. Never NaN; never negative but for -1; more bytes or flops, a
 * slower link, more sharers or a longer queue never make the GPU's time shorter (but for rounding:
 * a part in 10^12).
 */
void cost_predict(const struct machine *machine, const struct cost_setting *setting,
                  const struct call *call, struct cost *cost);

/*
 * The size of a call as struct machine_curve means it; n + 1 stands for one n where C is a
 * triangle.
 */
double cost_find_size(const struct call *call);

/*
 * Floating point operations per byte that a call moves to the GPU and back, as placed; DBL_MAX
 * where it moves none.
 */
double cost_find_intensity(const struct cost_setting *setting, const struct call *call);

/*
 * The intensity, in operations per byte, from which a call whose stages do not overlap is faster on
 * the GPU, its fixed cost left aside: (1 / link) / (1 / cpu - 1 / gpu), with a link in bytes per
 * second and rates in operations per second. DBL_MAX where no intensity is enough. (A call of w
 * operations and b bytes takes w / cpu on the one side and b / link + w / gpu on the other.)
 */
double cost_break_even(double link_bytes, double cpu_flops, double gpu_flops);

#endif
