/* compare_report.h - prints what a comparison found */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_COMPARE_REPORT_H
#define GPUSHIM_CLI_COMPARE_COMPARE_REPORT_H

#include "cli/compare/compare.h"

/* The whole report, the verdict first. */
void compare_report_print(const struct compare *compare);

#endif
