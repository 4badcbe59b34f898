/* explain_decide.h - decides as the shim does: the gate first, then the rules; internal */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_DECIDE_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_DECIDE_H

#include "cli/common/known_machine.h"
#include "policy/decide/decide.h"

/* What decisions are taken from. */
struct explain_view {
	const struct known_machine *machine;
	const struct cost_setting *setting;
	const struct options *options;
};

/* The workload from which on the gate lets calls of this routine pass. */
uint64_t explain_decide_gate(const struct explain_view *view, const struct call *call);

/* The decision on the first call. gated: the gate forwards the call without one. */
struct decision explain_decide_first(const struct explain_view *view, const struct call *call,
                                     bool *gated);

/* The decision after calls like this one took the expected time (cost) on both sides. */
struct decision explain_decide_settled(const struct explain_view *view, const struct call *call,
                                       const struct cost *cost, bool *gated);

/* Whether options keep the call on the CPU, whatever time it takes. */
bool explain_decide_is_kept(const struct decision *decision);

#endif
