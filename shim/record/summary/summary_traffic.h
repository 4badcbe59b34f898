/* summary_traffic.h - what the summary says of bytes that were sent to GPUs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SUMMARY_SUMMARY_TRAFFIC_H
#define GPUSHIM_SHIM_RECORD_SUMMARY_SUMMARY_TRAFFIC_H

#include "shim/record/counters.h"
#include "shim/record/summary/text_columns.h"

/*
 * Adds lines of the files' sums where calls sent bytes to GPUs. Where tracking is off as a whole,
 * or was in the end, one says why.
 */
void summary_traffic_add(const struct counters_file *const files[], size_t count,
                         struct text_columns *columns);

#endif
