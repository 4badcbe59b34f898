/* pinned.c - a small table of blocks, and their registration with CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/pinned.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "shim/base/diag.h"
#include "shim/base/one_off.h"

/* LOCKING: a thread is in cudaHostRegister, without the mutex. REFUSED: not tried again. */
enum pinned_state { PINNED_FREE, PINNED_NOTED, PINNED_LOCKING, PINNED_LOCKED, PINNED_REFUSED };

struct pinned_block {
	uintptr_t start;
	uint64_t size_bytes, number; /* number: grows with each note */
	int device;                  /* while locked */
	enum pinned_state state;
};

static pthread_mutex_t pinned_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct pinned_block pinned_all[PINNED_BLOCKS_MAX];
static int pinned_end; /* entries from here on were never used */
static uint64_t pinned_clock, pinned_locked_bytes;
static atomic_int pinned_count, pinned_process;
static bool (*pinned_gpu_is_ready)(void);

void pinned_configure(bool (*gpu_is_ready)(void))
{
	pinned_gpu_is_ready = gpu_is_ready;
}

/* In a fork child CUDA does not work, and another thread may have held the mutex. */
static bool pinned_is_own_process(void)
{
	return atomic_load(&pinned_process) == getpid();
}

static bool pinned_overlaps(const struct pinned_block *block, uintptr_t start, uint64_t size_bytes)
{
	return block->state != PINNED_FREE && block->start < start + size_bytes &&
	       start < block->start + block->size_bytes;
}

static bool pinned_holds(const struct pinned_block *block, uintptr_t start, uint64_t size_bytes)
{
	return start >= block->start && size_bytes <= block->size_bytes &&
	       start - block->start <= block->size_bytes - size_bytes;
}

/* Removes the block from the table; returns its former value. The mutex is held. */
static struct pinned_block pinned_drop(struct pinned_block *block)
{
	const struct pinned_block dropped = *block;
	block->state = PINNED_FREE;
	atomic_fetch_sub(&pinned_count, 1);
	if (dropped.state == PINNED_LOCKED || dropped.state == PINNED_LOCKING)
		pinned_locked_bytes -= dropped.size_bytes;
	return dropped;
}

/*
 * Called without the mutex. Where the GPU is given up meanwhile the driver keeps the pages locked.
 */
static void pinned_unlock(const struct pinned_block *block)
{
	struct lane *lane;
	if (block->state != PINNED_LOCKED || pinned_gpu_is_ready == NULL || !pinned_gpu_is_ready())
		return;
	if (lanes_take(block->device, &lane) != REASON_NONE)
		return;
	lane->api->host_unregister((void *)block->start);
	lanes_give(lane);
}

/* Drops the first block that overlaps; false where there is none. */
static bool pinned_drop_overlapping(uintptr_t start, uint64_t size_bytes)
{
	struct pinned_block dropped = {.state = PINNED_FREE};
	pthread_mutex_lock(&pinned_mutex);
	for (int i = 0; i < pinned_end && dropped.state == PINNED_FREE; i++)
		if (pinned_overlaps(&pinned_all[i], start, size_bytes))
			dropped = pinned_drop(&pinned_all[i]);
	pthread_mutex_unlock(&pinned_mutex);
	pinned_unlock(&dropped);
	return dropped.state != PINNED_FREE;
}

/* A free entry, else that of the oldest block that is not locked, else NULL. The mutex is held. */
static struct pinned_block *pinned_find_place(void)
{
	struct pinned_block *oldest = NULL;
	for (int i = 0; i < pinned_end; i++) {
		struct pinned_block *block = &pinned_all[i];
		if (block->state == PINNED_FREE)
			return block;
		if ((block->state == PINNED_NOTED || block->state == PINNED_REFUSED) &&
		    (oldest == NULL || block->number < oldest->number))
			oldest = block;
	}
	if (pinned_end < PINNED_BLOCKS_MAX)
		return &pinned_all[pinned_end++];
	if (oldest != NULL)
		pinned_drop(oldest);
	return oldest;
}

