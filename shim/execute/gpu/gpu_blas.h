/* gpu_blas.h - BLAS calls on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_GPU_BLAS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_GPU_BLAS_H

#include "policy/call.h"

/*
 * Runs the call on the device, blocking, with native precision. REASON_NONE: the result is in the program's memory,
 * only the m x n region was written. Otherwise a BACK reason, and no byte of the program's memory was written.
 * The state must have been GPU_READY. From any thread; the caller's current device and pending CUDA error are kept.
 */
enum reason gpu_blas_run(const struct call *call, int device);

#endif
