/* staging.c - two rings in one page-locked block, granted in parts in the order of requests */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/staging.h"

#include <pthread.h>
#include <stdatomic.h>

#include "shim/base/futex.h"
#include "shim/base/one_off.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/node/memory_policy.h"
#include "shim/execute/gpu/node/processors.h"
#include "shim/shield/shield.h"

/* STAGING_LOOK_NS: how often a waiting thread looks for calls that their thread has left. */
enum {
	STAGING_PARTS_MAX = 64,
	STAGING_PAGE_BYTES = 4096,
	STAGING_WAITERS = 64,
	STAGING_LOOK_NS = 20000000
};

/* LOST: a pending copy of the device may still access it. */
enum staging_state { STAGING_FREE, STAGING_TAKEN, STAGING_LOST };

static pthread_mutex_t staging_mutex = PTHREAD_MUTEX_INITIALIZER;
static const struct cuda_api *staging_api;
static bool staging_is_set; /* by staging_set_sizes */
static uint64_t staging_ring_bytes;
static _Atomic uint64_t staging_part, staging_chunk, staging_locked;
static char *staging_base; /* NULL: not allocated yet */
static int staging_node = -1;
static const char *staging_root = "";
static enum staging_state staging_parts[STAGING_WAYS][STAGING_PARTS_MAX];
static const struct lane *staging_owners[STAGING_WAYS][STAGING_PARTS_MAX]; /* leaders of calls */
static int staging_count;                                                  /* parts of each ring */

/* A ticket lock: each request draws a number and is served in order. Waiters sleep on changes. */
static uint64_t staging_drawn = 1, staging_served = 1;

/* A request of a call that may be left while it waits. number 0: free; gone: the call was left. */
struct staging_waiter {
	const struct lane *leader;
	uint64_t number;
	bool gone;
};
static struct staging_waiter staging_waiters[STAGING_WAITERS];
static _Atomic uint32_t staging_changes;
static atomic_int staging_waiting;

/* -- sizes -- */

static void staging_cut(const struct staging_sizes *sizes)
{
	uint64_t count = sizes->ring_bytes / sizes->part_bytes;
	count = count < 1 ? 1 : count > STAGING_PARTS_MAX ? STAGING_PARTS_MAX : count;
	staging_count = (int)count;
	staging_ring_bytes = count * sizes->part_bytes;
	atomic_store(&staging_part, sizes->part_bytes);
	atomic_store(&staging_chunk, sizes->chunk_bytes);
}

void staging_use_sizes(const struct staging_sizes *sizes)
{
	pthread_mutex_lock(&staging_mutex);
	staging_is_set = true;
	if (staging_base == NULL)
		staging_cut(sizes);
	pthread_mutex_unlock(&staging_mutex);
}

void staging_set_sizes(uint64_t ring_bytes, uint64_t chunk_bytes)
{
	const uint64_t whole_bytes = chunk_bytes < STAGING_PAGE_BYTES
	                                     ? STAGING_PAGE_BYTES
	                                     : chunk_bytes - chunk_bytes % STAGING_PAGE_BYTES;
	staging_use_sizes(&(struct staging_sizes){ring_bytes, whole_bytes, whole_bytes});
}

void staging_configure(const struct cuda_api *api, uint64_t limit_bytes)
{
	const struct staging_sizes sizes =
		staging_sizes_choose(processors_cache_bytes(""), limit_bytes);
	pthread_mutex_lock(&staging_mutex);
	staging_api = api;
	if (staging_base == NULL && !staging_is_set)
		staging_cut(&sizes);
	pthread_mutex_unlock(&staging_mutex);
}

void staging_set_node(const char *root, int node)
{
	pthread_mutex_lock(&staging_mutex);
	staging_root = root;
	staging_node = node;
	pthread_mutex_unlock(&staging_mutex);
}

uint64_t staging_copy_bytes(void)
{
	pthread_mutex_lock(&staging_mutex);
	const uint64_t ring_bytes = staging_ring_bytes;
	pthread_mutex_unlock(&staging_mutex);
	return staging_sizes_find_copy(ring_bytes);
}

uint64_t staging_chunk_bytes(void)
{
	return atomic_load(&staging_chunk);
}

uint64_t staging_part_bytes(void)
{
	return atomic_load(&staging_part);
}

uint64_t staging_locked_bytes(void)
{
	return atomic_load(&staging_locked);
}

/* -- rings; the mutex is held, except in staging_prepare -- */

