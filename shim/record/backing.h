/* backing.h - a file under memory that is already in use */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_BACKING_H
#define GPUSHIM_SHIM_RECORD_BACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shim/record/sink.h"

/* kept: the folder is one that the options name. path is empty where there is no file. */
struct backing {
	bool kept;
	char folder[SINK_PATH_BYTES], path[SINK_PATH_BYTES + 64];
};

/*
 * The folder for files: wish (the one that a relative name means now), or where that is empty
 * $XDG_RUNTIME_DIR if it is the absolute name of a folder, else /dev/shm.
 */
void backing_choose_folder(struct backing *backing, const char *wish);

/* Page-aligned memory; behind the first used_bytes of it there are zeros alone. */
struct backing_memory {
	void *start;
	size_t size_bytes, used_bytes;
};

/*
 * Makes the new file folder/gpushim-<pid>-<start ns>.counters, for its owner only, with the
 * memory's present contents, allocated in full, and maps it in the memory's place. Returns 0, or
 * the error number: then there is no file and the memory is as it was.
 */
int backing_make_file(struct backing *backing, int64_t pid, int64_t start_ns,
                      const struct backing_memory *memory);

#endif
