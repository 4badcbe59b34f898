/* transfer.h - copies between the program's memory and the device, for now one at a time */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_TRANSFER_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_TRANSFER_H

#include "shim/execute/gpu/device/lanes.h"

/*
 * rows of row_bytes each, pitch_bytes apart in the program's memory and tight everywhere else. The
 * gap is not ours.
 */
struct transfer_area {
	void *host;
	uint64_t row_bytes, rows, pitch_bytes;
	bool on_device; /* the program's memory is, or may be, a device's or managed: copies go by the addresses */
};

static inline uint64_t transfer_size_bytes(const struct transfer_area *area)
{
	return area->row_bytes * area->rows;
}

/* Queues the copy of the area to the device; reads nothing between the rows. */
enum reason transfer_send(struct lane *lane, void *device, const struct transfer_area *area);

/*
 * Queues the copy from the device to an area that is on_device; like transfer_commit, for what was
 * confirmed only.
 */
enum reason transfer_publish(struct lane *lane, const struct transfer_area *area,
                             const void *device);

/*
 * Writes what was received into the program's memory: after lanes_finish returned REASON_NONE, and
 * never before.
 */
void transfer_commit(const struct transfer_area *area, const void *staging);

#endif
