/* cuda.h - finds and opens one set of CUDA libraries */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_H

#include "shim/execute/gpu/cuda/cuda_api.h"

/*
 * Opens the first set that this machine can use: {cudart 13, cublas 13, cufft 12}, {12, 12, 11} or
 * {11.0, 11, 10}, never parts of two sets. cuda_path (may be empty) is searched before all other
 * folders. devices is the option of that name; one usable device is enough. REASON_NONE with *set
 * filled; else the highest-ranked reason of the refusals, REASON_NO_CUDA where no library was
 * found, or REASON_EXITING where the guard ended the search. Libraries stay open in every case.
 * Keeps no state.
 */
enum reason cuda_open(const char *cuda_path, const char *devices, const struct cuda_guard *guard,
                      struct cuda_set *set, struct cuda_search *search);

/*
 * Whether the option devices leaves the choice to the shim. The set then has all usable devices, in
 * CUDA's order.
 */
bool cuda_devices_are_chosen(const char *devices);

/* The root of the kernel's files about devices: "", or for tests another folder, set before. */
void cuda_devices_set_root(const char *root);
const char *cuda_devices_find_root(void);

/* The refusal whose reason cuda_open returned; NULL where no library was found. */
const struct cuda_refusal *cuda_find_refusal(const struct cuda_search *search);

/* Whether the context is lost for the rest of the process after this CUDA error. */
bool cuda_is_fatal(int error);

#endif
