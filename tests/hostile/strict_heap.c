/* strict_heap.c - preloaded: a malloc that ends the process at a block of another heap */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Blocks are never used again: a block is from here if its mark is right. */
enum { HEAP_ALIGNMENT = 64, HEAP_STATUS = 9 };
static const size_t heap_bytes = (size_t)1 << 34;
static const uint64_t heap_mark = UINT64_C(0x5ca1ab1e0ddba11);

struct heap_head {
	uint64_t mark;
	size_t size;
};

static _Atomic(char *) heap_start;
static atomic_size_t heap_used;

static char *heap_find(void)
{
	char *start = atomic_load(&heap_start), *none = NULL;
	if (start != NULL)
		return start;
	start = mmap(NULL, heap_bytes, PROT_READ | PROT_WRITE,
	             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (start == MAP_FAILED)
		_exit(HEAP_STATUS);
	if (atomic_compare_exchange_strong(&heap_start, &none, start))
		return start;
	munmap(start, heap_bytes);
	return none;
}

static struct heap_head *heap_head_of(void *block)
{
	return (struct heap_head *)block - 1;
}

static void heap_check(void *block)
{
	static const char words[] = "a block of another heap was given back\n";
	char *start = heap_find(), *at = block;
	if (at > start && at < start + heap_bytes &&
	    heap_head_of(block)->mark == (heap_mark ^ (uintptr_t)block))
		return;
	if (write(2, words, sizeof words - 1) < 0)
		_exit(HEAP_STATUS + 1);
	_exit(HEAP_STATUS);
}

static void *heap_take(size_t alignment, size_t size)
{
	const size_t step = alignment > HEAP_ALIGNMENT ? alignment : HEAP_ALIGNMENT;
	if (size > heap_bytes / 4 || step > heap_bytes / 4) {
		errno = ENOMEM;
		return NULL;
	}
	const size_t used = atomic_fetch_add(&heap_used, size + 2 * step);
	if (used + size + 2 * step > heap_bytes) {
		errno = ENOMEM;
		return NULL;
	}
	const uintptr_t first = (uintptr_t)heap_find() + used + sizeof(struct heap_head);
	void *block = (void *)((first + step - 1) / step * step);
	*heap_head_of(block) = (struct heap_head){heap_mark ^ (uintptr_t)block, size};
	return block;
}

void *malloc(size_t size)
{
	return heap_take(HEAP_ALIGNMENT, size);
}

void free(void *block)
{
	if (block == NULL)
		return;
	heap_check(block);
	heap_head_of(block)->mark = 0;
}

void *calloc(size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return heap_take(HEAP_ALIGNMENT, bytes);
}

void *realloc(void *block, size_t size)
{
	void *other = heap_take(HEAP_ALIGNMENT, size);
	if (block == NULL || other == NULL)
		return other;
	heap_check(block);
	const size_t before = heap_head_of(block)->size;
	memcpy(other, block, before < size ? before : size);
	free(block);
	return other;
}

void *memalign(size_t alignment, size_t size)
{
	return heap_take(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return heap_take(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
	*block = heap_take(alignment, size);
	return *block != NULL ? 0 : ENOMEM;
}