static enum reason staging_make_rings(void)
{
	void *base = NULL;
	const size_t size_bytes = (size_t)(STAGING_WAYS * staging_ring_bytes);
	if (staging_base != NULL)
		return REASON_NONE;
	struct memory_policy before;
	one_off_begin();
	const bool placed = memory_policy_prefer(staging_root, staging_node, &before);
	const int error = staging_api->host_alloc(&base, size_bytes, CUDA_HOST_FOR_ALL);
	if (placed)
		memory_policy_restore(&before);
	one_off_end();
	if (error != CUDA_SUCCESS) {
		staging_api->get_last_error();
		return cuda_is_fatal(error) ? REASON_DEVICE_FAILED : REASON_HOST_MEMORY;
	}
	staging_base = base;
	atomic_store(&staging_locked, size_bytes);
	return REASON_NONE;
}

enum reason staging_prepare(void)
{
	pthread_mutex_lock(&staging_mutex);
	const enum reason reason = staging_make_rings();
	pthread_mutex_unlock(&staging_mutex);
	return reason;
}

/* The length of the longest run of free parts, possibly 0; *first: its first part. */
static int staging_find_free(enum staging_way way, int *first)
{
	int longest = 0, run = 0;
	for (int i = 0; i < staging_count; i++) {
		run = staging_parts[way][i] == STAGING_FREE ? run + 1 : 0;
		if (run > longest) {
			longest = run;
			*first = i + 1 - run;
		}
	}
	return longest;
}

static bool staging_has_taken(enum staging_way way)
{
	for (int i = 0; i < staging_count; i++)
		if (staging_parts[way][i] == STAGING_TAKEN)
			return true;
	return false;
}

static void staging_mark(enum staging_way way, int first, int count, enum staging_state state,
                         const struct lane *leader)
{
	for (int i = first; i < first + count; i++) {
		staging_parts[way][i] = state;
		staging_owners[way][i] = leader;
	}
}

static void staging_wake_all(void)
{
	atomic_fetch_add(&staging_changes, 1);
	if (atomic_load(&staging_waiting) > 0)
		futex_wake(&staging_changes, INT32_MAX);
}

/* Takes the longest free run of each ring; false, with nothing taken, where one ring has none. */
static bool staging_take_free(struct staging *staging, const struct lane *leader)
{
	int first[STAGING_WAYS], count[STAGING_WAYS];
	for (int way = 0; way < STAGING_WAYS; way++) {
		count[way] = staging_find_free((enum staging_way)way, &first[way]);
		if (count[way] == 0)
			return false;
	}
	const uint64_t part_bytes = staging_part_bytes();
	for (int way = 0; way < STAGING_WAYS; way++) {
		staging_mark((enum staging_way)way, first[way], count[way], STAGING_TAKEN, leader);
		staging->first[way] = first[way];
		staging->count[way] = count[way];
		staging->size_bytes[way] = (uint64_t)count[way] * part_bytes;
		staging->base[way] = staging_base + (uint64_t)way * staging_ring_bytes +
		                     (uint64_t)first[way] * part_bytes;
	}
	return true;
}

/* Whether one ring has no free part and none that could become free. */
static bool staging_is_used_up(void)
{
	int first;
	for (int way = 0; way < STAGING_WAYS; way++)
		if (staging_find_free((enum staging_way)way, &first) == 0 &&
		    !staging_has_taken((enum staging_way)way))
			return true;
	return false;
}

/* -- parts -- */

/* NULL: all places are taken, and the call cannot be left while it waits. */
static struct staging_waiter *staging_note_waiter(const struct lane *leader, uint64_t number)
{
	for (int i = 0; i < STAGING_WAITERS && leader != NULL; i++)
		if (staging_waiters[i].number == 0) {
			staging_waiters[i] = (struct staging_waiter){leader, number, false};
			return &staging_waiters[i];
		}
	return NULL;
}

/* Numbers of requests that were left are passed over. */
static void staging_serve_next(void)
{
	bool passed = true;
	staging_served++;
	while (passed) {
		passed = false;
		for (int i = 0; i < STAGING_WAITERS && !passed; i++) {
			struct staging_waiter *waiter = &staging_waiters[i];
			passed = waiter->gone && waiter->number == staging_served;
			if (passed) {
				waiter->number = 0;
				staging_served++;
			}
		}
	}
}

/*
 * Sleeps until something changes; the mutex is not held meanwhile. Handlers of the program run,
 * unless leader is NULL. Returns whether the call goes on.
 */
