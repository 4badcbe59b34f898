/* entry_blas.c - the BLAS symbols: one thunk per calling convention, one function per name */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_blas.h"
#include "shim/entry/entry.h"
#include "shim/entry/entry_bare.h"
#include "shim/entry/entry_jump.h"
#include "shim/entry/entry_shapes.h"
#include "shim/gate.h"
#include "shim/route.h"
#include "shim/table/shapes.h"

#define WIDE_PROBE false
#define WIDE_ILP64 true
#define OPERATION(family, element) GATE_OPERATION(FAMILY_##family, ELEMENT_##element)

/* Calls the real routine with the arguments of the thunk. */
#define FORWARD(code, shape, element, abi)                                                                             \
	ENTRY_CODE(void (*)(PARAMS_##abi##_##shape(element)), code)(ARGS_##abi##_##shape)

/* A Fortran name is never called by another of the same operation, so it leaves no mark for an inner half. */
#define MARK_f77(operation, code) ((void)(operation))
#define UNMARK_f77() ((void)0)
#define MARK_cblas(operation, code) gate_mark(operation, code, ENTRY_FRAME())
#define UNMARK_cblas() gate_unmark()

/* The long way: the whole route, once for all names of a shape (and, with scalars by value, of an element). */
#define ROUTE(name, shape, element, abi)                                                                               \
	ENTRY_SLOW static void name##_route(uint32_t entry, const void *caller, PARAMS_##abi##_##shape(element))       \
	{                                                                                                              \
		struct visit visit;                                                                                    \
		route_open(&visit, gate_entry_symbol(entry), gate_entry_operation(entry), caller, ENTRY_FRAME());      \
		describe_##abi##_##shape(&visit.call, visit.wide, DESCRIBE_ARGS_##abi##_##shape(element));             \
		const bool needed = route_run(&visit);                                                                 \
		MARK_##abi(gate_entry_operation(entry), visit.code);                                                   \
		if (needed)                                                                                            \
			FORWARD(visit.code, shape, element, abi);                                                      \
		UNMARK_##abi();                                                                                        \
		route_close(&visit);                                                                                   \
	}

/* Forwards a call and times it. */
#define TICKED(entry, code, shape, element, abi, width)                                                                \
	do {                                                                                                           \
		struct record_tick tick = BLAS_TICK(gate_entry_symbol(entry), shape, abi, width);                      \
		TICK(&tick, FORWARD(code, shape, element, abi));                                                       \
	} while (0)

/*
 * What a Fortran name does once its gate has stored the entry. A compiler's thunk moves the stacked arguments of a
 * Fortran call on to themselves, which is most of its cost; the hand-written gate leaves them where they are.
 */
#define LONG_f77(shape, width)                                                                                         \
	ENTRY_LONG void f77_##shape##_##width##_long(PARAMS_f77_##shape(D))                                            \
	{                                                                                                              \
		struct entry_closed closed = {gate_thread.entry, WIDE_##width, false, ELEMENTS_##shape(f77, width),    \
		                              ENTRY_LONG_CALLER()};                                                    \
		if (entry_widens(&closed))                                                                             \
			closed.elements = ELEMENTS_##shape(f77, ILP64);                                                \
		void *code = entry_pass_again(&closed);                                                                \
		if (code != NULL)                                                                                      \
			FORWARD(code, shape, D, f77);                                                                  \
		else                                                                                                   \
			f77_##shape##_route(closed.entry, closed.caller, ARGS_f77_##shape);                            \
	}
#define TICKED_f77(shape, width)                                                                                       \
	ENTRY_LONG void f77_##shape##_##width##_ticked(PARAMS_f77_##shape(D))                                          \
	{                                                                                                              \
		const uint32_t entry = gate_thread.entry;                                                              \
		TICKED(entry, gate_slots[gate_entry_symbol(entry)].code, shape, D, f77, width);                        \
	}

#ifdef ENTRY_JUMP
#define ENTRY_LONG_CALLER() ENTRY_CALLER()
#define GATE_PARAMS(shape) void /* never read in C */
#define GATE_f77(linkage, name, symbol, family, element, shape, width)                                                 \
	linkage ENTRY_NAKED void name(void)                                                                            \
	{                                                                                                              \
		ENTRY_JUMP(JUMP_ELEMENTS_##shape(width), "f77_" #shape "_" #width, SYMBOL_##symbol,                    \
		           OPERATION(family, element));                                                                \
	}
#else
#define ENTRY_LONG_CALLER() gate_thread.entry_caller
/* Stores the entry; whether the call is to be timed and forwarded: it is counted then. */
static inline bool entry_close(uint32_t entry, uint64_t elements, const void *caller)
{
	gate_thread.entry = entry;
	gate_thread.entry_caller = caller;
	return gate_pass_timed(gate_entry_symbol(entry), gate_entry_operation(entry), elements) != NULL;
}
#define GATE_PARAMS(shape) PARAMS_f77_##shape(D)
#define GATE_f77(linkage, name, symbol, family, element, shape, width)                                                 \
	linkage void name(PARAMS_f77_##shape(D))                                                                       \
	{                                                                                                              \
		const uint32_t operation = OPERATION(family, element);                                                 \
		void *code = gate_pass(SYMBOL_##symbol, operation, ELEMENTS_##shape(f77, width));                      \
		if (__builtin_expect(code != NULL, 1)) {                                                               \
			FORWARD(code, shape, D, f77);                                                                  \
			return;                                                                                        \
		}                                                                                                      \
		const bool timed = entry_close(GATE_ENTRY(SYMBOL_##symbol, operation), ELEMENTS_##shape(f77, width),   \
		                               ENTRY_CALLER());                                                        \
		(timed ? f77_##shape##_##width##_ticked : f77_##shape##_##width##_long)(ARGS_f77_##shape);             \
	}
#endif

/* What a CBLAS name does when its gate is closed. */
#define LONG_cblas(shape, element)                                                                                     \
	__attribute__((unused)) ENTRY_SLOW static void cblas_##shape##_##element##_long(struct entry_closed *closed,   \
	                                                                                PARAMS_cblas_##shape(element)) \
	{                                                                                                              \
		if (entry_widens(closed))                                                                              \
			closed->elements = ELEMENTS_##shape(cblas, ILP64);                                             \
		void *code = entry_pass_again(closed);                                                                 \
		if (code == NULL) {                                                                                    \
			cblas_##shape##_##element##_route(closed->entry, closed->caller, ARGS_cblas_##shape);          \
			return;                                                                                        \
		}                                                                                                      \
		MARKED(gate_entry_operation(closed->entry), code, ENTRY_TIMED_CALL(closed, code, shape, element));     \
	}
#define ENTRY_TIMED_CALL(closed, code, shape, element)                                                                 \
	if (!(closed)->timed)                                                                                          \
		FORWARD(code, shape, element, cblas);                                                                  \
	else if ((closed)->wide)                                                                                       \
		TICKED((closed)->entry, code, shape, element, cblas, ILP64);                                           \
	else                                                                                                           \
		TICKED((closed)->entry, code, shape, element, cblas, PROBE)

#define GATE_cblas(symbol, family, element, shape, width)                                                              \
	ENTRY_EXPORT void symbol(PARAMS_cblas_##shape(element))                                                        \
	{                                                                                                              \
		const uint32_t entry = GATE_ENTRY(SYMBOL_##symbol, OPERATION(family, element));                        \
		const uint64_t elements = ELEMENTS_##shape(cblas, width);                                              \
		void *code = gate_pass_early(entry, elements, ENTRY_CALLER());                                         \
		if (__builtin_expect(code == NULL, 0)) {                                                               \
			struct entry_closed closed = {entry, WIDE_##width, false, elements, ENTRY_CALLER()};           \
			cblas_##shape##_##element##_long(&closed, ARGS_cblas_##shape);                                 \
			return;                                                                                        \
		}                                                                                                      \
		MARKED(gate_entry_operation(entry), code, FORWARD(code, shape, element, cblas));                       \
	}

/* A call that found its gate closed. */
struct entry_closed {
	uint32_t entry;
	bool wide, timed;
	uint64_t elements;
	const void *caller;
};

/* Whether its name does not say what is known by now: that its integers have 64 bits. */
static inline bool entry_widens(struct entry_closed *closed)
{
	if (closed->wide || !gate_is_wide(gate_entry_symbol(closed->entry)))
		return false;
	closed->wide = true;
	return true;
}

/* The routine to forward it to after all, timed or not; NULL where it must take the route. */
static inline void *entry_pass_again(struct entry_closed *closed)
{
	const int symbol = gate_entry_symbol(closed->entry);
	const uint32_t operation = gate_entry_operation(closed->entry);
	void *code = gate_pass_again(symbol, operation, closed->elements, closed->wide, closed->caller);
	if (code == NULL) {
		code = gate_pass_timed(symbol, operation, closed->elements);
		closed->timed = code != NULL;
	}
	return code;
}

#define DECLARE_LONG(shape, width)                                                                                     \
	void f77_##shape##_##width##_long(PARAMS_f77_##shape(D));                                                      \
	void f77_##shape##_##width##_ticked(PARAMS_f77_##shape(D));
#define SHAPE(shape) DECLARE_LONG(shape, PROBE) DECLARE_LONG(shape, ILP64)
#include "shim/table/shape.def"

#define ROUTES_cblas(shape, element) ROUTE(cblas_##shape##_##element, shape, element, cblas) LONG_cblas(shape, element)
#define SHAPE(shape)                                                                                                   \
	ROUTE(f77_##shape, shape, D, f77)                                                                              \
	LONG_f77(shape, PROBE) LONG_f77(shape, ILP64) TICKED_f77(shape, PROBE) TICKED_f77(shape, ILP64)                \
		ROUTES_cblas(shape, S) ROUTES_cblas(shape, D) ROUTES_cblas(shape, C) ROUTES_cblas(shape, Z)
#include "shim/table/shape.def"

/* Declared by the rows as well, since every definition has a declaration. */
#define DECLARE_f77(symbol, shape, element) void symbol(GATE_PARAMS(shape));
#define DECLARE_cblas(symbol, shape, element) void symbol(PARAMS_cblas_##shape(element));
#define DECLARE_bare(symbol, shape, element)
#define BLAS(symbol, family, element, shape, abi, width) DECLARE_##abi(symbol, shape, element)
#include "shim/table/blas_symbols.def"

#define ENTRY_f77(symbol, family, element, shape, width)                                                               \
	GATE_f77(ENTRY_EXPORT, symbol, symbol, family, element, shape, width)
#define ENTRY_bare(symbol, family, element, shape, width)                                                              \
	GATE_f77(static, symbol##_fortran, symbol, family, element, shape, width)
#define ENTRY_cblas(symbol, family, element, shape, width) GATE_cblas(symbol, family, element, shape, width)
#define BLAS(symbol, family, element, shape, abi, width) ENTRY_##abi(symbol, family, element, shape, width)
#include "shim/table/blas_symbols.def"

/* The Fortran thunks behind the bare names, for entry_bare.c. */
#define FORTRAN_f77(symbol)
#define FORTRAN_cblas(symbol)
#define FORTRAN_bare(symbol) [SYMBOL_##symbol] = (void *)symbol##_fortran,
void *const entry_fortran[SYMBOL_COUNT] = {
#define BLAS(symbol, family, element, shape, abi, width) FORTRAN_##abi(symbol)
#include "shim/table/blas_symbols.def"
};
