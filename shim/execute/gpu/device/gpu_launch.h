/* gpu_launch.h - one call of cuBLAS on operands that the device can reach */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_GPU_LAUNCH_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_GPU_LAUNCH_H

#include "shim/execute/gpu/device/lanes.h"

/*
 * blas: like a described call, with the device's addresses and leading dimensions. FAMILY_TRMM
 * reads b (ldb) and writes c, which may be b; FAMILY_TRSM has no b. Strides (in elements) and count
 * are for FAMILY_GEMM_BATCH_STRIDED only.
 */
struct gpu_launch {
	enum family family;
	enum element element;
	struct blas_call blas;
	int64_t stridea, strideb, stridec, count;
};

/* Whether the opened cuBLAS has the function, and its variant with 64-bit integers. */
bool gpu_launch_has(const struct cuda_api *api, enum family family, enum element element);
bool gpu_launch_has_wide(const struct cuda_api *api, enum family family, enum element element);

/* Whether a size, leading dimension or count fits the functions with int. */
bool gpu_launch_fits(int64_t size);

/* Queues the kernel. REASON_LIBRARY_FAILED: cuBLAS lacks the function or refuses the call. */
enum reason gpu_launch_run(struct lane *lane, const struct gpu_launch *launch);

/*
 * For tests: the largest size that gpu_launch_fits (INT_MAX by default), and whether functions with
 * 64-bit integers are used. Not while calls are running.
 */
void gpu_launch_set_limit(int64_t largest, bool wide);

#endif
