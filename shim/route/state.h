/* state.h - the state that is made at the first intercepted call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_STATE_H
#define GPUSHIM_SHIM_ROUTE_STATE_H

#include <stdint.h>

#include "policy/decide/decide.h"
#include "policy/options/options.h"
#include "shim/gate/gate.h"

/* Never changes once state_get returned, but for gate_bytes. */
struct shim_state {
	struct options options;
	bool program_excluded;
	_Atomic uint64_t
		gate_bytes[FAMILY_COUNT][ELEMENT_COUNT]; /* as route_decide_find_gate says */
	bool times_every_call;
};

/* Reads the options and opens counters and log, once; later calls cost a load. */
const struct shim_state *state_get(void);

/*
 * The GPU is off, for good: calls that only expected times would let pass need no decision any
 * more.
 */
void gate_open_raise(void);

/* The calling thread's row of counters, for a call that the gate did not count. */
void gate_open_count(int symbol);

/* The routine's library uses so many threads: with fewer, smaller calls are worth a decision. */
void gate_open_fit(int symbol, int threads);

/*
 * Lets the gate forward this symbol by itself from now on: to the routine, which serves every
 * caller.
 */
void gate_open_symbol(int symbol, const struct cpu_routine *routine);

/* The same for calls through this binding. */
void gate_open_binding(struct gate_binding *binding);

/* The same for the callers whose own routine is known, of whom this one is. */
void gate_open_sites(int symbol, const struct cpu_routine *routine, const void *caller);

#endif
