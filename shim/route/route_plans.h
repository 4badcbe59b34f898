/* route_plans.h - plans on their way: made, executed, released; and all else that FFTW has */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_PLANS_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_PLANS_H

#include "shim/describe/describe_fftw.h"
#include "shim/record/record.h"
#include "shim/route/visit.h"

/*
 * One call of anything but an execution; lives on the entry's stack. code is the real routine, NULL
 * where no library has it. nested: another such call was forwarded and its library makes this one,
 * which is sent on and not counted.
 */
struct fftw_visit {
	void *code;
	int symbol;
	bool nested, locked;
};

/* Around the real routine. frame is an address in the entry's frame. Where plans are made in a hurry
 * (fftw_planning = lazy), one call at a time is between the two that concerns FFTW's planner. */
void route_plans_fftw_open(struct fftw_visit *visit, int symbol, const void *caller,
                           const void *frame);
void route_plans_fftw_close(const struct fftw_visit *visit);

/*
 * Planning: route_plans_open returns the request, which the entry describes, or NULL where another
 * planner calls this one; route_plans_choose the flags to plan with, once it is described;
 * route_plans_close keeps what the plan was made for.
 */
struct plan_visit {
	struct fftw_visit fftw;
	struct fft_request request;
	bool hurried;
};
struct fft_request *route_plans_open(struct plan_visit *visit, int symbol, const void *caller,
                                     const void *frame);
unsigned route_plans_choose(struct plan_visit *visit);
void route_plans_close(const struct plan_visit *visit, void *plan);

/*
 * Executing: describes from what is kept of the plan; in and out are NULL where the plan's own
 * arrays are meant. split: the call has arrays of real and of imaginary parts, whatever the plan
 * was made for.
 */
void route_plans_describe_execute(struct visit *visit, void *plan, void *in, void *out, bool split);

/* An execution that is timed only: all of the tick but its times. */
void route_plans_describe_tick(struct record_tick *tick, int symbol, const void *plan);

/* Plans of this precision are made for so many threads from now on. */
void route_plans_note_threads(const struct fftw_visit *visit, int threads);

/* Before one plan is destroyed, or all of a precision are: forgets them. */
void route_plans_release(const struct fftw_visit *visit, const void *plan);
void route_plans_release_all(const struct fftw_visit *visit);

/*
 * The CPU's turn, where the plan was made in a hurry (fftw_planning = lazy): runs a better one that
 * was made since, or makes it. False, with nothing done, where the program's plan is the one to
 * run.
 */
bool route_plans_run_better(const struct visit *visit);

#endif
