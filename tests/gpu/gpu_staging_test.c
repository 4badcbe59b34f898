/* gpu_staging_test.c - assigns parts of the two rings, on the test's allocator; needs no CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "shim/base/one_off.h"
#include "shim/execute/gpu/engine/staging.h"

enum { PAGE_BYTES = 4096, CHUNK_BYTES = 2 * PAGE_BYTES, CHUNKS = 8 };

static int host_allocations, host_error, host_cleared;
static size_t host_bytes;
static char *host_base;

static int host_alloc(void **pointer, size_t size_bytes, unsigned flags)
{
	host_allocations++;
	EXPECT(flags == CUDA_HOST_FOR_ALL, "for all devices: %u", flags);
	if (host_error != CUDA_SUCCESS)
		return host_error;
	free(host_base);
	host_base = aligned_alloc(PAGE_BYTES, size_bytes);
	host_bytes = size_bytes;
	*pointer = host_base;
	return host_base == NULL ? CUDA_ERROR_MEMORY_ALLOCATION : CUDA_SUCCESS;
}

static int get_last_error(void)
{
	host_cleared++;
	return host_error;
}

static const struct cuda_api api = {.host_alloc = host_alloc, .get_last_error = get_last_error};

/* As after a fork: no part is taken, and the rings are allocated again. */
static void begin(void)
{
	staging_after_fork_child();
	host_error = CUDA_SUCCESS;
}

static bool is_inside(const struct staging *part, enum staging_way way)
{
	const uint64_t offset_bytes = (uint64_t)(part->base[way] - host_base);
	return (uintptr_t)part->base[way] % PAGE_BYTES == 0 &&
	       part->size_bytes[way] % staging_part_bytes() == 0 && offset_bytes <= host_bytes &&
	       part->size_bytes[way] <= host_bytes - offset_bytes;
}

static void take(struct staging *part, int count)
{
	const enum reason reason = staging_take(part);
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	for (int way = 0; way < STAGING_WAYS; way++) {
		EXPECT(part->count[way] == count, "%d chunks, not %d", part->count[way], count);
		EXPECT(is_inside(part, (enum staging_way)way), "whole chunks inside the block");
	}
}

static bool are_apart(const char *one, uint64_t one_bytes, const char *other, uint64_t other_bytes)
{
	return one + one_bytes <= other || other + other_bytes <= one;
}

/* Sizes */

static void check_sizes(uint64_t limit_bytes, uint64_t least_bytes, uint64_t most_bytes)
{
	struct staging part;
	begin();
	staging_configure(&api, limit_bytes);
	EXPECT(staging_locked_bytes() == 0, "nothing is allocated before it is needed");
	EXPECT(staging_take(&part) == REASON_NONE, "there is memory");
	const uint64_t both_bytes = part.size_bytes[STAGING_UP] + part.size_bytes[STAGING_DOWN];
	EXPECT(both_bytes == host_bytes && staging_locked_bytes() == host_bytes, "all of it");
	EXPECT(both_bytes >= least_bytes && both_bytes <= most_bytes, "%lu bytes",
	       (unsigned long)both_bytes);
	EXPECT(part.count[STAGING_UP] >= 4 && part.count[STAGING_UP] == part.count[STAGING_DOWN],
	       "at least 4 parts");
	EXPECT(staging_chunk_bytes() <= 1 << 20 && staging_chunk_bytes() <= staging_part_bytes(),
	       "%lu bytes a chunk", (unsigned long)staging_chunk_bytes());
	staging_give(&part, true);
}

/* Caches from none to large, limits down to less than a page. */
static void check_chosen_sizes(void)
{
	static const struct {
		uint64_t cache_bytes, limit_bytes, ring_bytes, part_bytes, chunk_bytes;
	} rows[] = {
		{0, 0, 8 << 20, 1 << 20, 256 << 10},
		{2 << 20, 0, 4 << 20, 512 << 10, 256 << 10},
		{32 << 20, 0, 8 << 20, 1 << 20, 256 << 10},
		{64 << 20, 0, 16 << 20, 2 << 20, 512 << 10},
		{256 << 20, 0, 64 << 20, 8 << 20, 1 << 20},
		{1 << 30, 0, 64 << 20, 8 << 20, 1 << 20},
		{32 << 20, 1 << 20, 512 << 10, 64 << 10, 64 << 10},
		{32 << 20, 1, 32 << 10, 4 << 10, 4 << 10},
		{32 << 20, UINT64_MAX, 8 << 20, 1 << 20, 256 << 10},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct staging_sizes sizes =
			staging_sizes_choose(rows[i].cache_bytes, rows[i].limit_bytes);
		EXPECT(sizes.ring_bytes == rows[i].ring_bytes &&
		               sizes.part_bytes == rows[i].part_bytes &&
		               sizes.chunk_bytes == rows[i].chunk_bytes,
		       "row %zu: %lu %lu %lu", i, (unsigned long)sizes.ring_bytes,
		       (unsigned long)sizes.part_bytes, (unsigned long)sizes.chunk_bytes);
	}
}

