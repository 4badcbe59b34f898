/* backing.h - a file mapped in place of memory that is already in use */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_BACKING_H
#define GPUSHIM_SHIM_RECORD_BACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shim/record/sink.h"

/* kept: the options name the folder, so the file stays. path is empty while there is no file. */
struct backing {
	bool kept;
	char folder[SINK_PATH_BYTES], path[SINK_PATH_BYTES + 64];
};

/*
 * The folder for files: wish (a relative one is completed by the working directory), or if it is
 * empty $XDG_RUNTIME_DIR where that is an absolute path of a folder, else /dev/shm.
 */
void backing_choose_folder(struct backing *backing, const char *wish);

/* Page-aligned memory; behind the first used_bytes it holds zeros only. */
struct backing_memory {
	void *start;
	size_t size_bytes, used_bytes;
};

/*
 * Makes the file folder/gpushim-<pid>-<start ns>.counters, readable by its owner only and allocated
 * in full, copies the memory into it and maps it in the memory's place. Returns 0, or the error
 * number: then there is no file and the memory is as it was.
 */
int backing_make_file(struct backing *backing, int64_t pid, int64_t start_ns,
                      const struct backing_memory *memory);

#endif
