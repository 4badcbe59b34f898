/* block.c - large blocks of fftw_malloc on pages of their own, so that their pages can be locked (fftw_pinned) */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/block.h"

#include <stdbool.h>
#include <stdint.h>

#include "shim/execute/gpu/pinned.h"
#include "shim/init.h"

/* Locking fewer bytes takes longer than it can win: about 100 us per MB, and a call of the driver. */
enum { BLOCK_LEAST_BYTES = 1 << 20, BLOCK_PAGE_BYTES = 4096 };

/* Stands in front of an inner block. mark tells it from anything else that might stand in front of a page. */
struct block_head {
	void *outer;
	uintptr_t mark;
};

static uintptr_t block_mark(const void *block, const void *outer)
{
	return ((uintptr_t)block * 3) ^ (uintptr_t)outer ^ (uintptr_t)0x6770757368696d21u;
}

/* Bytes of a block that gets pages of its own, in whole pages; 0 for all others. */
static size_t block_size_bytes(size_t count, size_t unit_bytes)
{
	size_t size_bytes;
	if (!init_shim()->options.fftw_pinned || __builtin_mul_overflow(count, unit_bytes, &size_bytes) ||
	    size_bytes < BLOCK_LEAST_BYTES || size_bytes > SIZE_MAX - 4 * (size_t)BLOCK_PAGE_BYTES)
		return 0;
	return (size_bytes + BLOCK_PAGE_BYTES - 1) / BLOCK_PAGE_BYTES * BLOCK_PAGE_BYTES;
}

size_t block_pad(size_t count, size_t unit_bytes)
{
	const size_t size_bytes = block_size_bytes(count, unit_bytes);
	return size_bytes == 0 ? count : (size_bytes + 2 * (size_t)BLOCK_PAGE_BYTES) / unit_bytes + 1;
}

void *block_take(void *outer, size_t count, size_t unit_bytes)
{
	const size_t size_bytes = block_size_bytes(count, unit_bytes);
	if (outer == NULL || size_bytes == 0)
		return outer;
	const uintptr_t least = (uintptr_t)outer + sizeof(struct block_head);
	char *block = (char *)outer + ((0 - least) % BLOCK_PAGE_BYTES) + sizeof(struct block_head);
	((struct block_head *)(void *)block)[-1] = (struct block_head){outer, block_mark(block, outer)};
	pinned_note(block, size_bytes);
	return block;
}

/* What stands in front of another's page is looked at, too: memory that malloc gave has its own head there. */
__attribute__((no_sanitize("address"))) void *block_give(void *block)
{
	struct block_head *head = (struct block_head *)block - 1;
	if (block == NULL || !init_shim()->options.fftw_pinned || (uintptr_t)block % BLOCK_PAGE_BYTES != 0)
		return block;
	if (head->mark != block_mark(block, head->outer))
		return block;
	pinned_forget(block);
	head->mark = 0;
	return head->outer;
}
