/* state.h - the state of the shim in this process, made at the first intercepted call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_STATE_H
#define GPUSHIM_SHIM_ROUTE_STATE_H

#include "policy/options/options.h"

/* Never changes once state_get returned. */
struct shim_state {
	struct options options;
	bool program_excluded; /* by the options only and except */
	/* Nothing but forwarding is done: privilege.h and libc_find.h tell why. */
	bool forwards_only;
	/* Neither log, summary nor counters tell the time of calls. */
	bool untimed;
};

/*
 * Reads the options and opens counters, log and trace at the first call, unless the program's
 * rights are raised; later calls cost one load. From any thread. Keeps errno.
 */
const struct shim_state *state_get(void);

#endif
