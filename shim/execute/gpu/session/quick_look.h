/* quick_look.h - short measurements of the machine while CUDA starts */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_QUICK_LOOK_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_QUICK_LOOK_H

#include <stdbool.h>

#include "policy/machine/machine.h"
#include "shim/execute/gpu/cuda/cuda_api.h"

/* Whether the start of CUDA measures; false by default. From any thread, before CUDA is started. */
void quick_look_enable(bool enabled);

/*
 * Measures the device, one of the set's, before the session announces it: no call runs on it yet.
 * One-time costs (memory, the first kernel) come first, as part of start_ns; then no probe begins
 * after 80 ms. Each probe runs inside the guard and takes a few milliseconds. Failed probes are
 * left out silently. After staging_prepare. begun_ns: when the start of CUDA began, by
 * clock_monotonic_ns. REASON_EXITING: the process is ending, no CUDA function may be called any
 * more.
 */
enum reason quick_look_take(const struct cuda_set *set, const struct cuda_device *card,
                            const struct cuda_guard *guard, int64_t begun_ns);

/*
 * The measured values: gpu, gpu_multiprocessors, start_ns, and as far as measured the links (staged
 * and page-locked, by copies of 8 MiB or more), operation_ns, call_fixed_ns and the rates of gemm;
 * C gets S's rate and Z gets D's. All else is empty or 0. false until the measurement is complete.
 * Takes no lock, from any thread.
 */
bool quick_look_read(struct machine *found);

/* For tests on slow machines: nanoseconds after which no probe begins. */
void quick_look_set_budget(int64_t budget_ns);

#endif
