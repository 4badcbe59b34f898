/* memory.c - blocks from cudaMalloc, reused by best fit */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* cuBLAS wants 256 for its workspace, cudaMalloc gives no less. */
enum { MEMORY_GRANULE_BYTES = 256 };

static pthread_mutex_t memory_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct memory_block *memory_blocks;
static const struct cuda_api *memory_api;
static uint64_t memory_limit_bytes, memory_held_bytes;
static void (*_Atomic memory_observer)(int64_t difference);
static bool (*_Atomic memory_reclaimer)(void);

void memory_set_observer(void (*observer)(int64_t difference))
{
	atomic_store(&memory_observer, observer);
}

void memory_set_reclaimer(bool (*reclaimer)(void))
{
	atomic_store(&memory_reclaimer, reclaimer);
}

static bool memory_reclaim(void)
{
	bool (*reclaimer)(void) = atomic_load(&memory_reclaimer);
	return reclaimer != NULL && reclaimer();
}

void memory_start(const struct cuda_api *api, uint64_t limit_bytes)
{
	pthread_mutex_lock(&memory_mutex);
	memory_api = api;
	memory_limit_bytes = limit_bytes;
	pthread_mutex_unlock(&memory_mutex);
}

uint64_t memory_limit(void)
{
	pthread_mutex_lock(&memory_mutex);
	const uint64_t limit_bytes = memory_limit_bytes;
	pthread_mutex_unlock(&memory_mutex);
	return limit_bytes;
}

static void memory_count(int64_t difference)
{
	void (*observer)(int64_t) = atomic_load(&memory_observer);
	memory_held_bytes += (uint64_t)difference;
	if (observer != NULL)
		observer(difference);
}

/* The smallest idle block that holds size_bytes; the list has a few dozen at most. */
static struct memory_block *memory_find_fit(uint64_t size_bytes)
{
	struct memory_block *best = NULL;
	for (struct memory_block *block = memory_blocks; block != NULL; block = block->next)
		if (!block->busy && block->size_bytes >= size_bytes &&
		    (best == NULL || block->size_bytes < best->size_bytes))
			best = block;
	return best;
}

/* Whether taking the block for so little would waste most of it. */
static bool memory_is_wasteful(const struct memory_block *block, uint64_t size_bytes)
{
	return block->size_bytes / 2 > size_bytes;
}

static struct memory_block **memory_find_largest_idle(void)
{
	struct memory_block **largest = NULL;
	for (struct memory_block **link = &memory_blocks; *link != NULL; link = &(*link)->next)
		if (!(*link)->busy && (largest == NULL || (*link)->size_bytes > (*largest)->size_bytes))
			largest = link;
	return largest;
}

/* Frees the largest idle block. A block that cudaFree refuses stays counted and is not tried again. */
static bool memory_free_one(void)
{
	struct memory_block **link = memory_find_largest_idle();
	if (link == NULL)
		return false;
	struct memory_block *block = *link;
	if (memory_api->free(block->pointer) != CUDA_SUCCESS) {
		block->busy = true;
		return true;
	}
	*link = block->next;
	memory_count(-(int64_t)block->size_bytes);
	free(block);
	return true;
}

static bool memory_make_room(uint64_t size_bytes)
{
	while (size_bytes > memory_limit_bytes - memory_held_bytes)
		if (!memory_free_one())
			return false;
	return true;
}

static int memory_request(struct memory_block *block)
{
	int error = memory_api->malloc(&block->pointer, (size_t)block->size_bytes);
	if (error != CUDA_ERROR_MEMORY_ALLOCATION)
		return error;
	memory_api->get_last_error();
	while (memory_free_one())
		continue;
	error = memory_api->malloc(&block->pointer, (size_t)block->size_bytes);
	if (error == CUDA_ERROR_MEMORY_ALLOCATION)
		memory_api->get_last_error();
	return error;
}

