/* report.h - the report of `gpushim report` */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_REPORT_REPORT_H
#define GPUSHIM_CLI_REPORT_REPORT_H

#include "cli/common/emit.h"
#include "cli/log/log_sum.h"

/*
 * Writes the report between emit_begin and emit_end. The log was read to its end, and log_sum_end
 * was called.
 */
void report_print(struct emit *emit, const struct log *log, const struct log_sum *sum);

/* Writes what only the JSON has: files, cells, symbols, callers, processes and the timeline. */
void report_json_put(struct json *json, const struct log *log, const struct log_sum *sum);

#endif
