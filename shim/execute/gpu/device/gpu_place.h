/* gpu_place.h - what CUDA knows of the program's memory: on a device, page-locked, or nothing */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_GPU_PLACE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_GPU_PLACE_H

#include "policy/decide/cost.h"
#include "shim/execute/gpu/cuda/cuda_api.h"

/* All false: ordinary memory. Managed memory is on_device too. */
struct gpu_place_found {
	bool on_device, managed, locked;
	int device; /* of device or managed memory; negative: none */
};

/*
 * Describes one address; memory that CUDA does not know is ordinary. A device with a context must
 * be current. REASON_DEVICE_FAILED where CUDA failed. It may leave a CUDA error behind in any case.
 */
enum reason gpu_place_find(const struct cuda_api *api, const void *address,
                           struct gpu_place_found *place);

/* Whether memory is page-locked, by us or by the program; only its ends are checked. */
bool gpu_place_is_locked(const struct cuda_api *api, const void *memory, uint64_t size_bytes);

/*
 * Where the operands of a call are for the engine on this device (of a batch: of its first
 * problem). *device_only: the CPU cannot read one of them. Takes no lane and about a microsecond;
 * keeps the calling thread's CUDA state. Where CUDA does not answer, all are ordinary memory.
 */
void gpu_place_describe(const struct call *call, int device, enum cost_place place[OPERAND_COUNT],
                        bool *device_only);

#endif
