/* placement.h - inputs that a coherent device loads itself are moved to its memory if that pays */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_PLACEMENT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_PLACEMENT_H

#include "shim/execute/gpu/device/lane.h"

/* count runs of bytes in the program's memory. */
struct placement_area {
	const void *host;
	uint64_t run_bytes, count, pitch_bytes;
};

/*
 * Before the flow of a call that loads an input, or writes a result. link_bytes_s: at which rate
 * the device loads ordinary memory itself; 0: loads pass a ring. An input may be moved (migrate.h),
 * which takes time. Whatever happens, the call goes on as before.
 */
void placement_note_input(const struct lane *lane, const struct placement_area *area,
                          double link_bytes_s);
void placement_note_result(const struct lane *lane, const struct placement_area *area);

#endif