static void test_sizes(void)
{
	check_chosen_sizes();
	check_sizes(0, 8 << 20, 128 << 20);
	check_sizes(3 << 20, 2 << 20, 3 << 20);
	check_sizes(UINT64_MAX, 8 << 20, 128 << 20);
	begin();
	staging_set_sizes((uint64_t)CHUNKS * CHUNK_BYTES, CHUNK_BYTES);
	staging_configure(&api, 0);
	EXPECT(staging_chunk_bytes() == CHUNK_BYTES, "sizes that were set stay");
}

/* One after the other */

static void test_take_all(void)
{
	struct staging part;
	begin();
	const int before = host_allocations;
	uint64_t mark = one_off_mark();
	take(&part, CHUNKS);
	EXPECT(one_off_since(mark), "page-locking is one-off work");
	mark = one_off_mark();
	EXPECT(are_apart(part.base[STAGING_UP], part.size_bytes[STAGING_UP],
	                 part.base[STAGING_DOWN], part.size_bytes[STAGING_DOWN]),
	       "two rings");
	memset(part.base[STAGING_UP], 1, part.size_bytes[STAGING_UP]);
	memset(part.base[STAGING_DOWN], 2, part.size_bytes[STAGING_DOWN]);
	EXPECT(!staging_is_wanted(), "nobody waits");
	staging_give(&part, true);
	take(&part, CHUNKS);
	staging_give(&part, true);
	EXPECT(!one_off_since(mark), "done once");
	EXPECT(host_allocations == before + 1, "made once: %d", host_allocations - before);
	EXPECT(staging_locked_bytes() == 2 * CHUNKS * CHUNK_BYTES, "%lu",
	       (unsigned long)staging_locked_bytes());
}

static void test_yield(void)
{
	struct staging first, second;
	begin();
	take(&first, CHUNKS);
	const char *const base = first.base[STAGING_UP];
	for (int way = 0; way < STAGING_WAYS; way++)
		EXPECT(staging_yield(&first, (enum staging_way)way), "half of it can go");
	EXPECT(first.base[STAGING_UP] == base && first.count[STAGING_UP] == CHUNKS / 2 &&
	               first.size_bytes[STAGING_UP] == CHUNKS / 2 * CHUNK_BYTES,
	       "the lower half stays");
	take(&second, CHUNKS / 2);
	for (int way = 0; way < STAGING_WAYS; way++)
		EXPECT(are_apart(first.base[way], first.size_bytes[way], second.base[way],
		                 second.size_bytes[way]),
		       "no chunk has two owners");
	while (staging_yield(&second, STAGING_UP))
		continue;
	EXPECT(second.count[STAGING_UP] == 1 && second.count[STAGING_DOWN] == CHUNKS / 2,
	       "one chunk is left");
	staging_give(&first, true);
	staging_give(&second, true);
	take(&first, CHUNKS);
	staging_give(&first, true);
}

/*
 * A part that a copy may still write to is lost to all. When everything is lost, no thread waits
 * for it.
 */
static void test_lost(void)
{
	struct staging first, second;
	begin();
	take(&first, CHUNKS);
	for (int way = 0; way < STAGING_WAYS; way++)
		staging_yield(&first, (enum staging_way)way);
	const char *const lost = first.base[STAGING_UP];
	staging_give(&first, false);
	take(&second, CHUNKS / 2);
	EXPECT(are_apart(lost, CHUNKS / 2 * CHUNK_BYTES, second.base[STAGING_UP],
	                 second.size_bytes[STAGING_UP]),
	       "the other half");
	staging_give(&second, true);
	take(&second, CHUNKS / 2);
	staging_give(&second, false);
	EXPECT(staging_take(&first) == REASON_DEVICE_FAILED, "all is lost");
	EXPECT(staging_take(&first) == REASON_DEVICE_FAILED, "and stays so");
}

