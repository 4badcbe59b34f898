/* memory.h - device memory: a pool that grows on demand under a limit; every byte the shim causes to be held counts */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_MEMORY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_MEMORY_H

#include <stdint.h>

#include "policy/reason.h"
#include "shim/execute/gpu/cuda.h"

/* A piece of device memory. Its user may read both; the pool keeps the rest. */
struct memory_block {
	void *pointer;
	uint64_t size_bytes; /* at least what was asked for */
	bool busy;
	struct memory_block *next;
};

/*
 * Starts an empty pool. limit_bytes bounds what is requested from cudaMalloc at any time, busy and idle together, and
 * what is reserved for the libraries.
 */
void memory_start(const struct cuda_api *api, uint64_t limit_bytes);

/* The limit of memory_start. */
uint64_t memory_limit(void);

/*
 * A block of at least size_bytes (more than 0) on the current device: an idle one, else a new one; idle blocks are
 * freed first where the limit or the device has no room, then the reclaimer is asked. REASON_DEVICE_MEMORY where that
 * is not enough, and REASON_HOST_MEMORY. From any thread.
 */
enum reason memory_take(uint64_t size_bytes, struct memory_block **block);

/* Makes the block idle; nothing on the device uses it any more. NULL is harmless. */
void memory_give(struct memory_block *block);

/* Counts memory that a library holds on the current device for us, as if it were a block. Reasons as memory_take. */
enum reason memory_reserve(uint64_t size_bytes);
void memory_release(uint64_t size_bytes);

/* What is in use on the current device and not counted here. false where the device does not tell. */
bool memory_measure_others(int64_t *size_bytes);

/* A library lacks memory: frees one idle block, else asks the reclaimer. false: there is nothing left to give up. */
bool memory_shrink(void);

/*
 * Who can give up something that was reserved: destroys one such thing on the current device and returns true, or
 * false. Called by threads that take or reserve memory, without the pool's lock.
 */
void memory_set_reclaimer(bool (*reclaimer)(void));

/* Told about each change of the bytes held, as a difference, with the pool locked: it must not call back. */
void memory_set_observer(void (*observer)(int64_t difference));

#endif
