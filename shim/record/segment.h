/* segment.h - segments of shared memory that exist as long as a process has them mapped */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SEGMENT_H
#define GPUSHIM_SHIM_RECORD_SEGMENT_H

#include <stddef.h>

/* Pages of every size fit into a grain. */
enum { SEGMENT_GRAIN = 65536 };

/* As much as has to be mapped for this many bytes. */
#define SEGMENT_BYTES(size) (((size) + SEGMENT_GRAIN - 1) / SEGMENT_GRAIN * SEGMENT_GRAIN)

/*
 * Page-aligned memory; behind the first used_bytes it holds zeros only. SEGMENT_BYTES(size_bytes)
 * of it are mapped.
 */
struct segment_memory {
	void *start;
	size_t size_bytes, used_bytes;
};

/*
 * A new segment of SEGMENT_BYTES(size_bytes) zeros (System V), mapped, for the user only. The
 * kernel removes it when nobody maps it any more, however the processes end. It needs no descriptor
 * and no file system, and takes memory only for the pages that are written. flags: SHM_NORESERVE,
 * or 0. *id: by which others of the user map it. Returns NULL with errno; ENOSPC also where half of
 * the system's segments are in use, because other programs need them.
 */
void *segment_make(size_t size_bytes, int flags, int *id);

/*
 * Copies the memory to `from`, a mapping of zeros, and moves the mapping of
 * SEGMENT_BYTES(size_bytes) in the memory's stead. Returns 0 or the error number.
 */
int segment_place(void *from, const struct segment_memory *memory);

/* Puts a new segment in the memory's stead. Returns 0, or the error number and changes nothing. */
int segment_show(const struct segment_memory *memory);

#endif
