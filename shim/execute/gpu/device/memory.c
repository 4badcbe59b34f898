/* memory.c - pools of cudaMalloc blocks, reused by best fit */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "shim/base/clock.h"

enum {
	MEMORY_GRANULE_BYTES = 256, /* cuBLAS's workspace needs it; cudaMalloc's alignment */
	MEMORY_LOOK_CALLS = 8,      /* calls until free memory is read again */
	MEMORY_SCARCE_PART = 16,    /* less than this part of a device is scarce */
	MEMORY_STEP_BYTES = 2097152 /* allocation step of devices */
};

/* Free memory is read again after this time too; until then the last reading counts. */
static const int64_t memory_look_ns = 50000000;

/* Less free memory is scarce on any device; other programs matter if they hold more than this. */
static const uint64_t memory_margin_bytes = UINT64_C(256) << 20;

/* Upper bound of what a context and CUDA's libraries hold. */
static const uint64_t memory_own_most_bytes = UINT64_C(1) << 30;

/*
 * held_bytes: blocks and reservations; idle_bytes of them can be freed. room_bytes: held and free
 * at the last reading.
 */
struct memory_pool {
	pthread_mutex_t mutex;
	struct memory_block *blocks;
	uint64_t limit_bytes, held_bytes, idle_bytes;
	uint64_t free_bytes, total_bytes, room_bytes, own_bytes;
	int64_t looked_ns;
	int calls;
};

static struct memory_pool memory_pools[CUDA_DEVICES] = {
	[0 ... CUDA_DEVICES - 1] = {.mutex = PTHREAD_MUTEX_INITIALIZER},
};
static const struct cuda_api *_Atomic memory_api;
static int64_t (*_Atomic memory_clock_ns)(void) = clock_monotonic_ns;
static void (*_Atomic memory_observer)(int64_t difference);
static bool (*_Atomic memory_reclaimer[MEMORY_RECLAIMERS])(int device);

void memory_set_observer(void (*observer)(int64_t difference))
{
	atomic_store(&memory_observer, observer);
}

void memory_set_clock(int64_t (*now_ns)(void))
{
	atomic_store(&memory_clock_ns, now_ns);
}

void memory_set_reclaimer(enum memory_reclaimer place, bool (*reclaimer)(int device))
{
	atomic_store(&memory_reclaimer[place], reclaimer);
}

static bool memory_reclaim(int device)
{
	for (int i = 0; i < MEMORY_RECLAIMERS; i++) {
		bool (*reclaimer)(int) = atomic_load(&memory_reclaimer[i]);
		if (reclaimer != NULL && reclaimer(device))
			return true;
	}
	return false;
}

static struct memory_pool *memory_lock(int device)
{
	pthread_mutex_lock(&memory_pools[device].mutex);
	return &memory_pools[device];
}

static void memory_unlock(struct memory_pool *pool)
{
	pthread_mutex_unlock(&pool->mutex);
}

void memory_start(const struct cuda_api *api, int device, uint64_t limit_bytes)
{
	struct memory_pool *pool = memory_lock(device);
	atomic_store(&memory_api, api);
	pool->limit_bytes = limit_bytes;
	pool->room_bytes = UINT64_MAX;
	memory_unlock(pool);
}

uint64_t memory_limit(int device)
{
	struct memory_pool *pool = memory_lock(device);
	const uint64_t limit_bytes = pool->limit_bytes;
	memory_unlock(pool);
	return limit_bytes;
}

static bool memory_is_recent(const struct memory_pool *pool)
{
	return atomic_load(&memory_clock_ns)() - pool->looked_ns < memory_look_ns;
}

/* What could be taken if all were freed but kept_bytes. */
static uint64_t memory_count_room(const struct memory_pool *pool, uint64_t kept_bytes)
{
	uint64_t most_bytes = pool->limit_bytes;
	if (pool->room_bytes < most_bytes && memory_is_recent(pool))
		most_bytes = pool->room_bytes;
	return most_bytes > kept_bytes ? most_bytes - kept_bytes : 0;
}

static uint64_t memory_count_busy(const struct memory_pool *pool)
{
	uint64_t busy_bytes = 0;
	for (const struct memory_block *block = pool->blocks; block != NULL; block = block->next)
		if (block->busy && !block->spare)
			busy_bytes += block->size_bytes;
	return busy_bytes;
}

uint64_t memory_available(int device)
{
	struct memory_pool *pool = memory_lock(device);
	const uint64_t room_bytes = memory_count_room(pool, pool->held_bytes - pool->idle_bytes);
	memory_unlock(pool);
	return room_bytes;
}

uint64_t memory_obtainable(int device)
{
	struct memory_pool *pool = memory_lock(device);
	const uint64_t room_bytes = memory_count_room(pool, memory_count_busy(pool));
	memory_unlock(pool);
	return room_bytes;
}

/*
 * Reads the current device's memory. *others_bytes: in use and not counted here. false: CUDA
 * failed.
 */
