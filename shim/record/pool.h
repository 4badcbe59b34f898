/* pool.h - memory of `gpushim run` for the counts of all its processes, which outlives them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_POOL_H
#define GPUSHIM_SHIM_RECORD_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "shim/record/segment.h"

enum { POOL_VERSION = 2, POOL_SEGMENTS = 3, POOL_NAME_BYTES = 48, POOL_RANKS = 1 << 16 };

/*
 * The head of each of its segments. Chunk i begins SEGMENT_GRAIN + i * stride bytes behind it.
 * nonce: of all segments of a pool, and in its name. claimed: chunks that were asked for, which may
 * be more than there are. next: the id of the next segment, which is used when this one is full; -1
 * in the last one. In the first segment: left_out, processes that found every segment full; told,
 * whether the summary was written; ranks, of a launch with ranks that made no call, and present, a
 * bit for each such rank.
 */
struct pool_head {
	char magic[8]; /* "gpspool" */
	uint32_t version;
	int32_t next;
	uint64_t nonce, stride, capacity;
	_Atomic uint64_t claimed, left_out;
	_Atomic uint32_t told, ranks;
	_Atomic uint64_t present[POOL_RANKS / 64];
};

_Static_assert(sizeof(struct pool_head) <= SEGMENT_GRAIN, "the chunks begin behind the head");

/*
 * Whether an option's value names a pool: "@ID-NONCE", which the tool sets. "@ID-NONCE/FOLDER"
 * names a folder too, for counts of processes that cannot reach the pool, such as those on other
 * nodes.
 */
bool pool_is_name(const char *text);

/* Writes the name. */
void pool_format_name(int id, uint64_t nonce, char out[POOL_NAME_BYTES]);

/* Reads a name; false where it has another form. */
bool pool_parse_name(const char *name, int *id, uint64_t *nonce);

/* The path of the folder in a name; NULL where there is none. */
const char *pool_find_folder(const char *name);

/* Whether these are the first bytes of a segment of a pool, of the size that it says. */
bool pool_is_head(const struct pool_head *head, uint64_t segment_bytes);

/*
 * Puts a chunk of the named pool in the memory's stead; the rest of the pool stays unmapped.
 * Returns 0, or the error number and changes nothing: EINVAL where the segment is none of that
 * pool, ENOSPC where all of it is in use.
 */
int pool_join(const char *name, const struct segment_memory *memory);

/*
 * Notes that a rank of so many ended without a call, in the named pool, whose chunks hold so many
 * bytes. The same errors.
 */
int pool_note_rank(const char *name, size_t memory_bytes, int rank, int ranks);

#endif
