/* probe.h - measures the engine's copies, calls and kernels on a lane */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_PROBE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_PROBE_H

#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/staging.h"

/*
 * A lane of the calling thread, scratch memory of its device and ordinary scratch memory of the
 * host. A probe that fails leaves elapsed_ns unchanged, and the lane as a failed call leaves it.
 */
struct probe {
	struct lane *lane;
	char *host, *device;
	uint64_t host_bytes, device_bytes;
};

/* With this much of both memories all but large copies and products can be measured. */
enum { PROBE_LEAST_BYTES = 1 << 16 };

/* One copy of size_bytes between host and device through staging, as for an operand. */
enum reason probe_copy(const struct probe *probe, enum staging_way way, uint64_t size_bytes,
                       int64_t *elapsed_ns);

/*
 * The same between page-locked memory and the device: no copy by the processor. size_bytes may
 * exceed the memory that is locked.
 */
enum reason probe_pinned(const struct probe *probe, enum staging_way way, uint64_t size_bytes,
                         int64_t *elapsed_ns);

/* Both ways at once: half of size_bytes up, another half down. For benches. */
enum reason probe_copy_both(const struct probe *probe, uint64_t size_bytes, int64_t *elapsed_ns);

/* A whole call with almost no work: an operand up, a product, the result down. */
enum reason probe_call(const struct probe *probe, int64_t *elapsed_ns);

/* count times a small copy and a small product, each waiting for the one before. */
enum reason probe_hops(const struct probe *probe, int count, int64_t *elapsed_ns);

/* The largest order of a product that fits in this memory. */
int64_t probe_most_order(const struct probe *probe, enum element element);

/*
 * count products of square matrices of this order, one after the other, in the lane's arithmetic.
 */
enum reason probe_product(const struct probe *probe, enum element element, int64_t order, int count,
                          int64_t *elapsed_ns);

/* The same for another family of level 3, from the left where it has sides. */
enum reason probe_level3(const struct probe *probe, enum family family, enum element element,
                         int64_t order, int count, int64_t *elapsed_ns);

#endif
