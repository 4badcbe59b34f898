/* entry_thunk.h - the way of a call through its gate, and past it: what BLAS and LAPACK share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ENTRY_ENTRY_THUNK_H
#define GPUSHIM_SHIM_ENTRY_ENTRY_THUNK_H

#include "shim/entry/entry.h"
#include "shim/entry/entry_jump.h"
#include "shim/gate/gate.h"
#include "shim/route/route.h"
#include "shim/table/shapes.h"

#define WIDE_PROBE false
#define WIDE_ILP64 true
#define OPERATION(family, element) GATE_OPERATION(FAMILY_##family, ELEMENT_##element)

/* Calls the real routine with the arguments of the thunk. */
#define FORWARD(code, abi, shape, element)                                                         \
	ENTRY_CODE(void (*)(PARAMS_##abi(shape, element)), code)(ARGS_##abi(shape))

/* A Fortran name is never called by another name of its operation, so it sets no mark. */
#define MARK_f77(operation, code) ((void)(operation))
#define UNMARK_f77() ((void)0)

#define PASSED(entry, code, abi, call)                                                             \
	do {                                                                                       \
		MARK_##abi(gate_entry_operation(entry), code);                                     \
		call;                                                                              \
		UNMARK_##abi();                                                                    \
	} while (0)

/* A call that found its gate closed. */
struct entry_closed {
	uint32_t entry;
	bool wide;
	uint64_t elements;
	const void *caller;
};

/* Whether the library, not the name, tells that integers have 64 bits; then sets closed->wide. */
static inline bool entry_thunk_widens(struct entry_closed *closed)
{
	if (closed->wide || !gate_is_wide(gate_entry_symbol(closed->entry)))
		return false;
	closed->wide = true;
	return true;
}

/* Not inlined: it calls functions, so that the way before it would have to save registers. */
static __attribute__((noinline)) void *entry_thunk_pass_others(const struct entry_closed *closed)
{
	return gate_pass_again(gate_entry_symbol(closed->entry),
	                       gate_entry_operation(closed->entry), closed->elements, closed->wide,
	                       closed->caller);
}

/* The routine to forward a closed gate's call to after all; NULL if it must take the route. */
static inline void *entry_thunk_pass_again(const struct entry_closed *closed)
{
	const int symbol = gate_entry_symbol(closed->entry);
	const uint32_t operation = gate_entry_operation(closed->entry);
	void *code = NULL;
	if (!closed->wide || symbol_table[symbol].width == WIDTH_ILP64)
		code = gate_pass_first(symbol, operation, closed->elements, closed->caller);
	return code != NULL ? code : entry_thunk_pass_others(closed);
}

static inline void entry_thunk_enter(struct visit *visit, uint32_t entry, const void *caller,
                                     const void *frame)
{
	route_enter(visit, gate_entry_symbol(entry), gate_entry_operation(entry), caller, frame);
}

/* The gate is closed. */
#define CLOSED(abi, shape, width)                                                                  \
	{                                                                                          \
		gate_take_entry(), WIDE_##width, ELEMENTS_##shape(abi, width), ENTRY_LONG_CALLER() \
	}
#define LONG(abi, shape, element, width)                                                           \
	ENTRY_LONG void abi##_##shape##_##element##_##width##_long(PARAMS_##abi(shape, element))   \
	{                                                                                          \
		struct entry_closed closed = CLOSED(abi, shape, width);                            \
		if (entry_thunk_widens(&closed))                                                   \
			closed.elements = ELEMENTS_##shape(abi, ILP64);                            \
		void *code = entry_thunk_pass_again(&closed);                                      \
		if (code != NULL)                                                                  \
			PASSED(closed.entry, code, abi, FORWARD(code, abi, shape, element));       \
		else                                                                               \
			abi##_##shape##_##element##_route(closed.entry, closed.caller,             \
			                                  ARGS_##abi(shape));                      \
	}

/* The gate is open and every call is timed; the call is counted already. */
#define TICKED(abi, shape, element, width)                                                         \
	ENTRY_LONG void abi##_##shape##_##element##_##width##_ticked(PARAMS_##abi(shape, element)) \
	{                                                                                          \
		const uint32_t entry = gate_take_entry();                                          \
		struct record_tick tick = ENTRY_TICK(gate_entry_symbol(entry), shape, abi, width); \
		void *code = gate_load_code(gate_entry_symbol(entry));                             \
		PASSED(entry, code, abi, TICK(&tick, FORWARD(code, abi, shape, element)));         \
	}

#define DECLARE_BEHIND(abi, shape, element, width)                                                 \
	void abi##_##shape##_##element##_##width##_long(PARAMS_##abi(shape, element));             \
	void abi##_##shape##_##element##_##width##_ticked(PARAMS_##abi(shape, element));
#ifdef ENTRY_JUMP
/*
 * A thunk in C would copy the stacked arguments of a call on to themselves, which is most of its
 * cost; the hand-written gate leaves them in place.
 */
#define ENTRY_LONG_CALLER() ENTRY_CALLER()
#define GATE_PARAMS(abi, shape, element) void /* never read in C */
#define GATE_f77(linkage, name, symbol, family, element, shape, width)                             \
	linkage ENTRY_NAKED void name(void)                                                        \
	{                                                                                          \
		ENTRY_JUMP(JUMP_ELEMENTS_f77_##shape(width, D), JUMP_OPEN_f77,                     \
		           "f77_" #shape "_D_" #width, SYMBOL_##symbol,                            \
		           OPERATION(family, element));                                            \
	}
#else
#define ENTRY_LONG_CALLER() gate_thread.entry_caller
#define GATE_PARAMS(abi, shape, element) PARAMS_##abi(shape, element)
/* Stores the entry; returns whether the call has to be timed and forwarded, and then counts it. */
static inline bool entry_thunk_close(uint32_t entry, uint64_t elements, const void *caller)
{
	gate_thread.entry_caller = caller;
	gate_put_entry(entry);
	return gate_pass_timed(gate_entry_symbol(entry), gate_entry_operation(entry), elements) !=
	       NULL;
}
#define GATE_C(linkage, name, entry, abi, shape, element, width)                                   \
	linkage void name(PARAMS_##abi(shape, element))                                            \
	{                                                                                          \
		const uint64_t elements = ELEMENTS_##shape(abi, width);                            \
		void *code = gate_pass(gate_entry_symbol(entry), gate_entry_operation(entry),      \
		                       elements);                                                  \
		if (code != NULL)                                                                  \
			PASSED(entry, code, abi, FORWARD(code, abi, shape, element));              \
		else if (entry_thunk_close(entry, elements, ENTRY_CALLER()))                       \
			abi##_##shape##_##element##_##width##_ticked(ARGS_##abi(shape));           \
		else                                                                               \
			abi##_##shape##_##element##_##width##_long(ARGS_##abi(shape));             \
	}
#define GATE_f77(linkage, name, symbol, family, element, shape, width)                             \
	GATE_C(linkage, name, GATE_ENTRY(SYMBOL_##symbol, OPERATION(family, element)), f77, shape, \
	       D, width)
#endif

#endif
