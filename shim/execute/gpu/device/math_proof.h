/* math_proof.h - tests by one product whether cuBLAS keeps the pinned precision */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_MATH_PROOF_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_MATH_PROOF_H

#include "shim/execute/gpu/device/lane.h"

/*
 * For each precision with blas_math_find_doubt: products on the lane whose results show any
 * dropped digit. A precision that drops one, or cannot be tested, is refused; an emulation that
 * keeps all digits passes. Each library call runs inside the guard. REASON_NONE or REASON_EXITING.
 */
enum reason math_proof_run(struct lane *lane, const struct cuda_guard *guard);

#endif
