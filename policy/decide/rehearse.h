/* rehearse.h - what the engine's own plan of a call takes, on a device that has nothing else to do; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_REHEARSE_H
#define GPUSHIM_POLICY_DECIDE_REHEARSE_H

#include "policy/call/call.h"
#include "policy/machine/machine.h"

/*
 * Nanoseconds beside the machine's call_fixed_ns, which is complete: of a level-3 call its plan,
 * timed on two links and a device, of transforms their groups. cost_predict has a formula for the
 * same, since it must not take long; a plan takes microseconds to milliseconds, and memory.
 * HUGE_VAL where it does not fit, -1 where the engine plans nothing: a batch, a machine without a
 * rate.
 */
double rehearse_call(const struct machine *machine, const struct call *call);

#endif
