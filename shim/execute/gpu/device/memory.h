/* memory.h - device memory: a pool per device that grows on demand under a limit; every byte the shim holds counts */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_MEMORY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_MEMORY_H

#include <stdint.h>

#include "policy/call/reason.h"
#include "shim/execute/gpu/cuda/cuda_api.h"

/* A piece of device memory. Its user may read the first three; the pool keeps the rest. */
struct memory_block {
	void *pointer;
	uint64_t size_bytes; /* at least what was asked for */
	int device;
	bool busy;
	struct memory_block *next;
};

/*
 * Starts an empty pool for the device (0 .. CUDA_DEVICES - 1). limit_bytes bounds what is requested
 * from cudaMalloc there at any time, busy and idle together, and what is reserved for the
 * libraries. All functions below take a device that was started; those that say so want it to be
 * the calling thread's current one.
 */
void memory_start(const struct cuda_api *api, int device, uint64_t limit_bytes);

/* The limit of memory_start. */
uint64_t memory_limit(int device);

/*
 * What could be taken now, all idle blocks given up: the limit, or what the device had when it was
 * asked a moment ago, less what is busy or reserved. Others may take it first.
 */
uint64_t memory_available(int device);

/*
 * The same, what the libraries keep given up too, as far as the reclaimer can: memory_take asks it
 * where it has to.
 */
uint64_t memory_obtainable(int device);

/*
 * A block of at least size_bytes (more than 0) on the device, which is current: an idle one, else a
 * new one; idle blocks are freed first where the limit or the device has no room, then the
 * reclaimer is asked. REASON_DEVICE_MEMORY where that is not enough, and REASON_HOST_MEMORY. From
 * any thread.
 */
enum reason memory_take(int device, uint64_t size_bytes, struct memory_block **block);

/* Makes the block idle; nothing on the device uses it any more. NULL is harmless. */
void memory_give(struct memory_block *block);

/*
 * Counts memory that a library holds on the current device for us, as if it were a block. Reasons
 * as memory_take.
 */
enum reason memory_reserve(int device, uint64_t size_bytes);
void memory_release(int device, uint64_t size_bytes);

/*
 * What is in use on the current device and not counted here. false where the device does not tell.
 */
bool memory_measure_others(int device, int64_t *size_bytes);

/*
 * The device, which is current, has all that CUDA and its libraries keep there: what is in use and
 * not counted, up to a bound, is taken for theirs, and what comes to it later for other programs'.
 */
void memory_settle(int device);

/*
 * A library lacks memory: frees one idle block, else asks the reclaimer. false: there is nothing
 * left to give up.
 */
bool memory_shrink(int device);

/* Frees all idle blocks of the device, which is current; the bytes. */
uint64_t memory_trim(int device);

/*
 * A call has ended on the device, which is current: now and then its free memory is looked at, and
 * where little is left and others hold memory there, the idle blocks are freed.
 */
void memory_relieve(int device);

/*
 * Who can give up something that was reserved: destroys one such thing on the current device, which
 * is told, and returns true, or false. Called by threads that take or reserve memory, without the
 * pool's lock.
 */
void memory_set_reclaimer(bool (*reclaimer)(int device));

/*
 * Told about each change of the bytes held, as a difference, with a pool locked: it must not call
 * back.
 */
void memory_set_observer(void (*observer)(int64_t difference));

/* For tests: the clock that tells how long what was seen of a device counts. */
void memory_set_clock(int64_t (*now_ns)(void));

#endif
