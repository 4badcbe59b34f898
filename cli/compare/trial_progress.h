/* trial_progress.h - how far the runs are, and what they come to so far, on a terminal */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_TRIAL_PROGRESS_H
#define GPUSHIM_CLI_COMPARE_TRIAL_PROGRESS_H

#include <stdint.h>

struct trial_runs;

/* A line with a bar; nothing where stderr is no terminal. */
void trial_progress_draw(const struct trial_runs *trial, int64_t start_ns);

#endif
