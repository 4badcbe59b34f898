/* gpu_memory_test.c - the pool of device memory, on an allocator of its own: no CUDA is needed */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "gpu_check.h"
#include "shim/execute/gpu/memory.h"

/* A device with room bytes; counts what is requested of it. */
static uint64_t device_room, device_held, device_peak;
static int device_allocations, device_frees, device_error, device_cleared;
static int64_t observed;

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

int main(void)
{
	static const struct cuda_api api = {
		.malloc = device_malloc, .free = device_free, .get_last_error = device_get_last_error};
	device_room = UINT64_MAX;
	memory_set_observer(observe);
	memory_start(&api, 1024);
	test_limit_to_the_byte();
	test_reuse();
	test_full_device(&api);
	memory_give(NULL);
	EXPECT(device_frees > 0, "something was freed");
	return gpu_check_end("gpu_memory");
}
