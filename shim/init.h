/* init.h - the state that is made at the first intercepted call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_INIT_H
#define GPUSHIM_SHIM_INIT_H

#include <stdint.h>

#include "policy/decide.h"
#include "policy/machine.h"
#include "policy/options.h"
#include "shim/gate.h"

/* Never changes once init_shim returned. machine is NULL where no profile is configured. */
struct shim_state {
	struct options options;
	const struct machine *machine;
	bool program_excluded;
	uint64_t gate_bytes[FAMILY_COUNT][ELEMENT_COUNT]; /* as decide_gate_bytes says */
	bool times_every_call;
};

/* Reads the options and opens counters and log, once; later calls cost a load. */
const struct shim_state *init_shim(void);

/* The calling thread's row of counters, for a call that the gate did not count. */
void init_count(int symbol);

/* Lets the gate forward this symbol by itself from now on: to the routine, which serves every caller. */
void init_open_gate(int symbol, const struct cpu_routine *routine);

/* The same for calls through this binding. */
void init_open_binding(struct gate_binding *binding);

/* The same for the callers whose own routine is known, of whom this one is. */
void init_open_sites(int symbol, const struct cpu_routine *routine, const void *caller);

#endif
