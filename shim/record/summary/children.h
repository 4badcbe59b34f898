/* children.h - calls of processes that were forked after CUDA had started */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SUMMARY_CHILDREN_H
#define GPUSHIM_SHIM_RECORD_SUMMARY_CHILDREN_H

#include <stdbool.h>

#include "shim/record/counters.h"
#include "shim/record/summary/text_columns.h"

/*
 * Such children have calls with the reason forked, and most of them end without a summary. A page
 * that they share with their parent has their number and that of their calls. Made before the first
 * such fork; without memory for it the children are not counted.
 */
void children_prepare(void);

/* In the child; at the end of each call. */
void children_after_fork_child(void);
void children_note(enum reason reason);

/*
 * What the summary of these processes says of calls with the reason forked, and what helps; false
 * if there are none. The summary of a single process, printed by itself, has its children's too.
 */
bool children_describe(const struct counters_file *const files[], size_t count,
                       struct text_columns_line *line);

#endif
