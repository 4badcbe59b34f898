/* pool.h - memory of `gpushim run` for the counts of all its processes, which outlives them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_POOL_H
#define GPUSHIM_SHIM_RECORD_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "shim/record/segment.h"

enum { POOL_VERSION = 1, POOL_SEGMENTS = 3, POOL_NAME_BYTES = 48 };

/*
 * The head of each of its segments. Chunk i begins SEGMENT_GRAIN + i * stride bytes behind it.
 * nonce: of all segments of a pool, and in its name. claimed: chunks that were asked for, which may
 * be more than there are. next: the id of the next segment, which is used when this one is full; -1
 * in the last one. left_out, in the first segment: processes that found every segment full.
 */
struct pool_head {
	char magic[8]; /* "gpspool" */
	uint32_t version;
	int32_t next;
	uint64_t nonce, stride, capacity;
	_Atomic uint64_t claimed, left_out;
};

/* Whether an option's value names a pool: "@ID-NONCE", which the tool sets. */
bool pool_is_name(const char *text);

/* Writes the name. */
void pool_format_name(int id, uint64_t nonce, char out[POOL_NAME_BYTES]);

/* Reads a name; false where it has another form. */
bool pool_parse_name(const char *name, int *id, uint64_t *nonce);

/* Whether these are the first bytes of a segment of a pool, of the size that it says. */
bool pool_is_head(const struct pool_head *head, uint64_t segment_bytes);

/*
 * Puts a chunk of the named pool in the memory's stead; the rest of the pool stays unmapped.
 * Returns 0, or the error number and changes nothing: EINVAL where the segment is none of that
 * pool, ENOSPC where all of it is in use.
 */
int pool_join(const char *name, const struct segment_memory *memory);

#endif