static bool memory_look(struct memory_pool *pool, int64_t *others_bytes)
{
	size_t free_bytes = 0, total_bytes = 0;
	if (atomic_load(&memory_api)->mem_get_info(&free_bytes, &total_bytes) != CUDA_SUCCESS)
		return false;
	pool->free_bytes = free_bytes;
	pool->total_bytes = total_bytes;
	pool->room_bytes = pool->held_bytes + free_bytes;
	pool->looked_ns = atomic_load(&memory_clock_ns)();
	pool->calls = 0;
	*others_bytes = (int64_t)total_bytes - (int64_t)free_bytes - (int64_t)pool->held_bytes;
	return true;
}

static void memory_count(struct memory_pool *pool, int64_t difference)
{
	void (*observer)(int64_t) = atomic_load(&memory_observer);
	pool->held_bytes += (uint64_t)difference;
	if (observer != NULL)
		observer(difference);
}

static void memory_set_busy(struct memory_pool *pool, struct memory_block *block, bool busy)
{
	if (block->busy != busy)
		pool->idle_bytes += busy ? -block->size_bytes : block->size_bytes;
	block->busy = busy;
}

/* The smallest idle block of at least size_bytes; the list has a few dozen entries at most. */
static struct memory_block *memory_find_fit(const struct memory_pool *pool, uint64_t size_bytes)
{
	struct memory_block *best = NULL;
	for (struct memory_block *block = pool->blocks; block != NULL; block = block->next)
		if (!block->busy && block->size_bytes >= size_bytes &&
		    (best == NULL || block->size_bytes < best->size_bytes))
			best = block;
	return best;
}

/* Whether more than half of the block would be unused. */
static bool memory_is_wasteful(const struct memory_block *block, uint64_t size_bytes)
{
	return block->size_bytes / 2 > size_bytes;
}

static struct memory_block **memory_find_largest_idle(struct memory_pool *pool)
{
	struct memory_block **largest = NULL;
	for (struct memory_block **link = &pool->blocks; *link != NULL; link = &(*link)->next)
		if (!(*link)->busy &&
		    (largest == NULL || (*link)->size_bytes > (*largest)->size_bytes))
			largest = link;
	return largest;
}

/* Frees the largest idle block. One that cudaFree refuses stays counted and is not tried again. */
static bool memory_free_one(struct memory_pool *pool)
{
	struct memory_block **link = memory_find_largest_idle(pool);
	if (link == NULL)
		return false;
	struct memory_block *block = *link;
	memory_set_busy(pool, block, true);
	if (atomic_load(&memory_api)->free(block->pointer) != CUDA_SUCCESS)
		return true;
	*link = block->next;
	memory_count(pool, -(int64_t)block->size_bytes);
	free(block);
	return true;
}

static uint64_t memory_free_all(struct memory_pool *pool)
{
	const uint64_t before_bytes = pool->held_bytes;
	while (memory_free_one(pool))
		continue;
	return before_bytes - pool->held_bytes;
}

static bool memory_make_room(struct memory_pool *pool, uint64_t size_bytes)
{
	while (size_bytes > pool->limit_bytes - pool->held_bytes)
		if (!memory_free_one(pool))
			return false;
	return true;
}

/*
 * A failing cudaMalloc would replace an error that the program has pending, and that could not be
 * restored. In that case a request that is sure to fail is not made.
 */
static int memory_ask(struct memory_pool *pool, struct memory_block *block)
{
	const struct cuda_api *api = atomic_load(&memory_api);
	const bool pending = api->peek_at_last_error() != CUDA_SUCCESS;
	int64_t others_bytes;
	if (pending && memory_look(pool, &others_bytes) &&
	    pool->free_bytes / MEMORY_STEP_BYTES * MEMORY_STEP_BYTES < block->size_bytes)
		return CUDA_ERROR_MEMORY_ALLOCATION;
	const int error = api->malloc(&block->pointer, (size_t)block->size_bytes);
	if (error == CUDA_ERROR_MEMORY_ALLOCATION && !pending)
		api->get_last_error();
	return error;
}

/* Reads a full device's memory, so that plans do not count on memory that it lacks. */
static int memory_request(struct memory_pool *pool, struct memory_block *block)
{
	int64_t others_bytes;
	int error = memory_ask(pool, block);
	if (error != CUDA_ERROR_MEMORY_ALLOCATION)
		return error;
	memory_free_all(pool);
	error = memory_ask(pool, block);
	if (error == CUDA_ERROR_MEMORY_ALLOCATION)
		memory_look(pool, &others_bytes);
	return error;
}

static enum reason memory_grow(struct memory_pool *pool, uint64_t size_bytes,
                               struct memory_block **grown)
{
	struct memory_block *block = calloc(1, sizeof *block);
	if (block == NULL)
		return REASON_HOST_MEMORY;
	block->size_bytes = size_bytes;
	block->device = (int)(pool - memory_pools);
	block->busy = true;
	const int error = memory_request(pool, block);
	if (error != CUDA_SUCCESS) {
		free(block);
		return error == CUDA_ERROR_MEMORY_ALLOCATION ? REASON_DEVICE_MEMORY
		                                             : REASON_DEVICE_FAILED;
	}
	memory_count(pool, (int64_t)size_bytes);
	block->next = pool->blocks;
	pool->blocks = block;
	*grown = block;
	return REASON_NONE;
}

