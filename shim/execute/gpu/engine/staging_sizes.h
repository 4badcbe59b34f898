/* staging_sizes.h - sizes of the rings, their parts and chunks, from the cache's size */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_STAGING_SIZES_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_STAGING_SIZES_H

#include <stdint.h>

/* part: what is granted to a run at least. chunk: the most that one thread copies at a time. */
struct staging_sizes {
	uint64_t ring_bytes, part_bytes, chunk_bytes;
};

/*
 * Both rings together fill half of the last-level caches (0: unknown), at least 8 MiB and at most
 * 128 MiB, and no more than limit_bytes (0: no limit), but at least a page for each part.
 */
struct staging_sizes staging_sizes_choose(uint64_t cache_bytes, uint64_t limit_bytes);

/* The most bytes of a copy of the device through a ring of this size, or a part of one. */
uint64_t staging_sizes_find_copy(uint64_t ring_bytes);

#endif
