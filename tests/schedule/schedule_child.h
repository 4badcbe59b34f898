/* schedule_child.h - one call in a process of its own: its arguments and its report */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CHILD_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CHILD_H

#include "tests/schedule/schedule_call.h"

/*
 * The result of a run: the call with its plan's order, virtual and predicted time, and the bytes of
 * the plan. tried: number of choices of order and parameters that were run; 1 where the engine
 * chose.
 */
struct schedule_report {
	struct schedule_call call;
	double time_ns, planned_ns, up_bytes, down_bytes, tried;
};

/*
 * The main function of the process: words as in schedule_call.h. search: tries all orders. Returns
 * the exit status; the report goes to stdout.
 */
int schedule_child_main(bool search, const char *cuda_path, const char *clock_path, int count,
                        char **words);

/* Reads the output of a process. false where it is no report. */
bool schedule_child_read(const char *text, struct schedule_report *report);

#endif
