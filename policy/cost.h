/* cost.h - expected time of a call on each side; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_COST_H
#define GPUSHIM_POLICY_COST_H

#include "policy/call.h"
#include "policy/machine.h"

/*
 * Expected nanoseconds on the CPU, flops / rate, and on the GPU: for a level-3 call that is planned (policy/panels.h)
 * the fixed cost and about the time of its plan, as if the device's memory held everything. For the others the three
 * stages (bytes in / link up, flops / rate, bytes out / link down) overlap, but for the first piece's way in and the
 * last one's way out. With q pieces that is
 *
 *     fixed + longest + (sum of the other two) / q
 *
 * q is the number of transforms of an FFT: one alone overlaps nothing, since each of its outputs needs all inputs.
 * Batches and calls of which only bytes and flops are known are taken to overlap completely: fixed + longest. -1 where
 * the profile lacks the rate. Never NaN, never negative otherwise.
 */
void cost_predict(const struct machine *machine, const struct call *call, double *cpu_ns, double *gpu_ns);

#endif