static bool staging_sleep(struct lane *leader)
{
	const uint32_t seen = atomic_load(&staging_changes);
	bool goes_on = true;
	atomic_fetch_add(&staging_waiting, 1);
	pthread_mutex_unlock(&staging_mutex);
	struct lane_gap gap;
	if (leader != NULL) {
		lane_owner_leave(leader, &gap);
		shield_open();
	}
	futex_wait(&staging_changes, seen, STAGING_LOOK_NS);
	if (leader != NULL) {
		shield_close();
		goes_on = lane_owner_come_back(&gap);
	}
	lanes_recover();
	pthread_mutex_lock(&staging_mutex);
	if (goes_on)
		atomic_fetch_sub(&staging_waiting, 1);
	return goes_on;
}

/* The request whose turn it is takes what is free; all others sleep. */
static enum reason staging_await_turn(struct staging *staging, struct lane *leader, uint64_t number)
{
	struct staging_waiter *waiter = staging_note_waiter(leader, number);
	enum reason reason = REASON_NONE;
	for (;;) {
		const bool turn = staging_served == number;
		if (turn)
			reason = staging_make_rings();
		if (turn && reason == REASON_NONE && staging_take_free(staging, leader))
			break;
		if (turn && reason == REASON_NONE && staging_is_used_up())
			reason = REASON_DEVICE_FAILED;
		if (reason != REASON_NONE)
			break;
		if (!staging_sleep(waiter != NULL ? leader : NULL))
			return REASON_CALL_LEFT;
	}
	if (waiter != NULL)
		waiter->number = 0;
	staging_serve_next();
	return reason;
}

enum reason staging_take(struct staging *staging)
{
	return staging_take_for(staging, NULL);
}

enum reason staging_take_for(struct staging *staging, struct lane *leader)
{
	pthread_mutex_lock(&staging_mutex);
	const enum reason reason = staging_await_turn(staging, leader, staging_drawn++);
	staging_wake_all();
	pthread_mutex_unlock(&staging_mutex);
	return reason;
}

/* The number of a request that is in the queue is passed over when its turn comes. */
static void staging_reclaim_place(const struct lane *leader)
{
	for (int i = 0; i < STAGING_WAITERS; i++) {
		struct staging_waiter *waiter = &staging_waiters[i];
		if (waiter->number == 0 || waiter->gone || waiter->leader != leader)
			continue;
		atomic_fetch_sub(&staging_waiting, 1);
		waiter->gone = true;
		if (waiter->number == staging_served) {
			waiter->number = 0;
			staging_serve_next();
		}
	}
}

void staging_reclaim(const struct lane *leader, bool reusable)
{
	pthread_mutex_lock(&staging_mutex);
	staging_reclaim_place(leader);
	for (int way = 0; way < STAGING_WAYS; way++)
		for (int i = 0; i < staging_count; i++)
			if (staging_owners[way][i] == leader)
				staging_mark((enum staging_way)way, i, 1,
				             reusable ? STAGING_FREE : STAGING_LOST, NULL);
	staging_wake_all();
	pthread_mutex_unlock(&staging_mutex);
}

bool staging_is_wanted(void)
{
	return atomic_load_explicit(&staging_waiting, memory_order_relaxed) > 0;
}

bool staging_yield(struct staging *staging, enum staging_way way)
{
	const int kept = (staging->count[way] + 1) / 2, given = staging->count[way] - kept;
	if (given == 0)
		return false;
	pthread_mutex_lock(&staging_mutex);
	staging_mark(way, staging->first[way] + kept, given, STAGING_FREE, NULL);
	staging_wake_all();
	pthread_mutex_unlock(&staging_mutex);
	staging->count[way] = kept;
	staging->size_bytes[way] = (uint64_t)kept * staging_part_bytes();
	return true;
}

void staging_give(struct staging *staging, bool reusable)
{
	pthread_mutex_lock(&staging_mutex);
	for (int way = 0; way < STAGING_WAYS; way++)
		staging_mark((enum staging_way)way, staging->first[way], staging->count[way],
		             reusable ? STAGING_FREE : STAGING_LOST, NULL);
	staging_wake_all();
	pthread_mutex_unlock(&staging_mutex);
	*staging = (struct staging){.base = {NULL}};
}

/* Another thread of the parent may have held the mutex. The memory stays allocated: CUDA has it. */
void staging_after_fork_child(void)
{
	staging_mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	staging_base = NULL;
	for (int way = 0; way < STAGING_WAYS; way++)
		staging_mark((enum staging_way)way, 0, STAGING_PARTS_MAX, STAGING_FREE, NULL);
	staging_drawn = staging_served = 1;
	for (int i = 0; i < STAGING_WAITERS; i++)
		staging_waiters[i].number = 0;
	atomic_store(&staging_waiting, 0);
	atomic_store(&staging_locked, 0);
}
