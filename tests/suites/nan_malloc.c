/* nan_malloc.c - a library to preload behind the shim: memory fresh from malloc is full of NaN */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * The pattern is a quiet NaN as a float, and twice in a row as a double. NAN_MALLOC_WORD in the
 * environment sets another pattern, for programs that ignore NaN.
 */
static uint32_t nan_malloc_word = 0x7fffffff;

__attribute__((constructor)) static void nan_malloc_read_word(void)
{
	const char *word = getenv("NAN_MALLOC_WORD");
	if (word != NULL)
		nan_malloc_word = (uint32_t)strtoul(word, NULL, 16);
}

/* calloc remains the C library's, because dlsym may allocate before these pointers are set. */
static void *nan_malloc_next(_Atomic(void *) *slot, const char *name)
{
	void *next = atomic_load_explicit(slot, memory_order_relaxed);
	if (next == NULL) {
		next = dlsym(RTLD_NEXT, name);
		if (next == NULL)
			abort();
		atomic_store_explicit(slot, next, memory_order_relaxed);
	}
	return next;
}

/*
 * Fills the whole usable size, so that a realloc within the block exposes NaN as well. Blocks are
 * aligned to words and consist of whole words.
 */
static void *nan_malloc_fill(void *block, size_t from_bytes)
{
	if (block != NULL) {
		uint32_t *word = block;
		const size_t end = malloc_usable_size(block) / sizeof(*word);
		for (size_t i = (from_bytes + sizeof(*word) - 1) / sizeof(*word); i < end; i++)
			word[i] = nan_malloc_word;
	}
	return block;
}

void *malloc(size_t size_bytes)
{
	static _Atomic(void *) slot;
	void *(*next)(size_t) = (void *(*)(size_t))nan_malloc_next(&slot, "malloc");
	return nan_malloc_fill(next(size_bytes), 0);
}

void *realloc(void *block, size_t size_bytes)
{
	static _Atomic(void *) slot;
	void *(*next)(void *, size_t) =
		(void *(*)(void *, size_t))nan_malloc_next(&slot, "realloc");
	const size_t kept_bytes = malloc_usable_size(block);
	return nan_malloc_fill(next(block, size_bytes), kept_bytes);
}

void *memalign(size_t alignment, size_t size_bytes)
{
	static _Atomic(void *) slot;
	void *(*next)(size_t, size_t) =
		(void *(*)(size_t, size_t))nan_malloc_next(&slot, "memalign");
	return nan_malloc_fill(next(alignment, size_bytes), 0);
}

void *aligned_alloc(size_t alignment, size_t size_bytes)
{
	static _Atomic(void *) slot;
	void *(*next)(size_t, size_t) =
		(void *(*)(size_t, size_t))nan_malloc_next(&slot, "aligned_alloc");
	return nan_malloc_fill(next(alignment, size_bytes), 0);
}

int posix_memalign(void **block, size_t alignment, size_t size_bytes)
{
	static _Atomic(void *) slot;
	int (*next)(void **, size_t, size_t) =
		(int (*)(void **, size_t, size_t))nan_malloc_next(&slot, "posix_memalign");
	const int error = next(block, alignment, size_bytes);
	if (error == 0)
		nan_malloc_fill(*block, 0);
	return error;
}
