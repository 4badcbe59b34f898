/* gate_open.h - from which workload on a call takes the route, and which gates forward by themselves */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_GATE_GATE_OPEN_H
#define GPUSHIM_SHIM_GATE_GATE_OPEN_H

#include "shim/gate/gate.h"

/*
 * The least workload, in bytes, of a call that is worth a decision, where the CPU library uses so
 * many threads; UINT64_MAX: no call is. gpu_is_off: the GPU will take no call any more.
 */
typedef uint64_t gate_open_finder(enum family family, enum element element, int threads,
                                  bool gpu_is_off);

/*
 * Finds the least workload of every routine, for the most threads that the CPU has. times_calls:
 * every call is timed (log level call). Call once, before anything else here.
 */
void gate_open_configure(gate_open_finder *find_bytes, bool times_calls);

/* The least workload in bytes that takes the route. From any thread. */
uint64_t gate_open_bytes(enum family family, enum element element);

/* Whether every call is timed. */
bool gate_open_times_calls(void);

/*
 * The GPU is off, for good: the gates are raised, because calls that only expected times would let
 * pass need no decision any more. From any thread; the first call does it.
 */
void gate_open_raise(void);

/*
 * Counts a call that the gate did not count, in the calling thread's row of counters, which the
 * first such call claims. Keeps errno.
 */
void gate_open_count(int symbol);

/* The routine's library uses so many threads: with fewer, smaller calls are worth a decision. */
void gate_open_fit(int symbol, int threads);

/* From now on the gate forwards small calls of the symbol to the routine, which serves every caller. */
void gate_open_symbol(int symbol, const struct cpu_routine *routine);

/* The same for calls through this binding. */
void gate_open_binding(struct gate_binding *binding);

/* The same for callers with a routine of their own; the routine is this caller's. */
void gate_open_sites(int symbol, const struct cpu_routine *routine, const void *caller);

#endif
