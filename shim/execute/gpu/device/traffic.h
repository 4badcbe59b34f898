/* traffic.h - bytes of operands that a call sends to devices, and those that it need not send */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_TRAFFIC_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_TRAFFIC_H

#include <stdint.h>

/*
 * sent_bytes: copied from the host's memory to a device, as often as they were copied. kept_bytes:
 * of operands that are read, what a device had from earlier calls.
 */
struct traffic {
	uint64_t sent_bytes, kept_bytes;
};

/*
 * The calling thread's call begins with zero. outer: of the call that a handler of signals has
 * interrupted; to be passed to traffic_end, which tells the call's own.
 */
struct traffic traffic_begin(void);
struct traffic traffic_end(const struct traffic *outer);

/* More of the calling thread's call. */
void traffic_note_sent(uint64_t size_bytes);
void traffic_note_kept(uint64_t size_bytes);

#endif
