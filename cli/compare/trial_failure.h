/* trial_failure.h - whether the shim makes a program fail, or the program fails by itself */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_TRIAL_FAILURE_H
#define GPUSHIM_CLI_COMPARE_TRIAL_FAILURE_H

#include "cli/compare/trial_runs.h"

/*
 * To be called after the first run that failed, of side index. Where that was one with the shim,
 * the program runs up to three times more without and with it. Sets trial->stopped to what was
 * found. Returns TOOL_DIFFERENT if runs failed with the shim only, else TOOL_FAILED; or what
 * prevented the runs, as trial_launch_side has it.
 */
int trial_failure_examine(struct trial_runs *trial, size_t index,
                          const struct child_outcome *outcome);

#endif
