/* top_read.h - one look at a file of counters that its process goes on writing */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TOP_TOP_READ_H
#define GPUSHIM_CLI_TOP_TOP_READ_H

#include <stdint.h>

#include "shim/record/counters.h"

/* Why a file is left out. TOP_GONE: it was removed meanwhile, which is no fault. */
enum top_fault {
	TOP_FINE,
	TOP_GONE,
	TOP_NO_FILE,
	TOP_FOREIGN,
	TOP_UNREADABLE,
	TOP_SHORT,
	TOP_NO_COUNTERS,
	TOP_VERSION,
	TOP_MISNAMED,
	TOP_FAULTS
};

struct top_count {
	uint64_t calls, elapsed_ns, size_bytes;
};

/*
 * What a file said: calls that computed, by reason (those that it had no row for stand under
 * REASON_NONE), all since the process started. program: the executable's own name, printable ASCII.
 * end_ns is 0 while the process runs.
 */
struct top_sample {
	int64_t pid, start_ns, end_ns;
	uint64_t device_bytes, device_bytes_peak;
	char program[COUNTERS_PROGRAM_BYTES];
	struct top_count reason[REASON_COUNT];
};

/* Process and start out of gpushim-<pid>-<start ns>.counters; false where it is no such name. */
bool top_read_name(const char *name, int64_t *pid, int64_t *start_ns);

/*
 * Writes the sample only where it returns TOP_FINE. The file must be the user's own, and no link.
 */
enum top_fault top_read_file(int folder, const char *name, struct top_sample *sample);

/* "it is cut short". */
const char *top_read_describe(enum top_fault fault);

#endif
