/* gpu_blas.h - BLAS calls on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_BLAS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_BLAS_H

#include "policy/call/call.h"

/*
 * Runs the call on the device, blocking, with native precision. REASON_NONE: the result is in the
 * program's memory, and of C only what BLAS writes was written: m x n, or the named triangle.
 * Otherwise a BACK reason; *finished tells whether the call is done all the same, by the library
 * that caller would reach, from where the GPU left it. If not, no byte of the program's memory was
 * written; but for a result in its device memory where beta is 0 or where CUDA failed in the last
 * copy to it. Operands in device or managed memory never go through the host; the device is
 * synchronised first. The state must have been GPU_READY. From any thread; the caller's current
 * device and pending CUDA error are kept.
 */
enum reason gpu_blas_run(const struct call *call, const void *caller, int device, bool *finished);

#endif
