/* totals.h - the counts of a process as lines of its log */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TOTALS_H
#define GPUSHIM_SHIM_RECORD_TOTALS_H

#include "shim/record/counters.h"

/*
 * Appends a line for each pair of a routine that computes and a reason with calls in the file: how
 * many, with the sums of their times and operands. At exit.
 */
void totals_write(const struct counters_file *file);

#endif
