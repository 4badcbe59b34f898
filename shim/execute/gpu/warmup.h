/* warmup.h - starts CUDA step by step */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_WARMUP_H
#define GPUSHIM_SHIM_EXECUTE_GPU_WARMUP_H

#include "policy/options.h"
#include "policy/reason.h"
#include "shim/execute/gpu/cuda.h"

/*
 * Opens the libraries, starts the device, makes the first lane. REASON_NONE with the device's number in *device; else
 * the reason, after one sentence where something is broken, silently where the machine has no GPU to offer. Once per
 * process. The current device of the calling thread is left as found.
 */
enum reason warmup_run(const struct options *options, const struct cuda_gate *gate, int *device);

#endif
