/* count_plans.h - what each FFTW plan was asked for, so that its executions can be counted by their work */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_PLANS_H
#define GPUSHIM_AUDIT_COUNT_COUNT_PLANS_H

#include "audit/count/count_read.h"

bool count_plans_is_planner(const struct count_name *name);

/* A planner's arguments: sizes, and flops and bytes of one execution; is_known is false where it has a form of its own.
 */
void count_plans_read(const struct count_name *name, const struct count_frame *frame,
                      struct count_reading *reading);

/*
 * Calls the real planner with the frame's arguments, leaves its result there, and remembers the
 * plan.
 */
void count_plans_call(const struct count_binding *binding, struct count_frame *frame,
                      const struct count_reading *reading);

/* The plan that an execute is given. */
const void *count_plans_locate(const struct count_name *name, const struct count_frame *frame);

/* What a plan was made for; false where that is not known. Threads may call it. */
bool count_plans_find(const void *plan, struct count_reading *reading);

#endif
