/* log_timeline.h - when the calls of logs were, in as many moments as there is room for */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_TIMELINE_H
#define GPUSHIM_CLI_LOG_LOG_TIMELINE_H

#include "cli/log/log_sum.h"

/* When the call ended; its begin where it was not timed. */
int64_t log_timeline_end(const struct log_record *record);

/*
 * Adds a record to the timeline of the sums. Moments become longer as need be; records may come in
 * any order.
 */
void log_timeline_add(struct log_sum *sum, const struct log_record *record);

#endif
