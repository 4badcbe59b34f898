/* cost.h - expected time of a call on each side; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_COST_H
#define GPUSHIM_POLICY_COST_H

#include "policy/call.h"
#include "policy/machine.h"

/*
 * Expected nanoseconds on the CPU (flops / rate) and on the GPU (design formula for the overlapped route:
 * fixed + max(bytes in / link up, flops / rate, bytes out / link down); one transform of an FFT without a batch does
 * not overlap: fixed + the sum of the three). -1 where the profile lacks the rate. Never NaN, never negative otherwise.
 */
void cost_predict(const struct machine *machine, const struct call *call, double *cpu_ns, double *gpu_ns);

#endif
