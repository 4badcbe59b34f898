/* cli_top_read.h - one look at a file of counters that its process goes on writing */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_TOP_READ_H
#define GPUSHIM_CLI_CLI_TOP_READ_H

#include <stdint.h>

#include "shim/record/counters.h"

/* Why a file is left out. CLI_TOP_GONE: it was removed meanwhile, which is no fault. */
enum cli_top_fault {
	CLI_TOP_FINE,
	CLI_TOP_GONE,
	CLI_TOP_NO_FILE,
	CLI_TOP_FOREIGN,
	CLI_TOP_UNREADABLE,
	CLI_TOP_SHORT,
	CLI_TOP_NO_COUNTERS,
	CLI_TOP_VERSION,
	CLI_TOP_MISNAMED,
	CLI_TOP_FAULTS
};

struct cli_top_count {
	uint64_t calls, elapsed_ns, size_bytes;
};

/*
 * What a file said: calls that computed, by reason (those that it had no row for stand under REASON_NONE), all since
 * the process started. program: the executable's own name, printable ASCII. end_ns is 0 while the process runs.
 */
struct cli_top_sample {
	int64_t pid, start_ns, end_ns;
	uint64_t device_bytes, device_bytes_peak;
	char program[COUNTERS_PROGRAM_BYTES];
	struct cli_top_count reason[REASON_COUNT];
};

/* Process and start out of gpushim-<pid>-<start ns>.counters; false where it is no such name. */
bool cli_top_read_name(const char *name, int64_t *pid, int64_t *start_ns);

/* Writes the sample only where it returns CLI_TOP_FINE. The file must be the user's own, and no link. */
enum cli_top_fault cli_top_read_file(int folder, const char *name, struct cli_top_sample *sample);

/* "it is cut short". */
const char *cli_top_read_describe(enum cli_top_fault fault);

#endif
