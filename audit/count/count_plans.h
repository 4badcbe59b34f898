/* count_plans.h - the sizes of each FFTW plan, from which its executions are counted */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_PLANS_H
#define GPUSHIM_AUDIT_COUNT_COUNT_PLANS_H

#include "audit/count/count_read.h"

bool count_plans_is_planner(const struct count_name *name);

/*
 * Reads a planner's arguments: the sizes, and the flops and bytes of one execution. is_known is
 * false where the planner gets its sizes in a way that is not read.
 */
void count_plans_read(const struct count_name *name, const struct count_frame *frame,
                      struct count_reading *reading);

/* Calls the real planner with the frame's arguments, puts its result there, keeps the plan. */
void count_plans_call(const struct count_binding *binding, struct count_frame *frame,
                      const struct count_reading *reading);

/* The plan that an execution is given. */
const void *count_plans_locate(const struct count_name *name, const struct count_frame *frame);

/* What the plan was made for; false where that is not known. Any thread may call it. */
bool count_plans_find(const void *plan, struct count_reading *reading);

#endif
