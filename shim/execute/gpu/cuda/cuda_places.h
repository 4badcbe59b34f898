/* cuda_places.h - the folders in which CUDA libraries may lie */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_PLACES_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_PLACES_H

#include "shim/execute/gpu/cuda/cuda.h"

/*
 * Fills search->place in the order of the search; each folder exists and stands there once. Reads
 * the environment and the list of loaded objects (takes the loader's lock).
 */
void cuda_places_list(const char *cuda_path, struct cuda_search *search);

#endif