void pinned_note(const void *block, size_t size_bytes)
{
	int none = 0;
	if (block == NULL || size_bytes == 0)
		return;
	atomic_compare_exchange_strong(&pinned_process, &none, getpid());
	if (!pinned_is_own_process())
		return;
	while (pinned_drop_overlapping((uintptr_t)block, size_bytes))
		continue;
	pthread_mutex_lock(&pinned_mutex);
	struct pinned_block *place = pinned_find_place();
	if (place != NULL) {
		*place = (struct pinned_block){(uintptr_t)block, size_bytes, ++pinned_clock,
		                               .state = PINNED_NOTED};
		atomic_fetch_add(&pinned_count, 1);
	}
	pthread_mutex_unlock(&pinned_mutex);
}

void pinned_forget(const void *block)
{
	struct pinned_block dropped = {.state = PINNED_FREE};
	if (atomic_load(&pinned_count) == 0 || block == NULL || !pinned_is_own_process())
		return;
	pthread_mutex_lock(&pinned_mutex);
	for (int i = 0; i < pinned_end && dropped.state == PINNED_FREE; i++)
		if (pinned_all[i].state != PINNED_FREE && pinned_all[i].start == (uintptr_t)block)
			dropped = pinned_drop(&pinned_all[i]);
	pthread_mutex_unlock(&pinned_mutex);
	pinned_unlock(&dropped);
}

static uint64_t pinned_limit(void)
{
	const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
	return pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes / 2 : 0;
}

/*
 * Finds the block that holds all of the memory and marks it LOCKING; NULL where it may not be
 * locked.
 */
static struct pinned_block *pinned_claim(uintptr_t start, uint64_t size_bytes,
                                         struct pinned_block *claimed)
{
	struct pinned_block *found = NULL;
	pthread_mutex_lock(&pinned_mutex);
	for (int i = 0; i < pinned_end && found == NULL; i++)
		if (pinned_all[i].state == PINNED_NOTED &&
		    pinned_holds(&pinned_all[i], start, size_bytes))
			found = &pinned_all[i];
	if (found != NULL && pinned_locked_bytes + found->size_bytes > pinned_limit())
		found = NULL;
	if (found != NULL) {
		found->state = PINNED_LOCKING;
		pinned_locked_bytes += found->size_bytes;
		*claimed = *found;
	}
	pthread_mutex_unlock(&pinned_mutex);
	return found;
}

/* false: the block was dropped meanwhile, and its entry may be another's. */
static bool pinned_settle(struct pinned_block *block, const struct pinned_block *claimed,
                          bool locked)
{
	pthread_mutex_lock(&pinned_mutex);
	const bool same = block->state == PINNED_LOCKING && block->number == claimed->number;
	if (same) {
		block->device = claimed->device;
		block->state = locked ? PINNED_LOCKED : PINNED_REFUSED;
		pinned_locked_bytes -= locked ? 0 : claimed->size_bytes;
	}
	pthread_mutex_unlock(&pinned_mutex);
	return same;
}

static void pinned_say_refusal(const struct cuda_api *api, int error)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	if (diag_once(&said))
		diag_note("CUDA does not page-lock a block of fftw_malloc: %s; copies from it stay "
		          "slower",
		          api->get_error_string(error));
}

void pinned_lock(struct lane *lane, const void *memory, uint64_t size_bytes)
{
	const struct cuda_api *api = lane->api;
	if (atomic_load(&pinned_count) == 0 || api->host_register == NULL ||
	    api->host_unregister == NULL || !pinned_is_own_process())
		return;
	struct pinned_block claimed, *block = pinned_claim((uintptr_t)memory, size_bytes, &claimed);
	if (block == NULL)
		return;
	claimed.device = lane->device;
	one_off_begin();
	const int error = api->host_register((void *)claimed.start, (size_t)claimed.size_bytes, 0);
	one_off_end();
	if (error != CUDA_SUCCESS)
		pinned_say_refusal(api, error);
	if (!pinned_settle(block, &claimed, error == CUDA_SUCCESS) && error == CUDA_SUCCESS)
		api->host_unregister((void *)claimed.start);
}
