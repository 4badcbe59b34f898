/* staging.h - page-locked host memory between the program and the devices: one ring each way */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_STAGING_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_STAGING_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/reason.h"
#include "shim/execute/gpu/cuda/cuda.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/engine/staging_sizes.h"

enum staging_way { STAGING_UP, STAGING_DOWN, STAGING_WAYS };

/* One run's page-aligned part of the two rings, until it is given back. */
struct staging {
	char *base[STAGING_WAYS];
	uint64_t size_bytes[STAGING_WAYS];
	int first[STAGING_WAYS], count[STAGING_WAYS]; /* parts, staging.c's own */
};

/*
 * Sizes the rings by the last-level cache and limit_bytes (0: no limit), see staging_sizes.h.
 * Allocates nothing. api must outlive the process.
 */
void staging_configure(const struct cuda_api *api, uint64_t limit_bytes);

/*
 * The NUMA node whose memory the rings shall have, where it may be used; -1, and by default: the
 * allocating thread's policy decides. root: of the kernel's files, "" but in tests; it must outlive
 * the process. Before the rings exist.
 */
void staging_set_node(const char *root, int node);

/*
 * Allocates the rings now, so that no call waits for it: about a millisecond per MiB. After a
 * failure staging_take tries again. After staging_configure.
 */
enum reason staging_prepare(void);

/*
 * Takes what is free of both rings, at least one part each way; waits while there is none. The
 * first caller allocates the rings, if there are none, registered for all devices.
 * REASON_HOST_MEMORY where that fails, REASON_DEVICE_FAILED where a whole ring is lost to failed
 * calls. From any thread.
 */
enum reason staging_take(struct staging *staging);

/*
 * staging_take for a call with this first lane, which may be left while it waits (lane_owner.h).
 * REASON_CALL_LEFT: it was taken over meanwhile.
 */
enum reason staging_take_for(struct staging *staging, struct lane *leader);

/* Whether another thread waits for a part. */
bool staging_is_wanted(void);

/*
 * Gives back the upper half of one way, which must be unused; false where it is a single part. The
 * lower half stays as it is.
 */
bool staging_yield(struct staging *staging, enum staging_way way);

/*
 * Gives the part back. reusable = false: a copy may still be pending, the part is never granted
 * again.
 */
void staging_give(struct staging *staging, bool reusable);

/* The call has left its part, and its place in the queue for one: as staging_give. */
void staging_reclaim(const struct lane *leader, bool reusable);

/* Bytes of a chunk: the most that a thread copies at a time. */
uint64_t staging_chunk_bytes(void);

/* Bytes of the smallest part that a run may get. */
uint64_t staging_part_bytes(void);

/* Bytes of the largest single copy of the device, when one run has all of the rings. */
uint64_t staging_copy_bytes(void);

/* Bytes page-locked so far. */
uint64_t staging_locked_bytes(void);

/*
 * For tests and benches, before the first staging_take: all sizes; bytes of each ring and of a
 * chunk, which is a part too.
 */
void staging_use_sizes(const struct staging_sizes *sizes);
void staging_set_sizes(uint64_t ring_bytes, uint64_t chunk_bytes);

/* A fork child has no rings, and nobody waits. */
void staging_after_fork_child(void);

#endif
