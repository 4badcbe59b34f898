/* gpu_lapack.h - LAPACK calls on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_GPU_LAPACK_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_GPU_LAPACK_H

#include "policy/call/call.h"

/*
 * How a call was computed. recipe: the steps, by the names of the functions, one after the other;
 * alg_1: LU had to do with less workspace; panels: in panels, whose copies overlap the work;
 * streamed: the same, of a matrix that is larger than the device's memory.
 * work_bytes: memory of the device beside the operands.
 */
struct gpu_lapack_account {
	char recipe[64];
	uint64_t work_bytes;
};

/*
 * Runs a call without defect on the device, blocking: in, solve, out. REASON_NONE: the results, and
 * info = 0, are in the program's memory; of a matrix only the part that LAPACK writes was written;
 * work arrays were not. Otherwise all operands are as before, so that the CPU library can do the
 * whole call, but for arrays that only results are written to. REASON_NOT_SOLVED: info was not 0.
 * REASON_NOT_FINITE: what was read, or a result, holds NaN or an infinity. Memory that the host
 * cannot read must not be passed. From any thread; its current device and pending CUDA error are
 * kept. *finished: reason is REASON_NONE; then
 * *account is filled.
 */
enum reason gpu_lapack_run(const struct call *call, int device, struct gpu_lapack_account *account,
                           bool *finished);

/*
 * Whether a handle of cuSOLVER was made on the device, which takes long the first time. A load;
 * from any thread.
 */
bool gpu_lapack_is_started(int device);

#endif
