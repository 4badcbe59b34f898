/* entry.h - what all entry files need */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ENTRY_ENTRY_H
#define GPUSHIM_SHIM_ENTRY_ENTRY_H

#include "shim/base/clock.h"
#include "shim/gate/gate.h"
#include "shim/record/record.h"

#define ENTRY_EXPORT __attribute__((visibility("default")))
#define ENTRY_SLOW __attribute__((noinline, cold))
#define ENTRY_TIMED __attribute__((always_inline)) inline
#define ENTRY_LONG __attribute__((noinline, used, visibility("hidden")))
#define ENTRY_NAKED                                                                                \
	__attribute__((naked, no_sanitize("address", "thread", "undefined"),                       \
	               no_profile_instrument_function))
#define ENTRY_NAMED __attribute__((used)) /* by assembler code */
#define ENTRY_CALLER() __builtin_return_address(0)
#define ENTRY_FRAME() __builtin_frame_address(0)

/* A data pointer cast to a function type, which ISO C does not have. */
#define ENTRY_CODE(type, address) (__extension__(type)(address))

/* A tick of the symbol of this number, with these three sizes. */
#define TICK_OF(number, ...)                                                                       \
	{                                                                                          \
		.symbol = (number), .sizes = { __VA_ARGS__ }                                       \
	}

/* Runs the call between two readings of the time stamp counter and records the tick. */
#define TICK(tick, call)                                                                           \
	do {                                                                                       \
		(tick)->tsc_begin = clock_ticks();                                                 \
		call;                                                                              \
		(tick)->tsc_end = clock_ticks();                                                   \
		record_tick(tick);                                                                 \
	} while (0)

#endif
