/* math_proof.h - whether cuBLAS keeps a precision that it was held to: one product tells */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_MATH_PROOF_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_MATH_PROOF_H

#include "shim/execute/gpu/device/lane.h"

/*
 * For each precision that blas_math doubts: a small product on the lane, whose result shows any
 * digit that was dropped. What drops one, or cannot be tried, is refused. (An emulation that keeps
 * all digits passes.) Each library call stands inside the guard. REASON_NONE or REASON_EXITING.
 */
enum reason math_proof_run(struct lane *lane, const struct cuda_guard *guard);

#endif
