/* report.h - the reports of `gpushim report`: text, JSON, a page, and the advice in all of them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_REPORT_REPORT_H
#define GPUSHIM_CLI_REPORT_REPORT_H

#include "cli/common/emit.h"
#include "cli/common/prediction.h"
#include "cli/log/log_sum.h"
#include "policy/machine/machine.h"

/*
 * Writes the report between emit_begin and emit_end. The log was read to its end, and log_sum_end
 * was called. advice: as report_advice_find has it.
 */
void report_print(struct emit *emit, const struct log *log, const struct log_sum *sum,
                  const char *advice);

/* Writes what only the JSON has: files, cells, symbols, callers, processes and the timeline. */
void report_json_put(struct json *json, const struct log *log, const struct log_sum *sum);

enum { REPORT_ADVICE_BYTES = 512 };

/* One sentence without a full stop. start_ns: of CUDA, in each process. */
void report_advice_find(const struct log_sum *sum, double start_ns, char out[REPORT_ADVICE_BYTES]);

/*
 * Stores the page at path; log_sum_end was called. prediction: NULL where nothing is predicted.
 * machine: a complete profile for the curves without transfers, or NULL. false after a message; an
 * old file is kept then.
 */
bool report_page_write(const struct log_sum *sum, const struct prediction *prediction,
                       const char *advice, const struct machine *machine, const char *path);

#endif
