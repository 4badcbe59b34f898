/* cuda_key.h - a number that all processes of the node know a device by */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_KEY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_KEY_H

#include "shim/execute/gpu/cuda/cuda_api.h"

/*
 * Stands for the device's UUID, which parts of one GPU (MIG) have each; where the driver does not
 * tell it, for the PCI id. 0: both are unknown.
 */
uint64_t cuda_key_find(const struct cuda_device *card);

#endif
