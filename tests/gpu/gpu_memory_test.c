/* gpu_memory_test.c - the pool of device memory, on an allocator of the test; needs no CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "gpu_check.h"
#include "shim/execute/gpu/device/memory.h"

enum { DEVICE = 1, OTHER_DEVICE = 2 };

/* A device of device_room bytes, which counts the requests made to it. */
static uint64_t device_room, device_held, device_peak;
static int device_allocations, device_frees, device_error, device_cleared, device_pending;
static int64_t observed;
static const uint64_t plan_bytes = 256;
static uint64_t device_others, device_total = 1 << 20;
static int64_t now_ns;
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

static int device_peek_at_last_error(void)
{
	return device_pending;
}

static int device_get_info(size_t *free_bytes, size_t *total_bytes)
{
	*total_bytes = device_total;
	*free_bytes = *total_bytes - device_held - device_others;
	return device_error;
}

/* Stands for a library with three plans, which it frees one at a time. */
static bool reclaim(int device)
{
	EXPECT(device == DEVICE, "asked about device %d", device);
	if (plans == 0)
		return false;
	plans--;
	device_held -= plan_bytes;
	memory_release(DEVICE, plan_bytes);
	return true;
}

static int64_t read_clock(void)
{
	return now_ns;
}

static void observe(int64_t difference)
{
	observed += difference;
}

