/* gpu_place.h - what CUDA knows of the program's memory: on a device, page-locked, or nothing */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_GPU_PLACE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_GPU_PLACE_H

#include "policy/decide/cost.h"
#include "shim/execute/gpu/cuda/cuda_api.h"

/* Ordinary memory: neither of the three. Managed memory is a device's and the host's. */
struct gpu_place_found {
	bool on_device, managed, locked;
	int device; /* where it is on one, or managed; negative where that is none's */
};

/*
 * Finds out about one address: memory that CUDA has never heard of is ordinary. A device with a
 * context must be current. REASON_DEVICE_FAILED where CUDA failed; it may leave an error behind
 * also where it did not.
 */
enum reason gpu_place_find(const struct cuda_api *api, const void *address,
                           struct gpu_place_found *place);

/* Whether memory is page-locked, by us or by the program, as far as its ends tell. */
bool gpu_place_is_locked(const struct cuda_api *api, const void *memory, uint64_t size_bytes);

/*
 * Where the operands of a call lie, as the engine on this device will find them; of a batch, those
 * of its first problem. *device_only: one is where the CPU cannot read it. Takes no lane, and about
 * a microsecond; leaves the calling thread as it was. Where CUDA does not answer, all are ordinary
 * memory.
 */
void gpu_place_describe(const struct call *call, int device, enum cost_place place[OPERAND_COUNT],
                        bool *device_only);

#endif
