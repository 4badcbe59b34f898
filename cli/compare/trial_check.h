/* trial_check.h - whether runs with the shim end and print as those without it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_TRIAL_CHECK_H
#define GPUSHIM_CLI_COMPARE_TRIAL_CHECK_H

#include "cli/compare/trial_runs.h"

/*
 * Checks a run of a side. The first output, from a run without the shim, is kept for the comparison
 * with all others: then output->file is -1. Returns what trial_launch_side does.
 */
int trial_check_run(struct trial_runs *trial, size_t index, const struct child_outcome *outcome,
                    struct child_output *output);

/* Whether only a second output without the shim could explain how the side's outputs differ. */
bool trial_check_wants_repeat(const struct trial_runs *trial, size_t index);

/* Whether runs of the side ended otherwise than those without the shim. */
bool trial_check_status_differs(const struct trial_runs *trial, size_t index);

/* The verdict on a side's outputs. */
struct difference_verdict trial_check_judge(const struct trial_runs *trial, size_t index);

#endif
