/* block.c - large blocks of fftw_malloc on pages of their own, so that their pages can be locked (fftw_pinned) */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/block.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "shim/execute/gpu/pinned.h"
#include "shim/init.h"

/* Locking fewer bytes takes longer than it can win: about 100 us per MB, and a call of the driver. */
enum { BLOCK_LEAST_BYTES = 1 << 20, BLOCK_PAGE_BYTES = 4096, BLOCK_CHAINS = 1024 };

/* A block that the program holds. What stands in front of it in memory tells nothing: it may not be mapped. */
struct block_node {
	void *block, *outer;
	struct block_node *next;
};

static struct block_node *block_chains[BLOCK_CHAINS];
static pthread_mutex_t block_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct block_node **block_chain(const void *block)
{
	return &block_chains[((uintptr_t)block / BLOCK_PAGE_BYTES) % BLOCK_CHAINS];
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
	return size_bytes == 0 ? count : (size_bytes + BLOCK_PAGE_BYTES) / unit_bytes + 1;
}

void *block_take(void *outer, size_t count, size_t unit_bytes)
{
	const size_t size_bytes = block_size_bytes(count, unit_bytes);
	struct block_node *node = outer != NULL && size_bytes != 0 ? malloc(sizeof *node) : NULL;
	if (node == NULL)
		return outer;
	char *block = (char *)outer + (0 - (uintptr_t)outer) % BLOCK_PAGE_BYTES;
	struct block_node **chain = block_chain(block);
	*node = (struct block_node){.block = block, .outer = outer};
	pthread_mutex_lock(&block_mutex);
	node->next = *chain;
	*chain = node;
	pthread_mutex_unlock(&block_mutex);
	pinned_note(block, size_bytes);
	return block;
}

/* Takes the block's node out of its chain; NULL where it is none of ours. */
static struct block_node *block_remove(const void *block)
{
	pthread_mutex_lock(&block_mutex);
	struct block_node **link = block_chain(block);
	while (*link != NULL && (*link)->block != block)
		link = &(*link)->next;
	struct block_node *node = *link;
	if (node != NULL)
		*link = node->next;
	pthread_mutex_unlock(&block_mutex);
	return node;
}

void *block_give(void *block)
{
	struct block_node *node;
	if (block == NULL || !init_shim()->options.fftw_pinned || (node = block_remove(block)) == NULL)
		return block;
	void *outer = node->outer;
	pinned_forget(block);
	free(node);
	return outer;
}

void block_before_fork(void)
{
	pthread_mutex_lock(&block_mutex);
}

void block_after_fork(void)
{
	pthread_mutex_unlock(&block_mutex);
}
