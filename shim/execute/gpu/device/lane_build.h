/* lane_build.h - makes a lane: streams, cuBLAS handle, workspace, arithmetic */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_LANE_BUILD_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_LANE_BUILD_H

#include "shim/execute/gpu/device/lanes.h"

/*
 * Fills an empty lane of the device, one of the set's, which is current; each library call stands
 * inside the gate. On failure what was made is destroyed, except with REASON_EXITING: then nothing
 * is used any more. REASON_MATH_NOT_NATIVE where no mode of arithmetic can be pinned.
 */
enum reason lane_build(struct lane *lane, const struct cuda_set *set,
                       const struct cuda_device *card, const struct cuda_gate *gate);

/* Sets the lane's cuBLAS handle to the arithmetic of the element, see blas_math.h. REASON_LIBRARY_FAILED: it refuses.
 */
enum reason lane_build_pin_math(struct lane *lane, enum element element);

#endif
