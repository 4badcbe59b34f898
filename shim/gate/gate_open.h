/* gate_open.h - the least workload that takes the route, and the gates that forward without it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_GATE_GATE_OPEN_H
#define GPUSHIM_SHIM_GATE_GATE_OPEN_H

#include "shim/gate/gate.h"

/*
 * The least workload, in bytes, of a call that is worth a decision, for a CPU library with this
 * many threads; UINT64_MAX: none is.
 */
typedef uint64_t gate_open_finder(enum family family, enum element element, int threads);

/*
 * Finds the least workload of every routine, for the most threads that the CPU has. times_calls:
 * every call is timed (log level call). Call once, before all others here.
 */
void gate_open_configure(gate_open_finder *find_bytes, bool times_calls);

/* The least workload in bytes that takes the route. From any thread. */
uint64_t gate_open_bytes(enum family family, enum element element);

/* Whether every call is timed. */
bool gate_open_times_calls(void);

/*
 * Counts a call that the gate did not count, in the calling thread's row of counters; the first
 * such call claims the row. Keeps errno.
 */
void gate_open_count(int symbol);

/* Lowers the least workload if the routine's library uses only this many threads. */
void gate_open_fit(int symbol, int threads);

/* From now on the gate forwards small calls of the symbol to this routine, for all callers. */
void gate_open_symbol(int symbol, const struct cpu_routine *routine);

/* The same for calls through this binding. */
void gate_open_binding(struct gate_binding *binding);

/* The same for callers with a routine of their own; this is the routine of caller. */
void gate_open_sites(int symbol, const struct cpu_routine *routine, const void *caller);

#endif
