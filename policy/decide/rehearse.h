/* rehearse.h - the time of the plan that the engine would make for a call; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_REHEARSE_H
#define GPUSHIM_POLICY_DECIDE_REHEARSE_H

#include "policy/call/call.h"
#include "policy/machine/machine.h"

/*
 * The time in nanoseconds without call_fixed_ns of the machine, which must be complete: for a
 * level-3 call the time of its plan on two links and a device, for transforms that of their groups,
 * for LU, Cholesky and their solvers that of the plan or of in, solve, out, whichever is less;
 * of what exceeds memory_bytes, the device's memory, that of the plan with so much (0: not known).
 * cost_predict has a formula for the same time because it must be fast; making a plan takes
 * microseconds to milliseconds, and memory. HUGE_VAL if the plan does not fit; -1 where the engine
 * makes no plan: a batch, other routines of LAPACK, or a machine without a rate.
 */
double rehearse_call(const struct machine *machine, const struct call *call, double memory_bytes);

/*
 * The expected time of a call on the GPU: by its plan where it has one and takes a moment to plan,
 * else formula_ns, which cost_predict gives. Negative stays.
 */
double rehearse_expect(const struct machine *machine, const struct call *call, double memory_bytes,
                       double formula_ns);

/* Whether the engine would overlap the copies of a call of LAPACK with its work. */
bool rehearse_overlaps(const struct machine *machine, const struct call *call);

/* Whether it would compute it in parts, because the operands exceed the memory (0: not known). */
bool rehearse_streams(const struct call *call, double memory_bytes);

#endif
