/* gpu_blas.h - BLAS calls on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_BLAS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_BLAS_H

#include "policy/call/call.h"
#include "shim/execute/gpu/engine/cpu_share.h"

/*
 * Runs the call on the device, blocking, with native precision. REASON_NONE: the result is in the
 * program's memory; of C only m x n, or the named triangle, was written. Otherwise a BACK reason:
 * *finished tells whether the CPU library that caller would reach has completed the call from where
 * the GPU left it; if not, none of the program's memory was written, except a result in device
 * memory where beta is 0 or where CUDA failed during its last copy. Operands in device or managed
 * memory do not pass through the host; the device is synchronised first. The state must have been
 * GPU_READY. From any thread; its current device and pending CUDA error are kept. share: the part
 * that the calling thread computes meanwhile by that library; NULL: none.
 */
enum reason gpu_blas_run(const struct call *call, const void *caller, int device,
                         struct cpu_share *share, bool *finished);

#endif
