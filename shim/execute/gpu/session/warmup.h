/* warmup.h - starts CUDA step by step */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_WARMUP_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_WARMUP_H

#include "policy/call/reason.h"
#include "policy/options/options.h"
#include "shim/execute/gpu/cuda/cuda.h"

/*
 * Opens the libraries and starts the first of the chosen devices that does: memory and one lane,
 * which makes it take calls. REASON_NONE, or the first device's reason, after one message where
 * something is broken, silently where the machine has no GPU. Once per process. The current device
 * of the calling thread is kept.
 */
enum reason warmup_run(const struct options *options, const struct cuda_guard *guard);

/*
 * Starts the other devices, after warmup_run succeeded. A device that does not start is reported
 * and left out.
 */
void warmup_run_rest(void);

/*
 * The same with devices = auto, for those that no other process uses, at some time after
 * warmup_run_rest has returned. Those that are in use then are looked at again by the next
 * warmup_run_more; not two at the same time.
 */
bool warmup_has_more(void);
void warmup_run_more(void);

#endif
