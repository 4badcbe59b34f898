/* gpu_memory_test.c - the pool of device memory, on an allocator of its own: no CUDA is needed */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "gpu_check.h"
#include "shim/execute/gpu/memory.h"

/* A device with room bytes; counts what is requested of it. */
static uint64_t device_room, device_held, device_peak;
static int device_allocations, device_frees, device_error, device_cleared;
static int64_t observed;
static const uint64_t plan_bytes = 256;
static uint64_t device_others;
static int plans;

struct header {
	size_t size_bytes;
	char filler[248];
};

static int device_malloc(void **pointer, size_t size_bytes)
{
	device_allocations++;
	if (device_error != 0)
		return device_error;
	if (device_held + size_bytes > device_room)
		return CUDA_ERROR_MEMORY_ALLOCATION;
	struct header *header = malloc(sizeof *header);
	header->size_bytes = size_bytes;
	device_held += size_bytes;
	device_peak = device_held > device_peak ? device_held : device_peak;
	*pointer = header + 1;
	return 0;
}

static int device_free(void *pointer)
{
	struct header *header = (struct header *)pointer - 1;
	device_frees++;
	device_held -= header->size_bytes;
	free(header);
	return 0;
}

static int device_get_last_error(void)
{
	device_cleared++;
	return 0;
}

static int device_get_info(size_t *free_bytes, size_t *total_bytes)
{
	*total_bytes = 1 << 20;
	*free_bytes = *total_bytes - device_held - device_others;
	return device_error;
}

/* What a library of three plans gives up, one at a time. */
static bool reclaim(void)
{
	if (plans == 0)
		return false;
	plans--;
	device_held -= plan_bytes;
	memory_release(plan_bytes);
	return true;
}

static void observe(int64_t difference)
{
	observed += difference;
}

static struct memory_block *take(uint64_t size_bytes, enum reason expected)
{
	struct memory_block *block = NULL;
	const enum reason reason = memory_take(size_bytes, &block);
	EXPECT(reason == expected, "%lu bytes: %s", (unsigned long)size_bytes, reason_name(reason));
	EXPECT((block != NULL) == (reason == REASON_NONE), "a block exactly on success");
	EXPECT(block == NULL || block->size_bytes >= size_bytes, "large enough");
	EXPECT((uint64_t)observed == device_held, "the observer knows what is held");
	return block;
}

static void test_limit_to_the_byte(void)
{
	struct memory_block *a = take(512, REASON_NONE), *b = take(488, REASON_NONE);
	take(1, REASON_DEVICE_MEMORY);
	memory_give(b);
	take(513, REASON_DEVICE_MEMORY);
	b = take(512, REASON_NONE);
	memory_give(a);
	memory_give(b);
	a = take(1024, REASON_NONE);
	memory_give(a);
	take(1025, REASON_DEVICE_MEMORY);
	take(UINT64_MAX, REASON_DEVICE_MEMORY);
	EXPECT(device_peak == 1024, "never above the limit: %lu", (unsigned long)device_peak);
}

static void test_reuse(void)
{
	struct memory_block *a = take(300, REASON_NONE);
	memory_give(a);
	const int before = device_allocations;
	for (int i = 0; i < 10; i++)
		memory_give(take(300 - (uint64_t)i, REASON_NONE));
	EXPECT(device_allocations == before, "equal requests allocate once");
}

/* The device itself is full, below the limit: idle blocks go, and one more attempt is made. */
static void test_full_device(const struct cuda_api *api)
{
	memory_start(api, UINT64_MAX);
	device_room = device_held + 4096;
	memory_give(take(4096, REASON_NONE));
	const int cleared = device_cleared;
	struct memory_block *large = take(device_room - 256, REASON_NONE);
	EXPECT(device_cleared > cleared, "the failed attempt leaves no error");
	memory_give(large);
	take(device_room + 1, REASON_DEVICE_MEMORY);
	EXPECT(device_held == 0, "everything idle was freed");
	device_error = 719;
	take(256, REASON_DEVICE_FAILED);
	device_error = 0;
}

static void reserve_plan(enum reason expected)
{
	const enum reason reason = memory_reserve(plan_bytes);
	EXPECT(reason == expected, "a plan: %s", reason_name(reason));
	if (reason != REASON_NONE)
		return;
	device_held += plan_bytes;
	plans++;
	EXPECT((uint64_t)observed == device_held, "the observer knows what is reserved");
}

/* What libraries hold counts like a block; idle blocks go for it, then what the reclaimer has. */
static void test_reserve(const struct cuda_api *api)
{
	memory_start(api, 1024);
	device_room = UINT64_MAX;
	memory_give(take(1024, REASON_NONE));
	for (int i = 0; i < 3; i++)
		reserve_plan(REASON_NONE);
	struct memory_block *block = take(256, REASON_NONE);
	take(256, REASON_DEVICE_MEMORY);
	memory_set_reclaimer(reclaim);
	struct memory_block *larger = take(512, REASON_NONE);
	EXPECT(plans == 1, "as many as needed: %d are left", plans);
	take(1024 - 256, REASON_DEVICE_MEMORY);
	EXPECT(plans == 1, "none is given up for what could not fit");
	reserve_plan(REASON_NONE);
	EXPECT(plans == 1, "one for the other: %d", plans);
	memory_give(larger);
	memory_give(block);
	EXPECT(memory_shrink() && memory_shrink() && plans == 1, "idle blocks first");
	EXPECT(memory_shrink() && plans == 0, "then plans");
	EXPECT(!memory_shrink(), "then nothing");
	EXPECT(device_held == 0 && observed == 0, "%ld bytes are counted", (long)observed);
	reserve_plan(REASON_NONE);
	device_room = device_held + 128;
	memory_give(take(256, REASON_NONE));
	EXPECT(plans == 0, "a full device, too, makes plans go");
	EXPECT(memory_reserve(1025) == REASON_DEVICE_MEMORY, "more than the limit");
	device_room = UINT64_MAX;
	memory_set_reclaimer(NULL);
}

static void test_others(void)
{
	int64_t before, after;
	EXPECT(memory_measure_others(&before), "known");
	memory_give(take(512, REASON_NONE));
	device_others = 300;
	EXPECT(memory_measure_others(&after) && after - before == 300, "%ld bytes of others", (long)(after - before));
	device_error = 719;
	EXPECT(!memory_measure_others(&after), "unknown");
	device_error = 0;
	while (memory_shrink())
		continue;
}

int main(void)
{
	static const struct cuda_api api = {.malloc = device_malloc,
	                                    .free = device_free,
	                                    .mem_get_info = device_get_info,
	                                    .get_last_error = device_get_last_error};
	device_room = UINT64_MAX;
	memory_set_observer(observe);
	memory_start(&api, 1024);
	test_limit_to_the_byte();
	test_reuse();
	test_full_device(&api);
	test_reserve(&api);
	test_others();
	memory_give(NULL);
	EXPECT(device_frees > 0, "something was freed");
	return gpu_check_end("gpu_memory");
}
