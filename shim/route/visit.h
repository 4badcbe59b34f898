/* visit.h - one intercepted call on its way along the route: data, filled stage by stage */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_VISIT_H
#define GPUSHIM_SHIM_ROUTE_VISIT_H

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

#endif
