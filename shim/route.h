/* route.h - the spine: a call enters, is described, decided, executed, recorded */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_H
#define GPUSHIM_SHIM_ROUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call.h"
#include "policy/decision.h"
#include "shim/describe/describe_fftw.h"

enum visit_kind {
	VISIT_NESTED, /* the inner half of a forwarded call: sent on, not counted */
	VISIT_SMALL,  /* below the gate: counted, timed only at log level call */
	VISIT_DECIDED /* described, decided and recorded */
};

/* One call's way through the route; lives on the entry's stack. The entry reads code and wide, the rest is ours. */
struct visit {
	void *code; /* the real routine, NULL where no library has it */
	const void *caller;
	bool wide; /* its integers have 64 bits */
	bool recorded;
	enum visit_kind kind;
	int64_t start_ns, begin_ns; /* time of day, and of the steady clock */
	uint64_t begin_ticks;
	struct call call;
	struct decision decision;
};

/*
 * Begins: finds the real routine for this caller, and fills code, wide and the identity of call. frame is an address
 * in the entry's frame, operation as in gate.h (0: not nested by libraries).
 */
void route_open(struct visit *visit, int symbol, uint32_t operation, const void *caller, const void *frame);

/*
 * Decides on the described call and runs it on the GPU where that was the decision. Returns whether the entry must
 * call the real routine now; false means that the work is done.
 */
bool route_run(struct visit *visit);

/* Ends: records. The entry calls it once route_run's answer is served; an exception out of the routine skips it. */
void route_close(struct visit *visit);

/* Planning. route_plan_close keeps what the plan was made for, unless the planner was called by another planner. */
struct plan_visit {
	void *code;
	bool nested;
	int symbol;
	struct fft_request request;
};
void route_plan_open(struct plan_visit *visit, int symbol, const void *caller, const void *frame);
void route_plan_close(struct plan_visit *visit, void *plan);

/* Executing: describes from the plan's entry; in and out are NULL where the plan's own arrays are meant. */
void route_describe_execute(struct visit *visit, void *plan, void *in, void *out);

/* Destroying one plan, or cleaning up after all of a precision: forgets them, counts, returns the real routine. */
void *route_release(int symbol, const void *caller, const void *plan);
void *route_release_all(int symbol, const void *caller);

#endif