static enum reason memory_find_or_grow(struct memory_pool *pool, uint64_t size_bytes,
                                       struct memory_block **block)
{
	struct memory_block *fit = memory_find_fit(pool, size_bytes);
	if (fit != NULL && (!memory_is_wasteful(fit, size_bytes) ||
	                    size_bytes > pool->limit_bytes - pool->held_bytes)) {
		memory_set_busy(pool, fit, true);
		*block = fit;
		return REASON_NONE;
	}
	if (size_bytes > pool->limit_bytes || !memory_make_room(pool, size_bytes))
		return REASON_DEVICE_MEMORY;
	return memory_grow(pool, size_bytes, block);
}

/*
 * Whether the limit can hold size_bytes beside the busy blocks: only then is reclaiming worth it.
 */
static bool memory_may_fit(const struct memory_pool *pool, uint64_t size_bytes)
{
	const uint64_t busy_bytes = memory_count_busy(pool);
	return busy_bytes <= pool->limit_bytes && size_bytes <= pool->limit_bytes - busy_bytes;
}

enum reason memory_take(int device, uint64_t size_bytes, struct memory_block **block)
{
	enum reason reason;
	bool again;
	if (size_bytes > (uint64_t)INT64_MAX - MEMORY_GRANULE_BYTES)
		return REASON_DEVICE_MEMORY;
	const uint64_t rounded = (size_bytes + MEMORY_GRANULE_BYTES - 1) / MEMORY_GRANULE_BYTES *
	                         MEMORY_GRANULE_BYTES;
	do {
		struct memory_pool *pool = memory_lock(device);
		reason = memory_find_or_grow(pool, rounded, block);
		again = reason == REASON_DEVICE_MEMORY && memory_may_fit(pool, rounded);
		memory_unlock(pool);
	} while (again && memory_reclaim(device));
	return reason;
}

void memory_spare(struct memory_block *block)
{
	struct memory_pool *pool = memory_lock(block->device);
	block->spare = true;
	memory_unlock(pool);
}

void memory_give(struct memory_block *block)
{
	if (block == NULL)
		return;
	struct memory_pool *pool = memory_lock(block->device);
	block->spare = false;
	memory_set_busy(pool, block, false);
	memory_unlock(pool);
}

enum reason memory_reserve(int device, uint64_t size_bytes)
{
	bool room, again;
	do {
		struct memory_pool *pool = memory_lock(device);
		room = memory_make_room(pool, size_bytes);
		again = !room && memory_may_fit(pool, size_bytes);
		if (room)
			memory_count(pool, (int64_t)size_bytes);
		memory_unlock(pool);
	} while (again && memory_reclaim(device));
	return room ? REASON_NONE : REASON_DEVICE_MEMORY;
}

void memory_release(int device, uint64_t size_bytes)
{
	struct memory_pool *pool = memory_lock(device);
	memory_count(pool, -(int64_t)size_bytes);
	memory_unlock(pool);
}

/* With the lock, so that no block is allocated between the two readings. */
bool memory_measure_others(int device, int64_t *size_bytes)
{
	struct memory_pool *pool = memory_lock(device);
	const bool known = memory_look(pool, size_bytes);
	memory_unlock(pool);
	return known;
}

void memory_settle(int device)
{
	int64_t others_bytes;
	struct memory_pool *pool = memory_lock(device);
	if (memory_look(pool, &others_bytes) && others_bytes > 0)
		pool->own_bytes = (uint64_t)others_bytes < memory_own_most_bytes
		                          ? (uint64_t)others_bytes
		                          : memory_own_most_bytes;
	memory_unlock(pool);
}

bool memory_shrink(int device)
{
	struct memory_pool *pool = memory_lock(device);
	const bool freed = memory_free_one(pool);
	memory_unlock(pool);
	return freed || memory_reclaim(device);
}

uint64_t memory_trim(int device)
{
	struct memory_pool *pool = memory_lock(device);
	const uint64_t freed_bytes = memory_free_all(pool);
	memory_unlock(pool);
	return freed_bytes;
}

/* Whether other programs need what is idle here. */
static bool memory_is_wanted(const struct memory_pool *pool, int64_t others_bytes)
{
	const uint64_t part_bytes = pool->total_bytes / MEMORY_SCARCE_PART;
	const uint64_t least_bytes =
		part_bytes > memory_margin_bytes ? part_bytes : memory_margin_bytes;
	return pool->free_bytes < least_bytes &&
	       others_bytes > (int64_t)(pool->own_bytes + memory_margin_bytes);
}

void memory_relieve(int device, bool alone)
{
	int64_t others_bytes;
	struct memory_pool *pool = memory_lock(device);
	pool->calls++;
	const bool due = pool->calls >= MEMORY_LOOK_CALLS || !memory_is_recent(pool);
	if (alone && due && memory_look(pool, &others_bytes) &&
	    memory_is_wanted(pool, others_bytes))
		memory_free_all(pool);
	memory_unlock(pool);
}
