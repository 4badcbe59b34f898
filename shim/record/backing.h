/* backing.h - memory that is already in use, made readable for other processes */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_BACKING_H
#define GPUSHIM_SHIM_RECORD_BACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shim/record/segment.h"
#include "shim/record/sink.h"

/*
 * place: a folder for files, which stay there; "@..." for a chunk of a pool (shim/record/pool.h);
 * empty for a segment of its own, which ends with the process. named: the options name the place.
 * away: the pool cannot be reached, as on another node, but the folder in its name can.
 */
struct backing {
	bool named, away;
	char place[SINK_PATH_BYTES];
};

/* wish: the option; a relative folder is completed by the working directory. */
void backing_choose(struct backing *backing, const char *wish);

/*
 * Copies the memory to the place and maps that in its stead. A file is
 * gpushim-<pid>-<start ns>.counters, readable by its owner only and allocated in full. Returns 0,
 * or the error number: then the memory is as it was, or in a segment of its own if a pool failed.
 * One thread at a time.
 */
int backing_show(struct backing *backing, int64_t pid, int64_t start_ns,
                 const struct segment_memory *memory);

/*
 * At the end of a process whose backing is away: writes the memory to a file of the folder. Returns
 * 0 or the error number.
 */
int backing_leave(const struct backing *backing, int64_t pid, int64_t start_ns,
                  const struct segment_memory *memory);

/*
 * Notes in the named pool, or in the folder of its name, that a rank of so many ended without a
 * call. Where neither can be reached, nobody can be told.
 */
void backing_note_rank(const char *name, size_t memory_bytes, int rank, int ranks);

#endif
