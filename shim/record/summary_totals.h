/* summary_totals.h - what deciding by time came to, below the table of calls */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SUMMARY_TOTALS_H
#define GPUSHIM_SHIM_RECORD_SUMMARY_TOTALS_H

#include <stddef.h>

#include "shim/record/counters.h"
#include "shim/record/text_columns.h"

/*
 * A sentence for each thing that occurred: calls the GPU gained, looks, a dry run's prospects,
 * verified calls.
 */
void summary_totals_add(struct text_columns *text_columns,
                        const struct counters_file *const files[], size_t file_count);

#endif
