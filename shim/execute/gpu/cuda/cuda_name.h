/* cuda_name.h - what a device is called */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_NAME_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_NAME_H

#include "shim/execute/gpu/cuda/cuda_api.h"

/*
 * The device's name as the driver spells it, cut to size bytes; empty where neither driver nor
 * runtime tells.
 */
void cuda_name_read(const struct cuda_set *set, int device, char *name, size_t size);

#endif