static struct memory_block *take(uint64_t size_bytes, enum reason expected)
{
	struct memory_block *block = NULL;
	const enum reason reason = memory_take(DEVICE, size_bytes, &block);
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

/* The device is full below the limit: idle blocks are freed, and one more attempt is made. */
static void test_full_device(const struct cuda_api *api)
{
	memory_start(api, DEVICE, UINT64_MAX);
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

/*
 * The program has an error pending: an allocation that is sure to fail is not tried, and nothing is
 * cleared.
 */
static void test_pending_error(const struct cuda_api *api)
{
	const uint64_t megabyte = 1 << 20, total = device_total;
	memory_start(api, DEVICE, UINT64_MAX);
	device_total = 8 * megabyte;
	device_room = UINT64_MAX;
	device_pending = 101;
	const int asked = device_allocations, cleared = device_cleared;
	struct memory_block *block = take(4 * megabyte, REASON_NONE);
	take(6 * megabyte, REASON_DEVICE_MEMORY);
	EXPECT(device_allocations == asked + 1, "asked %d times", device_allocations - asked);
	device_room = device_held;
	take(megabyte, REASON_DEVICE_MEMORY);
	EXPECT(device_allocations > asked + 1, "there seemed to be room");
	EXPECT(device_cleared == cleared, "an error is left pending");
	memory_give(block);
	EXPECT(memory_trim(DEVICE) == 4 * megabyte, "all is given back");
	device_pending = 0;
	device_total = total;
}

static void reserve_plan(enum reason expected)
{
	const enum reason reason = memory_reserve(DEVICE, plan_bytes);
	EXPECT(reason == expected, "a plan: %s", reason_name(reason));
	if (reason != REASON_NONE)
		return;
	device_held += plan_bytes;
	plans++;
	EXPECT((uint64_t)observed == device_held, "the observer knows what is reserved");
}

/*
 * Reserved memory of libraries counts like a block. To make room idle blocks are freed first, then
 * the reclaimer's plans.
 */
static void test_reserve(const struct cuda_api *api)
{
	memory_start(api, DEVICE, 1024);
	device_room = UINT64_MAX;
	memory_give(take(1024, REASON_NONE));
	for (int i = 0; i < 3; i++)
		reserve_plan(REASON_NONE);
	struct memory_block *block = take(256, REASON_NONE);
	take(256, REASON_DEVICE_MEMORY);
	memory_set_reclaimer(MEMORY_RECLAIM_PLANS, reclaim);
	struct memory_block *larger = take(512, REASON_NONE);
	EXPECT(plans == 1, "as many as needed: %d are left", plans);
	take(1024 - 256, REASON_DEVICE_MEMORY);
	EXPECT(plans == 1, "none is given up for what could not fit");
	reserve_plan(REASON_NONE);
	EXPECT(plans == 1, "one for the other: %d", plans);
	memory_give(larger);
	memory_give(block);
	EXPECT(memory_shrink(DEVICE) && memory_shrink(DEVICE) && plans == 1, "idle blocks first");
	EXPECT(memory_shrink(DEVICE) && plans == 0, "then plans");
	EXPECT(!memory_shrink(DEVICE), "then nothing");
	EXPECT(device_held == 0 && observed == 0, "%ld bytes are counted", (long)observed);
	reserve_plan(REASON_NONE);
	device_room = device_held + 128;
	memory_give(take(256, REASON_NONE));
	EXPECT(plans == 0, "a full device, too, makes plans go");
	EXPECT(memory_reserve(DEVICE, 1025) == REASON_DEVICE_MEMORY, "more than the limit");
	device_room = UINT64_MAX;
	memory_set_reclaimer(MEMORY_RECLAIM_PLANS, NULL);
}

static void test_others(void)
{
	int64_t before, after;
	EXPECT(memory_measure_others(DEVICE, &before), "known");
	memory_give(take(512, REASON_NONE));
	device_others = 300;
	EXPECT(memory_measure_others(DEVICE, &after) && after - before == 300,
	       "%ld bytes of others", (long)(after - before));
	device_error = 719;
	EXPECT(!memory_measure_others(DEVICE, &after), "unknown");
	device_error = 0;
	while (memory_shrink(DEVICE))
		continue;
}

/*
 * What a plan may ask for: the limit, or the device's memory as last seen, minus the memory in use.
 */
static void test_available(const struct cuda_api *api)
{
	memory_start(api, DEVICE, 1 << 19);
	EXPECT(memory_available(DEVICE) == 1 << 19, "all of it");
	struct memory_block *block = take(4096, REASON_NONE);
	reserve_plan(REASON_NONE);
	EXPECT(memory_available(DEVICE) == (1 << 19) - 4096 - plan_bytes,
	       "less what is busy and reserved");
	EXPECT(memory_obtainable(DEVICE) == (1 << 19) - 4096, "what is reserved can be given up");
	memory_give(block);
	EXPECT(memory_available(DEVICE) == (1 << 19) - plan_bytes, "idle blocks can be had");
	device_room = device_held;
	device_others = device_total - device_held - 1000;
	take(8192, REASON_DEVICE_MEMORY);
	EXPECT(memory_available(DEVICE) == 1000 + 4096, "what the device has: %lu",
	       (unsigned long)memory_available(DEVICE));
	EXPECT(memory_obtainable(DEVICE) == 1000 + 4096 + plan_bytes, "and could: %lu",
	       (unsigned long)memory_obtainable(DEVICE));
	now_ns += 1000000000;
	EXPECT(memory_available(DEVICE) == (1 << 19) - plan_bytes, "which says nothing later");
	memory_release(DEVICE, plan_bytes);
	device_held -= plan_bytes;
	plans--;
	device_room = UINT64_MAX;
	device_others = 0;
}

/* So many calls after a look at the device another look is certain. */
static void end_calls(void)
{
	for (int i = 0; i < 8; i++)
		memory_relieve(DEVICE, true);
}

/*
 * Idle blocks are kept unless the device is short of memory because of users other than CUDA
 * itself.
 */
static void test_relief(const struct cuda_api *api)
{
	static const uint64_t gigabyte = 1000000000;
	memory_start(api, DEVICE, UINT64_MAX);
	device_total = 16 * gigabyte;
	device_others = gigabyte / 2;
	memory_settle(DEVICE);
	struct memory_block *busy = take(512, REASON_NONE);
	memory_give(take(4096, REASON_NONE));
	end_calls();
	EXPECT(device_held == 4096 + 512, "there is plenty");
	device_total = gigabyte;
	device_others = gigabyte * 3 / 4;
	memory_relieve(DEVICE, true);
	EXPECT(device_held == 4096 + 512, "not looked at so soon");
	end_calls();
	EXPECT(device_held == 4096 + 512, "little is left, but nobody else has it");
	device_total = 16 * gigabyte;
	device_others = device_total - gigabyte / 2;
	end_calls();
	EXPECT(device_held == 512, "the others get it: %lu bytes are held",
	       (unsigned long)device_held);
	memory_give(take(4096, REASON_NONE));
	now_ns += 1000000000;
	memory_relieve(DEVICE, false);
	EXPECT(device_held == 4096 + 512, "not beside another call");
	memory_relieve(DEVICE, true);
	EXPECT(device_held == 512, "at once, when the last look is long ago");
	memory_give(busy);
	EXPECT(memory_trim(DEVICE) == 512 && memory_trim(DEVICE) == 0, "all that is idle");
	device_error = 719;
	now_ns += 1000000000;
	memory_relieve(DEVICE, true);
	device_error = 0;
	device_others = 0;
}

/* Each device has its own limit and its own blocks. */
static void test_devices(const struct cuda_api *api)
{
	struct memory_block *block = NULL, *other = NULL;
	memory_start(api, DEVICE, 1024);
	memory_start(api, OTHER_DEVICE, 2048);
	EXPECT(memory_limit(DEVICE) == 1024 && memory_limit(OTHER_DEVICE) == 2048, "as started");
	EXPECT(memory_take(OTHER_DEVICE, 2048, &other) == REASON_NONE &&
	               other->device == OTHER_DEVICE,
	       "all of one");
	EXPECT(memory_take(DEVICE, 1024, &block) == REASON_NONE && block->device == DEVICE,
	       "and of the other");
	memory_give(other);
	EXPECT(memory_available(OTHER_DEVICE) == 2048 && memory_available(DEVICE) == 0,
	       "given back to its own");
	EXPECT(memory_trim(DEVICE) == 0 && memory_trim(OTHER_DEVICE) == 2048,
	       "only what is idle there");
	memory_give(block);
	EXPECT(memory_trim(DEVICE) == 1024 && device_held == 0, "nothing is left");
}

int main(void)
{
	static const struct cuda_api api = {.malloc = device_malloc,
	                                    .free = device_free,
	                                    .mem_get_info = device_get_info,
	                                    .get_last_error = device_get_last_error,
	                                    .peek_at_last_error = device_peek_at_last_error};
	device_room = UINT64_MAX;
	memory_set_observer(observe);
	memory_set_clock(read_clock);
	memory_start(&api, DEVICE, 1024);
	test_limit_to_the_byte();
	test_reuse();
	test_full_device(&api);
	test_pending_error(&api);
	test_reserve(&api);
	test_others();
	device_others = 0;
	test_available(&api);
	test_relief(&api);
	test_devices(&api);
	memory_give(NULL);
	EXPECT(device_frees > 0, "something was freed");
	return gpu_check_end("gpu_memory");
}
