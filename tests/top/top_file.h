/* top_file.h - files of counters as this version of the shim makes them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_TOP_TOP_FILE_H
#define GPUSHIM_TESTS_TOP_TOP_FILE_H

#include <stdio.h>
#include <string.h>

#include "shim/record/counters.h"

/* The head of the file of a process that has not counted anything. */
static inline void top_file_start(struct counters_file *file, int64_t pid, int64_t start_ns,
                                  const char *program)
{
	memset((void *)file, 0, sizeof *file);
	memcpy(file->magic, "gpushim", sizeof file->magic);
	file->version = COUNTERS_VERSION;
	file->symbols = SYMBOL_COUNT;
	file->reasons = REASON_COUNT;
	file->slots = COUNTERS_SLOTS;
	file->pid = pid;
	file->start_realtime_ns = start_ns;
	snprintf(file->program, sizeof file->program, "%s", program);
}

#endif
