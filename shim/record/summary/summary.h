/* summary.h - the summary: a table of calls, printed at exit */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SUMMARY_SUMMARY_H
#define GPUSHIM_SHIM_RECORD_SUMMARY_SUMMARY_H

#include <stddef.h>

#include "policy/options/options.h"
#include "policy/text/rank_count.h"
#include "shim/record/counters.h"

/*
 * Formats the summary of one process, or of several added up, into out (of size bytes, cut at a
 * line end, always terminated) and returns the length. One row per pair of symbol and reason that
 * occurred: symbol, target, reason, calls, time, workload; then the sentence of each reason, and
 * the totals. No malloc, no stdio.
 */
size_t summary_format(const struct counters_file *const files[], size_t file_count, char *out,
                      size_t size);

/* The same of a job of several ranks, whose number is in its first line. */
size_t summary_format_job(const struct counters_file *const files[], size_t file_count,
                          const struct rank_count *ranks, char *out, size_t size);

/* At exit: prints the summary of this process to options->summary (stderr, or a file, appended). */
void summary_print(const struct options *options);

#endif
