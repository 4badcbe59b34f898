/* memory.h - a pool of device memory per device; its limit counts every byte the shim holds */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_MEMORY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_MEMORY_H

#include <stdint.h>

#include "policy/call/reason.h"
#include "shim/execute/gpu/cuda/cuda_api.h"

/*
 * A piece of device memory. Users may read the first three fields; note is theirs, with any value
 * at first; the pool owns the rest.
 */
struct memory_block {
	void *pointer;
	uint64_t size_bytes; /* at least what was asked for */
	int device;
	_Atomic uint64_t note;
	bool busy;
	bool spare; /* busy, but given up by a reclaimer where memory is short */
	struct memory_block *next;
};

/*
 * Starts an empty pool for the device (0 .. CUDA_DEVICES - 1). limit_bytes bounds the memory of the
 * pool, busy and idle, and of reservations at any time. All other functions need a started device;
 * "current" means: of the calling thread.
 */
void memory_start(const struct cuda_api *api, int device, uint64_t limit_bytes);

/* The limit of memory_start. */
uint64_t memory_limit(int device);

/*
 * Bytes that could be taken now if all idle blocks were freed: the limit, or the free memory of a
 * recent reading, less what is busy or reserved. Other programs may take it first.
 */
uint64_t memory_available(int device);

/*
 * The same if libraries gave up too what the reclaimer can destroy; memory_take asks it where
 * needed.
 */
uint64_t memory_obtainable(int device);

/*
 * A block of at least size_bytes (more than 0) on the current device: an idle one, else a new one.
 * Where limit or device lack room, idle blocks are freed, then the reclaimer is called.
 * REASON_DEVICE_MEMORY where that is not enough, or REASON_HOST_MEMORY. From any thread.
 */
enum reason memory_take(int device, uint64_t size_bytes, struct memory_block **block);

/* A busy block that one of the reclaimers gives up where memory is short: not counted as needed. */
void memory_spare(struct memory_block *block);

/* Makes the block idle; nothing on the device may use it any more. NULL is allowed. */
void memory_give(struct memory_block *block);

/* Counts memory that a library holds on the current device for us. Reasons as for memory_take. */
enum reason memory_reserve(int device, uint64_t size_bytes);
void memory_release(int device, uint64_t size_bytes);

/* Bytes in use on the current device and not counted here. false: CUDA failed. */
bool memory_measure_others(int device, int64_t *size_bytes);

/*
 * Called when CUDA and its libraries are loaded on the current device: uncounted memory in use is
 * taken for theirs, up to a bound; what is added later belongs to other programs.
 */
void memory_settle(int device);

/*
 * For a library that lacks memory: frees one idle block, else calls the reclaimer. false: nothing
 * left.
 */
bool memory_shrink(int device);

/* Frees all idle blocks of the current device; returns the bytes. */
uint64_t memory_trim(int device);

/*
 * After a call on the current device: reads its free memory now and then, and frees the idle blocks
 * where little is left and other programs hold memory. alone: no other call runs on the device;
 * otherwise nothing is freed, because cudaFree would wait for that call's work.
 */
void memory_relieve(int device, bool alone);

/*
 * Sets a function that gives up reserved memory or spare blocks: it destroys one thing on the
 * device and returns true, or false. Called without the pool's lock by threads that take or reserve
 * memory, in the order of enum memory_reclaimer.
 */
enum memory_reclaimer { MEMORY_RECLAIM_COPIES, MEMORY_RECLAIM_PLANS, MEMORY_RECLAIMERS };
void memory_set_reclaimer(enum memory_reclaimer place, bool (*reclaimer)(int device));

/*
 * Sets a function that is told each change of the bytes held. Called with a pool locked: it must
 * not call back.
 */
void memory_set_observer(void (*observer)(int64_t difference));

/* For tests: the clock that tells how long a reading counts. */
void memory_set_clock(int64_t (*now_ns)(void));

#endif