static void test_no_memory(void)
{
	struct staging part;
	begin();
	const int cleared = host_cleared;
	host_error = CUDA_ERROR_MEMORY_ALLOCATION;
	EXPECT(staging_take(&part) == REASON_HOST_MEMORY, "there is none");
	EXPECT(host_cleared == cleared + 1, "the failed attempt leaves no error");
	EXPECT(staging_locked_bytes() == 0 && !staging_is_wanted(), "nothing is left of it");
	host_error = CUDA_SUCCESS;
	take(&part, CHUNKS);
	staging_give(&part, true);
}

/* Waiting */

struct waiter {
	pthread_t thread;
	struct staging part;
	enum reason reason;
	atomic_bool served;
};

static void *wait_for_part(void *argument)
{
	struct waiter *waiter = argument;
	waiter->reason = staging_take(&waiter->part);
	atomic_store(&waiter->served, true);
	return NULL;
}

static void start_waiter(struct waiter *waiter)
{
	atomic_store(&waiter->served, false);
	if (pthread_create(&waiter->thread, NULL, wait_for_part, waiter) != 0)
		exit(1);
}

static void test_waiter_gets_halves(void)
{
	struct staging part;
	struct waiter waiter;
	begin();
	take(&part, CHUNKS);
	start_waiter(&waiter);
	while (!staging_is_wanted())
		sched_yield();
	staging_yield(&part, STAGING_UP);
	while (!staging_is_wanted())
		sched_yield();
	EXPECT(!atomic_load(&waiter.served), "one way is not enough");
	staging_yield(&part, STAGING_DOWN);
	pthread_join(waiter.thread, NULL);
	EXPECT(waiter.reason == REASON_NONE && waiter.part.count[STAGING_UP] == CHUNKS / 2 &&
	               waiter.part.count[STAGING_DOWN] == CHUNKS / 2,
	       "the halves that were yielded");
	EXPECT(!staging_is_wanted(), "nobody waits any more");
	staging_give(&part, true);
	staging_give(&waiter.part, true);
}

/* The last part is lost while another thread waits for it. */
static void test_waiter_is_told(void)
{
	struct staging part;
	struct waiter waiter;
	begin();
	take(&part, CHUNKS);
	start_waiter(&waiter);
	while (!staging_is_wanted())
		sched_yield();
	staging_give(&part, false);
	pthread_join(waiter.thread, NULL);
	EXPECT(waiter.reason == REASON_DEVICE_FAILED, "%s", reason_name(waiter.reason));
}

enum { THREADS = 6, ROUNDS = 300 };

static atomic_int taken_rounds;

static void fill(const struct staging *part, int value)
{
	for (int way = 0; way < STAGING_WAYS; way++)
		memset(part->base[way], value, part->size_bytes[way]);
}

static bool holds(const struct staging *part, char value)
{
	for (int way = 0; way < STAGING_WAYS; way++)
		for (uint64_t i = 0; i < part->size_bytes[way]; i += 64)
			if (part->base[way][i] != value)
				return false;
	return true;
}

/* Writes to its part, and halves it when asked to. */
static void *take_many(void *argument)
{
	const int number = (int)(intptr_t)argument;
	struct staging part;
	for (int round = 0; round < ROUNDS; round++) {
		if (staging_take(&part) != REASON_NONE)
			return NULL;
		fill(&part, number);
		sched_yield();
		EXPECT(holds(&part, (char)number), "thread %d is not alone", number);
		for (int way = 0; way < STAGING_WAYS && staging_is_wanted(); way++)
			staging_yield(&part, (enum staging_way)way);
		sched_yield();
		EXPECT(holds(&part, (char)number), "thread %d is not alone", number);
		staging_give(&part, true);
		atomic_fetch_add(&taken_rounds, 1);
	}
	return NULL;
}

static void test_many_threads(void)
{
	pthread_t threads[THREADS];
	struct staging part;
	begin();
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, take_many, (void *)(intptr_t)(i + 1)) != 0)
			exit(1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	EXPECT(atomic_load(&taken_rounds) == THREADS * ROUNDS, "%d rounds",
	       atomic_load(&taken_rounds));
	take(&part, CHUNKS);
	staging_give(&part, true);
}

int main(void)
{
	test_sizes();
	test_take_all();
	test_yield();
	test_lost();
	test_no_memory();
	test_waiter_gets_halves();
	test_waiter_is_told();
	test_many_threads();
	free(host_base);
	return gpu_check_end("gpu_staging");
}
