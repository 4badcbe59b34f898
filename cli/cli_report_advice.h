/* cli_report_advice.h - the first thing to change, as the numbers of a log have it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_REPORT_ADVICE_H
#define GPUSHIM_CLI_CLI_REPORT_ADVICE_H

#include "cli/cli_log_sum.h"

enum { CLI_REPORT_ADVICE_BYTES = 512 };

/* One sentence without an end. */
void cli_report_advice_find(const struct cli_log_sum *sum, char out[CLI_REPORT_ADVICE_BYTES]);

#endif
