/* counters_read.h - the counters of a program's processes, gathered from a folder */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_COUNTERS_READ_H
#define GPUSHIM_CLI_PROCESS_COUNTERS_READ_H

#include <stddef.h>
#include <stdint.h>

#include "shim/record/counters.h"

/* files: copies, the oldest first. refused: files that were there and could not be read. */
struct counters_read {
	const struct counters_file **files;
	size_t count, refused;
};

/*
 * A private folder for a run: in $XDG_RUNTIME_DIR, else /dev/shm, else /tmp. To be freed; NULL
 * after a sentence.
 */
char *counters_read_make_folder(void);

/* Removes the folder with all files in it, and frees the name. */
void counters_read_remove_folder(char *folder);

/*
 * Adds the files of processes that started at since_ns (CLOCK_REALTIME) or later. One sentence for
 * each that is cut short or of another version.
 */
void counters_read_read(struct counters_read *harvest, const char *folder, int64_t since_ns);
void counters_read_free(struct counters_read *harvest);

/*
 * Calls that computed, of this reason, and all of them; what the gate sent on stands under the
 * file's own reason.
 */
uint64_t counters_read_count_reason(const struct counters_read *harvest, enum reason reason);
uint64_t counters_read_count_calls(const struct counters_read *harvest);

/* Timed calls of this reason: what they took together. */
uint64_t counters_read_sum_elapsed(const struct counters_read *harvest, enum reason reason);

#endif
