/* cli_report.h - what logs tell, for people and for programs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_REPORT_H
#define GPUSHIM_CLI_CLI_REPORT_H

#include "cli/cli_log_sum.h"

/* Each prints the report of logs that were read to their end, and whose sums were ended, to stdout. */
void cli_report_print(const struct cli_log_sum *sum);
void cli_report_print_json(const struct cli_log *log, const struct cli_log_sum *sum);

#endif
