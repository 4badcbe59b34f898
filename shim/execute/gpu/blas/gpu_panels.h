/* gpu_panels.h - a level-3 call by panels: planned, carried out by flows, finished by the CPU where a device fails */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_PANELS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_PANELS_H

#include "policy/plan/panels.h"
#include "shim/execute/gpu/blas/gpu_batch.h"

/*
 * Whether the call, whose operands were placed, is carried out by panels: one problem, all of it in
 * host memory.
 */
bool gpu_panels_takes(const struct gpu_group *group);

/*
 * Carries the call out on the lane. caller: whose CPU library finishes what the GPU leaves.
 * *finished: the call is done, also where the reason is not REASON_NONE; else nothing was written.
 */
enum reason gpu_panels_run(struct lane *lane, const struct call *call,
                           const struct gpu_group *group, const void *caller, bool *finished);

/*
 * For tests and benches: plans are made by this choice; NULL: by the planner's own. Not while calls
 * are running.
 */
void gpu_panels_set_choice(const struct panel_choice *choice);

#endif
