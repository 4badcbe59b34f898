/* trial_confirm.h - more runs without the shim where those with it seem to be different */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_TRIAL_CONFIRM_H
#define GPUSHIM_CLI_COMPARE_TRIAL_CONFIRM_H

#include "cli/compare/trial_runs.h"

/*
 * To be called after the last round. Where some runs with the shim ended with a status, or some
 * output has a line, that those without the shim did not have, a few more runs without it show
 * whether the program does so by itself. Returns TOOL_FINE, or what prevented the runs.
 */
int trial_confirm_all(struct trial_runs *trial);

#endif
