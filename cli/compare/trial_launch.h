/* trial_launch.h - one run of the program, with its output checked */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_TRIAL_LAUNCH_H
#define GPUSHIM_CLI_COMPARE_TRIAL_LAUNCH_H

#include "cli/compare/trial_runs.h"

/*
 * Runs one side once, and checks status and output. loud: the program's stderr is the tool's;
 * otherwise its end is shown where the run fails with a status that the side did not have before.
 * Where an output with the shim differs and there is one output without it so far, the program runs
 * once more without it, to see whether it differs from itself. Returns a status of tool.h,
 * TOOL_FAILED where the run failed, or 128 + the signal that interrupted the tool; TOOL_NOT_RUN has
 * set stopped or printed a message.
 */
int trial_launch_side(struct trial_runs *trial, size_t index, bool loud,
                      struct child_outcome *outcome);

#endif
