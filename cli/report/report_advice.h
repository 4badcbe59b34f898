/* report_advice.h - the first thing to change, by the sums of a log */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_REPORT_REPORT_ADVICE_H
#define GPUSHIM_CLI_REPORT_REPORT_ADVICE_H

#include "cli/log/log_sum.h"

enum { REPORT_ADVICE_BYTES = 512 };

/* One sentence without a full stop. */
void report_advice_find(const struct log_sum *sum, char out[REPORT_ADVICE_BYTES]);

#endif
