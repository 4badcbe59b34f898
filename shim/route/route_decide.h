/* route_decide.h - decides on a call from the profile, the measured times and the GPU's state */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_DECIDE_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_DECIDE_H

#include "policy/decide/decide.h"
#include "shim/route/visit.h"

/*
 * Reads the machine's profile. The options must live as long as the process. Call once, before all
 * others here.
 */
void route_decide_open(const struct options *options);

/* decide_gate_bytes with the present machine and measured times. */
uint64_t route_decide_find_gate(const struct situation *situation, enum family family,
                                enum element element);

/* Fills visit->decision of a described call, and starts CUDA if the decision says so. */
void route_decide_call(struct visit *visit, bool program_excluded);

/*
 * Whether transforms of a plan that is being made would run on the GPU sooner or later. code: the
 * library's planner. Starts CUDA where that pays; learns nothing.
 */
bool route_decide_expects_gpu(const struct call *call, const void *code, int threads,
                              bool program_excluded);

/*
 * After a call that stayed on the CPU because CUDA was starting: if the start has failed since, the
 * decision gets the reason of that.
 */
void route_decide_settle(struct visit *visit);

/* Updates the measured times by a call that took elapsed_ns. */
void route_decide_learn(const struct visit *visit, int64_t elapsed_ns);

#endif
