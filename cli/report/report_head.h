/* report_head.h - whose calls these are: the programs, hosts, machines and dates of logs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_REPORT_REPORT_HEAD_H
#define GPUSHIM_CLI_REPORT_REPORT_HEAD_H

#include "cli/common/emit.h"
#include "cli/log/log_sum.h"

enum { REPORT_HEADS = 4, REPORT_HEAD_BYTES = LOG_HEAD_BYTES };

/* note: the source of a machine's figures; empty for other keys. */
struct report_head {
	char value[REPORT_HEAD_BYTES], note[REPORT_HEAD_BYTES];
	size_t processes;
};

/*
 * The values of a key that differ, with their processes. others: processes for which there is no
 * room. Returns their number; 0 where no log says it.
 */
size_t report_head_list(const struct log_sum *sum, enum log_head key,
                        struct report_head rows[REPORT_HEADS], size_t *others);

/* "2026-11-21 10:00:00 to 10:04:59 UTC", or that it is not recorded. */
void report_head_describe_date(const struct log_sum *sum, char out[REPORT_HEAD_BYTES]);

void report_head_print(struct emit *emit, const struct log_sum *sum);
void report_head_put_json(struct json *json, const struct log_sum *sum);

#endif
