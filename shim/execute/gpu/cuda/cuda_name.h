/* cuda_name.h - the name of a device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_NAME_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_NAME_H

#include "shim/execute/gpu/cuda/cuda_api.h"

/* The driver's name of the device, cut to size bytes; empty where it cannot be read. */
void cuda_name_read(const struct cuda_set *set, int device, char *name, size_t size);

#endif
