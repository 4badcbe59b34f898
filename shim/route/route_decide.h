/* route_decide.h - decides on calls with all that is known: the machine, what was learnt, where the call finds itself */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_DECIDE_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_DECIDE_H

#include "policy/decide/decide.h"
#include "shim/route/visit.h"

/*
 * Reads the machine's profile. The options must outlive the process. Call once, before anything
 * else here.
 */
void route_decide_open(const struct options *options);

/* As decide_gate_bytes, with all that is known. */
uint64_t route_decide_find_gate(const struct situation *situation, enum family family,
                                enum element element);

/* Fills visit->decision of a described call, and starts CUDA where that was the decision. */
void route_decide_call(struct visit *visit, bool program_excluded);

/*
 * Whether such a transform, for which a plan is being made, would go to the GPU sooner or later;
 * code: the library's planner. Starts CUDA where that pays, but learns nothing.
 */
bool route_decide_expects_gpu(const struct call *call, const void *code, int threads,
                              bool program_excluded);

/* Learns from a call that took elapsed_ns. */
void route_decide_learn(const struct visit *visit, int64_t elapsed_ns);

#endif
