/* route_plans.h - FFTW calls other than executions: planning, releasing, queries; and lazy plans */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_PLANS_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_PLANS_H

#include "shim/base/fp_environment.h"
#include "shim/describe/describe_fftw.h"
#include "shim/record/record.h"
#include "shim/route/visit.h"

/*
 * One such call; lives on the entry's stack. code: the real routine, NULL where no library has it.
 * nested: a library makes this call inside another one that was forwarded; it is forwarded too, not
 * counted. locked: it holds FFTW's planner lock.
 */
struct fftw_visit {
	void *code;
	int symbol;
	bool nested, locked;
};

/*
 * Before and after the real routine. frame is an address in the entry's frame. With fftw_planning =
 * lazy or share_cpu only one thread at a time is between the two with a call that concerns FFTW's
 * planner.
 */
void route_plans_begin_call(struct fftw_visit *visit, int symbol, const void *caller,
                            const void *frame);
void route_plans_end_call(const struct fftw_visit *visit);

/*
 * A planner's call. begin_plan returns the request, which the entry fills, or NULL in a nested
 * call; choose_flags returns the flags to plan with, once the request is filled; end_plan keeps the
 * request under the plan. lazy: flags were reduced to FFTW_ESTIMATE (fftw_planning = lazy).
 */
struct plan_visit {
	struct fftw_visit fftw;
	struct fp_environment program; /* from begin_plan to choose_flags */
	struct fft_request request;
	bool lazy;
	int f77_flags;
};
struct fft_request *route_plans_begin_plan(struct plan_visit *visit, int symbol, const void *caller,
                                           const void *frame);
unsigned route_plans_choose_flags(struct plan_visit *visit);
const int *route_plans_choose_f77_flags(struct plan_visit *visit);
void *route_plans_end_plan(const struct plan_visit *visit, void *plan);

/*
 * Describes an execution from what is kept of the plan. in and out are NULL where the plan's own
 * arrays are used. split: the arrays are of real and of imaginary parts, whatever the plan was made
 * for.
 */
void route_plans_describe_execution(struct visit *visit, void *plan, void *in, void *out,
                                    bool split);

/* Fills all of the tick of a timed execution but its times. */
void route_plans_describe_tick(struct record_tick *tick, int symbol, const void *plan);

/* The program set the planner's number of threads for this precision. */
void route_plans_note_threads(const struct fftw_visit *visit, int threads);

/* The program's own loop executes FFTW's threads from now on; false: none does. */
void route_plans_note_callback(const struct fftw_visit *visit, bool set);

/* Forgets one plan, or all of a precision, before they are destroyed. */
void route_plans_release(const struct fftw_visit *visit, const void *plan);
void route_plans_release_all(const struct fftw_visit *visit);

/*
 * Executes on the CPU where the plan was made lazily: runs the plan with the flags asked for, which
 * it makes after some runs. False, with nothing done, where the program's own plan has to run.
 */
bool route_plans_run_better(const struct visit *visit);

#endif
