/* report.h - what logs tell, for people and for programs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_REPORT_REPORT_H
#define GPUSHIM_CLI_REPORT_REPORT_H

#include "cli/log/log_sum.h"

/*
 * Each prints the report of logs that were read to their end, and whose sums were ended, to stdout.
 */
void report_print(const struct log_sum *sum);
void report_print_json(const struct log *log, const struct log_sum *sum);

#endif
