/* cli_trial_bar.h - how far the runs are, and what they come to so far, on a terminal */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_TRIAL_BAR_H
#define GPUSHIM_CLI_CLI_TRIAL_BAR_H

#include <stdint.h>

struct cli_trial;

/* A line with a bar; nothing where stderr is no terminal. */
void cli_trial_bar_draw(const struct cli_trial *trial, int64_t start_ns);

#endif
