/* cli_report.h - prints what a comparison found */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_REPORT_H
#define GPUSHIM_CLI_CLI_REPORT_H

#include "cli/cli_trial.h"

/* Prints the whole report; the exit status of the command. */
int cli_report_print(struct cli_trial *trial);

#endif
