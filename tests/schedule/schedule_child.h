/* schedule_child.h - one call in a process of its own: what it is told, and what it reports */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CHILD_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CHILD_H

#include "tests/schedule/schedule_call.h"

/*
 * How it went: the call with its plan's order, virtual and expected time, and the bytes of the
 * plan. tried: how many orders and parameters there were to choose from, 1 where the engine chose.
 */
struct schedule_report {
	struct schedule_call call;
	double time_ns, planned_ns, up_bytes, down_bytes, tried;
};

/*
 * The process: words as schedule_call.h has them. search: tries all orders. The exit status;
 * reports on stdout.
 */
int schedule_child_main(bool search, const char *cuda_path, const char *clock_path, int count,
                        char **words);

/* What a process printed; false where it is no report. */
bool schedule_child_read(const char *text, struct schedule_report *report);

#endif
