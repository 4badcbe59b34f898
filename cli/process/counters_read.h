/* counters_read.h - counts that other processes wrote: checked, added up; stale files removed */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_COUNTERS_READ_H
#define GPUSHIM_CLI_PROCESS_COUNTERS_READ_H

#include <stddef.h>
#include <stdint.h>

#include "shim/record/counters.h"
#include "shim/record/pool.h"

/*
 * files: copies in memory, the oldest process first. refused: files that could not be used.
 * present: a bit for each rank that ended without a call, of a launch of so many ranks; NULL where
 * there is none.
 */
struct counters_read {
	const struct counters_file **files;
	size_t count, refused;
	uint64_t *present;
	uint32_t ranks;
};

/* Adds a rank that made no call. */
void counters_read_add_rank(struct counters_read *counters, uint64_t rank, uint64_t ranks);

/*
 * Makes a folder for the counters of a run, in $XDG_RUNTIME_DIR, else /dev/shm, else /tmp. Returns
 * its path, to be freed with counters_read_remove_folder; NULL after a message.
 */
char *counters_read_make_folder(void);

/* Removes the folder with all files in it, and frees the name. */
void counters_read_remove_folder(char *folder);

/*
 * Adds the files of processes that started at since_ns (CLOCK_REALTIME) or later. One message for
 * each file that cannot be opened, is too short or is of another version.
 */
void counters_read_folder(struct counters_read *counters, const char *folder, int64_t since_ns);
void counters_read_free(struct counters_read *counters);

/* Memory for counts, full of zeros, to be handed to counters_read_take. */
struct counters_file *counters_read_new_file(void);

/*
 * Adds the counts, or frees them: after a message where they are of another version, silently where
 * their process started before since_ns. got: bytes that were read. name: for the message.
 */
void counters_read_take(struct counters_read *counters, struct counters_file *file, size_t got,
                        const char *name, int64_t since_ns);

/* The oldest process first. */
void counters_read_sort(struct counters_read *counters);

/*
 * How many calls that compute were decided for this reason, and for any. Calls that a gate
 * forwarded count under the reason of their routine.
 */
uint64_t counters_read_count_reason(const struct counters_read *counters, enum reason reason);
uint64_t counters_read_count_calls(const struct counters_read *counters);

/* The total time of the calls with this reason that were timed. */
uint64_t counters_read_sum_elapsed(const struct counters_read *counters, enum reason reason);

/* Reads up to size bytes; returns how many there were. */
size_t counters_read_bytes(int fd, void *into, size_t size);

/*
 * Removes the user's files of counters, and folders of the tool's runs, whose process no longer
 * exists. Returns how many.
 */
size_t counters_read_sweep(const char *folder);

#endif
