/* staging_sizes.c - sizes of the rings, their parts and chunks, from the cache's size */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/staging_sizes.h"

/*
 * SIZES_CHUNKS chunks keep all copying threads at work while others are being transferred;
 * SIZES_PARTS runs share a ring.
 */
enum { SIZES_RINGS = 2, SIZES_PARTS = 8, SIZES_CHUNKS = 32, SIZES_PAGE_BYTES = 4096 };

/* Bounds of both rings together, and the assumed cache. */
static const uint64_t sizes_least_bytes = UINT64_C(8) << 20, sizes_most_bytes = UINT64_C(128) << 20,
		      sizes_cache_bytes = UINT64_C(32) << 20;

/* A smaller chunk costs more to hand over, a larger one makes the link wait for a single thread. */
static const uint64_t sizes_chunk_least_bytes = UINT64_C(256) << 10,
		      sizes_chunk_most_bytes = UINT64_C(1) << 20;

/*
 * While one half of a ring is copied, the other one is filled. A copy of so many bytes costs an
 * H200 2 % beside them; of larger ones, more overlaps nothing at the beginning and at the end of a
 * call.
 */
static const uint64_t sizes_copy_bytes = UINT64_C(8) << 20;

static uint64_t staging_sizes_bound(uint64_t bytes, uint64_t least, uint64_t most)
{
	return bytes < least ? least : bytes > most ? most : bytes;
}

/* Whole pages, at least one. */
static uint64_t staging_sizes_round(uint64_t bytes)
{
	return bytes < SIZES_PAGE_BYTES ? SIZES_PAGE_BYTES : bytes - bytes % SIZES_PAGE_BYTES;
}

struct staging_sizes staging_sizes_choose(uint64_t cache_bytes, uint64_t limit_bytes)
{
	struct staging_sizes sizes;
	uint64_t both_bytes =
		staging_sizes_bound((cache_bytes > 0 ? cache_bytes : sizes_cache_bytes) / 2,
	                            sizes_least_bytes, sizes_most_bytes);
	if (limit_bytes > 0 && limit_bytes < both_bytes)
		both_bytes = limit_bytes;
	sizes.part_bytes = staging_sizes_round(both_bytes / SIZES_RINGS / SIZES_PARTS);
	sizes.ring_bytes = sizes.part_bytes * SIZES_PARTS;
	sizes.chunk_bytes = staging_sizes_round(staging_sizes_bound(
		sizes.ring_bytes / SIZES_CHUNKS, sizes_chunk_least_bytes, sizes_chunk_most_bytes));
	if (sizes.chunk_bytes > sizes.part_bytes)
		sizes.chunk_bytes = sizes.part_bytes;
	return sizes;
}

uint64_t staging_sizes_find_copy(uint64_t ring_bytes)
{
	return ring_bytes / 2 < sizes_copy_bytes ? ring_bytes / 2 : sizes_copy_bytes;
}
