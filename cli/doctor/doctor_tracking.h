/* doctor_tracking.h - tries whether the kernel tracks writes here, in a process of its own */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_DOCTOR_DOCTOR_TRACKING_H
#define GPUSHIM_CLI_DOCTOR_DOCTOR_TRACKING_H

#include <stdbool.h>

#include "cli/doctor/doctor_report.h"
#include "policy/resident/track_reason.h"
#include "policy/resident/tracking_cost.h"

/*
 * What one test of tracking found. is_killed: a filter of system calls ended the process for
 * asking. why: the reason as a clause, with the statement that failed. rates: what tracking costs
 * here, where it is possible.
 */
struct doctor_trial {
	enum track_reason reason;
	bool is_killed;
	char why[160];
	struct tracking_rates rates;
};

/* usual: as a program asks with the option's value; asked: despite a filter of system calls. */
struct doctor_tracking {
	struct doctor_trial usual, asked;
};

/* asks_despite_filter: the option's value demands it. */
struct doctor_tracking doctor_tracking_try(bool asks_despite_filter);

/* Adds whether writes are tracked here, and how long that takes; if not, why and what helps. */
void doctor_tracking_add(struct doctor_report *report, const struct doctor_tracking *tracking);
void doctor_tracking_add_times(struct doctor_report *report,
                               const struct doctor_tracking *tracking);

/* What helps against a reason. */
const char *doctor_tracking_remedy(enum track_reason reason);

#endif
