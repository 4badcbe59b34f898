/* fftw_blocks.c - page-aligned blocks for large fftw_malloc calls, so they can be page-locked */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/fftw_blocks.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "shim/base/fp_environment.h"
#include "shim/execute/gpu/device/pinned.h"
#include "shim/shield/shield.h"

/* Locking less takes longer than it can win: about 100 us per MB, and a call of the driver. */
enum {
	FFTW_BLOCKS_LEAST_BYTES = 1 << 20,
	FFTW_BLOCKS_PAGE_BYTES = 4096,
	FFTW_BLOCKS_CHAINS = 1024
};

/* A block that the program holds. Kept outside the block: the bytes before it may not be mapped. */
struct fftw_blocks_node {
	void *block, *outer;
	struct fftw_blocks_node *next;
};

static struct fftw_blocks_node *fftw_blocks_chains[FFTW_BLOCKS_CHAINS];
static pthread_mutex_t fftw_blocks_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool fftw_blocks_pinned; /* the option fftw_pinned */

void fftw_blocks_configure(bool pinned)
{
	fftw_blocks_pinned = pinned;
}

static struct fftw_blocks_node **fftw_blocks_chain(const void *block)
{
	return &fftw_blocks_chains[((uintptr_t)block / FFTW_BLOCKS_PAGE_BYTES) %
	                           FFTW_BLOCKS_CHAINS];
}

/* Bytes of a page-aligned block in whole pages; 0: the block stays an ordinary one. */
static size_t fftw_blocks_size_bytes(size_t count, size_t unit_bytes)
{
	size_t size_bytes;
	if (!fftw_blocks_pinned || __builtin_mul_overflow(count, unit_bytes, &size_bytes) ||
	    size_bytes < FFTW_BLOCKS_LEAST_BYTES ||
	    size_bytes > SIZE_MAX - 4 * (size_t)FFTW_BLOCKS_PAGE_BYTES)
		return 0;
	return (size_bytes + FFTW_BLOCKS_PAGE_BYTES - 1) / FFTW_BLOCKS_PAGE_BYTES *
	       FFTW_BLOCKS_PAGE_BYTES;
}

size_t fftw_blocks_pad(size_t count, size_t unit_bytes)
{
	const size_t size_bytes = fftw_blocks_size_bytes(count, unit_bytes);
	return size_bytes == 0 ? count : (size_bytes + FFTW_BLOCKS_PAGE_BYTES) / unit_bytes + 1;
}

void *fftw_blocks_take(void *outer, size_t count, size_t unit_bytes)
{
	const size_t size_bytes = fftw_blocks_size_bytes(count, unit_bytes);
	struct fp_environment program;
	struct shield shield;
	struct fftw_blocks_node *node =
		outer != NULL && size_bytes != 0 ? malloc(sizeof *node) : NULL;
	if (node == NULL)
		return outer;
	char *block = (char *)outer + (0 - (uintptr_t)outer) % FFTW_BLOCKS_PAGE_BYTES;
	struct fftw_blocks_node **chain = fftw_blocks_chain(block);
	*node = (struct fftw_blocks_node){.block = block, .outer = outer};
	shield_begin(&shield);
	pthread_mutex_lock(&fftw_blocks_mutex);
	node->next = *chain;
	*chain = node;
	pthread_mutex_unlock(&fftw_blocks_mutex);
	fp_environment_enter(&program);
	pinned_note(block, size_bytes);
	fp_environment_leave(&program);
	shield_end(&shield);
	return block;
}

/* Removes the block's node from its chain; NULL where the block is not one of ours. */
static struct fftw_blocks_node *fftw_blocks_remove(const void *block)
{
	pthread_mutex_lock(&fftw_blocks_mutex);
	struct fftw_blocks_node **link = fftw_blocks_chain(block);
	while (*link != NULL && (*link)->block != block)
		link = &(*link)->next;
	struct fftw_blocks_node *node = *link;
	if (node != NULL)
		*link = node->next;
	pthread_mutex_unlock(&fftw_blocks_mutex);
	return node;
}

static void *fftw_blocks_forget(void *block)
{
	struct fp_environment program;
	struct fftw_blocks_node *node = fftw_blocks_remove(block);
	if (node == NULL)
		return block;
	void *outer = node->outer;
	fp_environment_enter(&program);
	pinned_forget(block);
	fp_environment_leave(&program);
	free(node);
	return outer;
}

void *fftw_blocks_give(void *block)
{
	struct shield shield;
	if (block == NULL || !fftw_blocks_pinned)
		return block;
	shield_begin(&shield);
	void *outer = fftw_blocks_forget(block);
	shield_end(&shield);
	return outer;
}

void fftw_blocks_before_fork(void)
{
	pthread_mutex_lock(&fftw_blocks_mutex);
}

void fftw_blocks_renew(void)
{
	fftw_blocks_mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

void fftw_blocks_after_fork(void)
{
	pthread_mutex_unlock(&fftw_blocks_mutex);
}
