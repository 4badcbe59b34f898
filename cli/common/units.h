/* units.h - the numbers of reports as people read them: policy/text/human.h, and real numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_UNITS_H
#define GPUSHIM_CLI_COMMON_UNITS_H

#include "policy/text/human.h"

/* Each writes a terminated text with three significant digits. A time below 0 is "unknown". */
void units_time(double time_ns, char out[HUMAN_BYTES]);                    /* 1.23 ms, 4.00 days */
void units_ratio(double ratio, char out[HUMAN_BYTES]);                     /* 0.031, 1.96, 1,234 */
void units_amount(double amount, const char *unit, char out[HUMAN_BYTES]); /* 60.6 Tflop/s */
void units_compact(double amount, char out[HUMAN_BYTES]); /* 0, 0.25, 12.3k, 456M */

/* part of whole as human_format_share has it, for numbers of any size; 0 % where whole is 0. */
void units_share(double part, double whole, char out[HUMAN_BYTES]);

#endif
