/* gpu_panels.h - a level-3 call by panels: planned, carried out by flows, or finished by the CPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_PANELS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_PANELS_H

#include "policy/plan/panels.h"
#include "shim/execute/gpu/blas/gpu_batch.h"
#include "shim/execute/gpu/engine/cpu_share.h"

/*
 * Whether the call, with placed operands, can be planned: one problem with all operands on the
 * host.
 */
bool gpu_panels_takes(const struct gpu_group *group);

/*
 * Carries the call out. caller: whose CPU library computes what the GPU leaves, and the part of the
 * call that share asks for, which may be NULL. *finished: the call is complete, possibly with a
 * reason other than REASON_NONE; else nothing was written.
 */
enum reason gpu_panels_run(struct lane *lane, const struct call *call,
                           const struct gpu_group *group, const void *caller,
                           struct cpu_share *share, bool *finished);

/*
 * For tests and benches: plans use this choice; NULL: the planner's. Not while calls are running.
 */
void gpu_panels_set_choice(const struct panel_choice *choice);

#endif
