/* panel_placement.h - operands of a planned call that may be moved to a coherent device's memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PANEL_PLACEMENT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PANEL_PLACEMENT_H

#include "shim/execute/gpu/blas/gpu_batch.h"

/* Before the flow of a call on one device. */
void panel_placement_note(const struct lane *lane, const struct gpu_group *group);

#endif
