/* gpu_factor.h - factorizations whose copies overlap the work */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_GPU_FACTOR_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_GPU_FACTOR_H

#include "shim/execute/gpu/lapack/lapack_job.h"

/*
 * Whether the call is a factorization, or a solver with one, that ends sooner with its copies
 * overlapped than in, solve, out: by the planner's time of both.
 */
bool gpu_factor_wants(const struct lapack_job *job, const struct cuda_solver *api);

/* Whether the call is a factorization, or a solver with one. */
bool gpu_factor_takes(const struct call *call);

/* Whether blocks of the call's matrix can take turns on the device. */
bool gpu_factor_can_stream(const struct lapack_job *job, const struct cuda_solver *api);

/*
 * Whether the call is a factorization whose operands the device has no room for, and which can be
 * streamed: its blocks take turns there.
 */
bool gpu_factor_streams(const struct lapack_job *job, const struct cuda_solver *api);

/* Plans and runs it. The job has no memory yet. Reasons as of gpu_lapack_run. */
enum reason gpu_factor_run(struct lapack_job *job, const struct cuda_solver *api, bool streams);

/*
 * For tests and measurements: whether it is wanted wherever possible, never, or by time; how many
 * columns a panel has, 0: as the planner finds best; and the room for blocks of all calls that can
 * be streamed, in elements, 0: none is streamed whose operands fit.
 */
enum gpu_factor_choice { GPU_FACTOR_BY_TIME, GPU_FACTOR_ALWAYS, GPU_FACTOR_NEVER };
void gpu_factor_choose(enum gpu_factor_choice choice, int64_t width, uint64_t room);

#endif
