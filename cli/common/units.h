/* units.h - times, rates and ratios as people read them, from the model's numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_UNITS_H
#define GPUSHIM_CLI_COMMON_UNITS_H

#include "policy/text/human.h"

/* Each writes a terminated text. Times below 0 are unknown. */
void units_time(double time_ns, char out[HUMAN_BYTES]);
void units_ratio(double ratio, char out[HUMAN_BYTES]);                     /* 0.031, 1.96, 1,234 */
void units_amount(double amount, const char *unit, char out[HUMAN_BYTES]); /* 60.6 Tflop/s */

#endif
