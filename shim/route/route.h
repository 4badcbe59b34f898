/* route.h - the spine: a call enters, is described, decided, executed, recorded */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "policy/call/decision.h"

enum visit_kind {
	VISIT_NESTED, /* the inner half of a forwarded call: sent on, not counted */
	VISIT_SMALL,  /* below the gate: counted, timed only at log level call */
	VISIT_DECIDED /* described, decided and recorded */
};

/*
 * One call's way through the route; lives on the entry's stack. The entry reads code and wide, the
 * rest is ours.
 */
struct visit {
	void *code; /* the real routine, NULL where no library has it */
	const void *caller;
	bool wide; /* its integers have 64 bits */
	bool recorded;
	bool small;      /* of a transform: its plan is known to be so, or was told of before */
	bool unsized;    /* nothing is known of its size: it is not small */
	bool pays_setup; /* something is made before it that later calls of its kind use too */
	enum visit_kind kind;
	int64_t start_ns, begin_ns; /* time of day, and of the steady clock */
	int64_t verify_ns;          /* of the time since, what verification took */
	uint64_t begin_ticks;
	struct call call;
	struct decision decision;
};

/*
 * Begins: finds the real routine for this caller, and fills code, wide and the identity of call.
 * frame is an address in the entry's frame, operation as in gate.h (0: not nested by libraries).
 */
void route_open(struct visit *visit, int symbol, uint32_t operation, const void *caller,
                const void *frame);

/*
 * Decides on the described call and runs it on the GPU where that was the decision. Returns whether
 * the entry must call the real routine now; false means that the work is done.
 */
bool route_run(struct visit *visit);

/*
 * The CPU's turn, where the plan was made in a hurry (fftw_planning = lazy): runs a better one that
 * was made since, or makes it. False, with nothing done, where the program's plan is the one to
 * run.
 */
bool route_run_better(const struct visit *visit);

/*
 * Ends: records. The entry calls it once route_run's answer is served; an exception out of the
 * routine skips it.
 */
void route_close(struct visit *visit);

#endif
