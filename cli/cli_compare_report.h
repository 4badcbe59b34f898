/* cli_compare_report.h - prints what a comparison found */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_COMPARE_REPORT_H
#define GPUSHIM_CLI_CLI_COMPARE_REPORT_H

#include "cli/cli_compare.h"

/* The whole report, the verdict first. */
void cli_compare_report_print(const struct cli_compare *compare);

#endif
