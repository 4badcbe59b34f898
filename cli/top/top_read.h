/* top_read.h - reads a file of counters that its process may still write */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TOP_TOP_READ_H
#define GPUSHIM_CLI_TOP_TOP_READ_H

#include <stdint.h>

#include "shim/record/counters.h"

/* Why a file is left out. TOP_GONE: it was removed meanwhile, which is not reported. */
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

/* As in struct counters_traffic. */
struct top_traffic {
	uint64_t sent_bytes, kept_bytes;
};

/*
 * Where the counts were: in a file; in memory that exists as long as the process; in the memory of
 * a run, which outlives the process.
 */
enum top_kind { TOP_FILE, TOP_SEGMENT, TOP_CHUNK };

/*
 * The contents of a file, or of memory: calls that computed since the process began, by reason;
 * REASON_NONE: those that found the table full. program: the name of the executable in printable
 * ASCII. end_ns: 0 while the process runs. is_known: pid is a number of the tool's namespace.
 */
struct top_sample {
	enum top_kind kind;
	bool is_known;
	int64_t pid, start_ns, end_ns;
	uint64_t device_bytes, device_bytes_peak;
	struct top_traffic traffic;
	char program[COUNTERS_PROGRAM_BYTES];
	struct top_count reason[REASON_COUNT];
};

/*
 * Reads process and start from gpushim-<pid>-<start ns>.counters. false where the name has another
 * form.
 */
bool top_read_name(const char *name, int64_t *pid, int64_t *start_ns);

/*
 * Reads a file, which must belong to the user and must not be a link. The sample is written only on
 * TOP_FINE.
 */
enum top_fault top_read_file(int folder, const char *name, struct top_sample *sample);

/* Checks the first page, and takes the counts of a whole one. */
enum top_fault top_read_check_head(const struct counters_file *file);
void top_read_counters(const struct counters_file *file, enum top_kind kind,
                       struct top_sample *sample);

/* The fault as a clause: "it is cut short". */
const char *top_read_describe(enum top_fault fault);

#endif
