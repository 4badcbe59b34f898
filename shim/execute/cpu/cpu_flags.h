/* cpu_flags.h - the floating-point flags that the CPU library would have raised */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_FLAGS_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_FLAGS_H

#include "policy/call/call.h"

/*
 * After a call on the GPU with a result that is infinite or not a number, in the default
 * environment: which of FP_INVALID, FP_ZERO and FP_OVERFLOW the CPU would have raised. Where no
 * operand is lost the CPU library computes some of these elements again, into memory of the shim's,
 * so that a number that was only handed on raises nothing. Otherwise (trmm, trsm, transforms) it is
 * concluded from what the operands and results hold. Of batches nothing is known.
 */
unsigned cpu_flags_find(const struct call *call, const void *caller);

#endif