static enum reason memory_grow(uint64_t size_bytes, struct memory_block **grown)
{
	struct memory_block *block = calloc(1, sizeof *block);
	if (block == NULL)
		return REASON_HOST_MEMORY;
	block->size_bytes = size_bytes;
	const int error = memory_request(block);
	if (error != CUDA_SUCCESS) {
		free(block);
		return error == CUDA_ERROR_MEMORY_ALLOCATION ? REASON_DEVICE_MEMORY : REASON_DEVICE_FAILED;
	}
	memory_count((int64_t)size_bytes);
	block->next = memory_blocks;
	memory_blocks = block;
	*grown = block;
	return REASON_NONE;
}

static enum reason memory_find_or_grow(uint64_t size_bytes, struct memory_block **block)
{
	struct memory_block *fit = memory_find_fit(size_bytes);
	if (fit != NULL && !memory_is_wasteful(fit, size_bytes)) {
		*block = fit;
		return REASON_NONE;
	}
	if (fit != NULL && size_bytes > memory_limit_bytes - memory_held_bytes) {
		*block = fit;
		return REASON_NONE;
	}
	if (size_bytes > memory_limit_bytes || !memory_make_room(size_bytes))
		return REASON_DEVICE_MEMORY;
	return memory_grow(size_bytes, block);
}

/* Whether the limit could hold size_bytes if all were given up that can be: then it is worth to reclaim something. */
static bool memory_may_fit(uint64_t size_bytes)
{
	uint64_t busy_bytes = 0;
	for (const struct memory_block *block = memory_blocks; block != NULL; block = block->next)
		if (block->busy)
			busy_bytes += block->size_bytes;
	return busy_bytes <= memory_limit_bytes && size_bytes <= memory_limit_bytes - busy_bytes;
}

enum reason memory_take(uint64_t size_bytes, struct memory_block **block)
{
	struct memory_block *found = NULL;
	enum reason reason;
	bool again;
	if (size_bytes > (uint64_t)INT64_MAX - MEMORY_GRANULE_BYTES)
		return REASON_DEVICE_MEMORY;
	const uint64_t rounded = (size_bytes + MEMORY_GRANULE_BYTES - 1) / MEMORY_GRANULE_BYTES * MEMORY_GRANULE_BYTES;
	do {
		pthread_mutex_lock(&memory_mutex);
		reason = memory_find_or_grow(rounded, &found);
		if (found != NULL)
			found->busy = true;
		again = reason == REASON_DEVICE_MEMORY && memory_may_fit(rounded);
		pthread_mutex_unlock(&memory_mutex);
	} while (again && memory_reclaim());
	if (reason == REASON_NONE)
		*block = found;
	return reason;
}

void memory_give(struct memory_block *block)
{
	if (block == NULL)
		return;
	pthread_mutex_lock(&memory_mutex);
	block->busy = false;
	pthread_mutex_unlock(&memory_mutex);
}

enum reason memory_reserve(uint64_t size_bytes)
{
	bool room, again;
	do {
		pthread_mutex_lock(&memory_mutex);
		room = memory_make_room(size_bytes);
		again = !room && memory_may_fit(size_bytes);
		if (room)
			memory_count((int64_t)size_bytes);
		pthread_mutex_unlock(&memory_mutex);
	} while (again && memory_reclaim());
	return room ? REASON_NONE : REASON_DEVICE_MEMORY;
}

void memory_release(uint64_t size_bytes)
{
	pthread_mutex_lock(&memory_mutex);
	memory_count(-(int64_t)size_bytes);
	pthread_mutex_unlock(&memory_mutex);
}

/* With the lock, so that no block of ours is made between the two numbers. */
bool memory_measure_others(int64_t *size_bytes)
{
	size_t free_bytes = 0, total_bytes = 0;
	pthread_mutex_lock(&memory_mutex);
	const bool known = memory_api->mem_get_info(&free_bytes, &total_bytes) == CUDA_SUCCESS;
	*size_bytes = (int64_t)total_bytes - (int64_t)free_bytes - (int64_t)memory_held_bytes;
	pthread_mutex_unlock(&memory_mutex);
	return known;
}

bool memory_shrink(void)
{
	pthread_mutex_lock(&memory_mutex);
	const bool freed = memory_free_one();
	pthread_mutex_unlock(&memory_mutex);
	return freed || memory_reclaim();
}
