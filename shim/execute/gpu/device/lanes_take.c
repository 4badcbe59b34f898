/* lanes_take.c - resources of a call beside its lane: device memory, events, staging */
/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/mman.h>

#include "shim/execute/gpu/device/lanes.h"

/* More than the share is always refused, also while other calls leave theirs unused. */
static bool lanes_take_fits_share(const struct lane *lane, uint64_t size_bytes)
{
	const uint64_t share_bytes = lanes_share_bytes(lane->device);
	uint64_t held_bytes = 0;
	for (int i = 0; i < lane->block_count; i++)
		held_bytes += lane->block[i]->size_bytes;
	return share_bytes == 0 ||
	       (held_bytes <= share_bytes && size_bytes <= share_bytes - held_bytes);
}

/*
 * A share can always be had: where other programs hold memory, once the calls beside this one have
 * ended.
 */
static enum reason lanes_take_block(struct lane *lane, uint64_t size_bytes,
                                    struct memory_block **block)
{
	uint64_t given = UINT64_MAX;
	enum reason reason = memory_take(lane->device, size_bytes, block);
	while (reason == REASON_DEVICE_MEMORY && lanes_share_bytes(lane->device) > 0 &&
	       lanes_wait_for_other(lane, &given))
		reason = memory_take(lane->device, size_bytes, block);
	return reason;
}

enum reason lanes_take_memory(struct lane *lane, uint64_t size_bytes, void **pointer)
{
	struct memory_block *block;
	if (lane->block_count == LANES_BLOCKS || !lanes_take_fits_share(lane, size_bytes))
		return REASON_DEVICE_MEMORY;
	const enum reason reason = lanes_take_block(lane, size_bytes, &block);
	if (reason != REASON_NONE)
		return reason;
	lane->block[lane->block_count++] = block;
	*pointer = block->pointer;
	return REASON_NONE;
}

enum reason lanes_take_event(struct lane *lane, int kind, int index, void **event)
{
	void **kept = &lane->event[kind][index];
	if (*kept == NULL && lane->api->event_create(kept, CUDA_EVENT_UNTIMED) != CUDA_SUCCESS) {
		*kept = NULL;
		return REASON_DEVICE_FAILED;
	}
	*event = *kept;
	return REASON_NONE;
}

void *lanes_take_staging(struct lane *lane, uint64_t size_bytes)
{
	if (size_bytes <= lane->staging_bytes)
		return lane->staging;
	if (lane->staging != NULL)
		munmap(lane->staging, lane->staging_bytes);
	lane->staging_bytes = 0;
	void *staging =
		mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	lane->staging = staging == MAP_FAILED ? NULL : staging;
	if (lane->staging == NULL)
		return NULL;
	/*
	 * Faulting in small pages takes longer than copying to them. Without huge pages it is
	 * slower, no more.
	 */
	(void)madvise(staging, size_bytes, MADV_HUGEPAGE);
	lane->staging_bytes = size_bytes;
	return staging;
}
