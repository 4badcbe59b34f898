/* staging.h - page-locked host memory between the program's memory and the devices: a ring each way */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_STAGING_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_STAGING_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/reason.h"
#include "shim/execute/gpu/cuda/cuda.h"

enum staging_way { STAGING_UP, STAGING_DOWN, STAGING_WAYS };

/*
 * What one run has of the two rings until it gives it back: a run of bytes each way, aligned to a
 * page.
 */
struct staging {
	char *base[STAGING_WAYS];
	uint64_t size_bytes[STAGING_WAYS];
	int first[STAGING_WAYS], count[STAGING_WAYS]; /* the pool's */
};

/*
 * Sizes the rings: together at most half of the last-level cache and limit_bytes (0: no limit of
 * the caller's), within bounds that staging.c names. Allocates nothing. api must outlive the
 * process.
 */
void staging_configure(const struct cuda_api *api, uint64_t limit_bytes);

/*
 * Takes what is free of both rings, at least one chunk each way; waits while there is none. The
 * rings are made by the first caller, on whose current device they are registered (for all
 * devices). REASON_HOST_MEMORY where that fails, REASON_DEVICE_FAILED where all of a ring is lost
 * to calls that failed. From any thread.
 */
enum reason staging_take(struct staging *staging);

/* Whether another thread waits for a part. */
bool staging_is_wanted(void);

/*
 * Gives the upper half of one way back, of which nothing is in use any more; false where it is one
 * chunk only. The lower half stays as it is.
 */
bool staging_yield(struct staging *staging, enum staging_way way);

/* Gives it back. reusable = false: a copy may still be under way, nobody gets this part again. */
void staging_give(struct staging *staging, bool reusable);

/*
 * Bytes of a chunk: a copy of that size costs little more than its bytes. What a run hands to one
 * thread at a time.
 */
uint64_t staging_chunk_bytes(void);

/* Bytes that one copy of the device moves at most: half a ring, when one run has it all. */
uint64_t staging_copy_bytes(void);

/* Bytes page-locked so far. */
uint64_t staging_locked_bytes(void);

/* For tests and benches, before the first staging_take: the bytes of each ring and of a chunk. */
void staging_set_sizes(uint64_t ring_bytes, uint64_t chunk_bytes);

/* In a fork child the rings are gone, and nobody waits. */
void staging_after_fork_child(void);

#endif
