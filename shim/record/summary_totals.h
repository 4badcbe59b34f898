/* summary_totals.h - sentences below the table: savings, trial calls, dry run, verification */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SUMMARY_TOTALS_H
#define GPUSHIM_SHIM_RECORD_SUMMARY_TOTALS_H

#include <stddef.h>

#include "shim/record/counters.h"
#include "shim/record/text_columns.h"

/* Adds a sentence for each of these that occurred. */
void summary_totals_add(struct text_columns *columns, const struct counters_file *const files[],
                        size_t file_count);

#endif
