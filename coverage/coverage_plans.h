/* coverage_plans.h - what each FFTW plan was asked for, so that its executions can be counted by their work */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_COVERAGE_COVERAGE_PLANS_H
#define GPUSHIM_COVERAGE_COVERAGE_PLANS_H

#include "coverage/coverage_read.h"

bool coverage_plans_is_planner(const struct coverage_name *name);

/* A planner's arguments: sizes, and flops and bytes of one execution; is_known is false where it has a form of its own.
 */
void coverage_plans_read(const struct coverage_name *name, const struct coverage_frame *frame,
                         struct coverage_reading *reading);

/* Calls the real planner with the frame's arguments, leaves its result there, and remembers the plan. */
void coverage_plans_call(const struct coverage_binding *binding, struct coverage_frame *frame,
                         const struct coverage_reading *reading);

/* The plan that an execute is given. */
const void *coverage_plans_locate(const struct coverage_name *name, const struct coverage_frame *frame);

/* What a plan was made for; false where that is not known. Threads may call it. */
bool coverage_plans_find(const void *plan, struct coverage_reading *reading);

#endif
