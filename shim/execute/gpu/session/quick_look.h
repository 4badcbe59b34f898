/* quick_look.h - what the machine can do, measured in a moment while CUDA starts */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_QUICK_LOOK_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_QUICK_LOOK_H

#include <stdbool.h>

#include "policy/machine/machine.h"
#include "shim/execute/gpu/cuda/cuda_api.h"

/*
 * Whether the warm-up takes a look: false before the first call. From any thread, before CUDA is
 * started.
 */
void quick_look_enable(bool enabled);

/*
 * Measures the device, one of the set's, which takes calls but was not announced yet: nobody else
 * works on it. Begins nothing after 80 ms; each probe stands inside the guard and takes a few
 * milliseconds (the first ones include what CUDA and its libraries do at their first use). What
 * fails is left out without a word. begun_ns: when the start of CUDA began, by clock_monotonic_ns.
 * REASON_EXITING: the process is ending, and nothing of CUDA's may be used any more.
 */
enum reason quick_look_take(const struct cuda_set *set, const struct cuda_device *card,
                            const struct cuda_guard *guard, int64_t begun_ns);

/*
 * What was seen: gpu, gpu_multiprocessors, start_ns, and of the links (staged), operation_ns,
 * call_fixed_ns and rates of gemm what could be measured; C is given S's rate and Z is given D's.
 * All else is empty or 0. false until a look is complete, and for ever where none is taken. A few
 * copies; takes no lock, from any thread.
 */
bool quick_look_read(struct machine *found);

/* For tests, whose machine may be slow: nanoseconds after which nothing is begun. */
void quick_look_set_budget(int64_t budget_ns);

#endif
