/* probe.h - how long the engine's own copies, calls and kernels take on a lane: what it would be unwise to assume */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_PROBE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_PROBE_H

#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/staging.h"

/*
 * What probes work with: a lane of the calling thread, memory of its device and ordinary memory of
 * the host. Nobody's data are in either. A probe that fails leaves elapsed_ns as it was, and the
 * lane as a call that failed does.
 */
struct probe {
	struct lane *lane;
	char *host, *device;
	uint64_t host_bytes, device_bytes;
};

/* Bytes of either memory with which everything but large copies and products can be measured. */
enum { PROBE_LEAST_BYTES = 1 << 16 };

/* One copy of size_bytes between host and device, through staging, as an operand takes it. */
enum reason probe_copy(const struct probe *probe, enum staging_way way, uint64_t size_bytes,
                       int64_t *elapsed_ns);

/* A whole call with hardly any work: an operand up, a product, the result down. */
enum reason probe_call(const struct probe *probe, int64_t *elapsed_ns);

/* So many times a small copy and a small product, each of which waits for the one before. */
enum reason probe_hops(const struct probe *probe, int count, int64_t *elapsed_ns);

/* The largest order of a product on this memory. */
int64_t probe_most_order(const struct probe *probe, enum element element);

/*
 * So many products of square matrices of this order, one behind the other, in the lane's native
 * arithmetic.
 */
enum reason probe_product(const struct probe *probe, enum element element, int64_t order, int count,
                          int64_t *elapsed_ns);

#endif
