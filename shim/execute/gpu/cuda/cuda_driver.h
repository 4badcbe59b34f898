/* cuda_driver.h - the driver's library, libcuda.so.1, which a CUDA runtime has loaded */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_DRIVER_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_DRIVER_H

#include <stdbool.h>

/* CUDA's number for a driver function that was called before the driver was initialised. */
enum { CUDA_DRIVER_NOT_INITIALISED = 3, CUDA_CAPTURE_RELAXED = 2 };

/* OPTIONAL functions may be NULL. */
struct cuda_driver {
#define CUDA_DRIVER(field, name, need, parameters) int(*field) parameters;
#include "shim/execute/gpu/cuda/cuda_driver.def"
};

/* false: this process has not loaded the library, or it lacks a function. Loads nothing. */
bool cuda_driver_find(struct cuda_driver *driver);

#endif
