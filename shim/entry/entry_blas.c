/* entry_blas.c - the BLAS symbols: one thunk per calling convention, one function per row */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_blas.h"
#include "shim/entry/entry.h"
#include "shim/entry/entry_bare.h"
#include "shim/entry/entry_jump.h"
#include "shim/gate.h"
#include "shim/route.h"
#include "shim/table/shapes.h"

/* What the gate compares: the sizes as each convention and width passes them. */
#define SIZE_f77_PROBE(size) (*(const uint32_t *)(size))
#define SIZE_f77_ILP64(size) (*(const uint64_t *)(size))
#define SIZE_cblas_PROBE(size) ((uint32_t)(size))
#define SIZE_cblas_ILP64(size) ((uint64_t)(size))
#define ELEMENTS_GEMM(abi, width)                                                                                      \
	gate_elements_gemm(SIZE_##abi##_##width(m), SIZE_##abi##_##width(n), SIZE_##abi##_##width(k))

#define TICK_SIZES_GEMM(abi, width)                                                                                    \
                                                                                                                       \
	(int64_t) SIZE_##abi##_##width(m), (int64_t)SIZE_##abi##_##width(n), (int64_t)SIZE_##abi##_##width(k)

#define WIDE_PROBE false
#define WIDE_ILP64 true
#define OPERATION(family, element) GATE_OPERATION(FAMILY_##family, ELEMENT_##element)

/* The short way: the routine to forward a small call to, NULL where the call must take the route. */
#define PASS(symbol, family, element, abi, width)                                                                      \
	gate_pass_any(SYMBOL_##symbol, OPERATION(family, element), ELEMENTS_##family(abi, width), WIDE_##width,        \
	              ENTRY_CALLER())

/* The long way: the whole route. mark is whether the library may call this operation again under another name. */
#define ROUTE(symbol, family, element, abi, mark)                                                                      \
	ENTRY_SLOW static void symbol##_route(const void *caller, PARAMS_##abi##_##family(element))                    \
	{                                                                                                              \
		struct visit visit;                                                                                    \
		route_open(&visit, SYMBOL_##symbol, OPERATION(family, element), caller, ENTRY_FRAME());                \
		describe_##abi##_##family(&visit.call, visit.wide, DESCRIBE_ARGS_##abi##_##family(element));           \
		const bool needed = route_run(&visit);                                                                 \
		mark(OPERATION(family, element), visit.code, ENTRY_FRAME());                                           \
		if (needed)                                                                                            \
			ENTRY_CODE(void (*)(PARAMS_##abi##_##family(element)), visit.code)(ARGS_##abi##_##family);     \
		mark##_end();                                                                                          \
		route_close(&visit);                                                                                   \
	}

/* A Fortran name is never called by another of the same operation: it forwards by a plain jump. */
#define entry_no_mark(operation, code, frame) ((void)(operation))
#define entry_no_mark_end() ((void)0)
#define entry_mark(operation, code, frame) gate_mark(operation, code, frame)
#define entry_mark_end() gate_unmark()

/* The short way while every call is timed. */
#define TIMED(symbol, family, element, abi, width, mark)                                                               \
	ENTRY_TIMED static bool symbol##_timed(PARAMS_##abi##_##family(element))                                       \
	{                                                                                                              \
		struct record_tick tick = TICK_OF(SYMBOL_##symbol, TICK_SIZES_##family(abi, width));                   \
		void *code =                                                                                           \
			gate_pass_timed(SYMBOL_##symbol, OPERATION(family, element), ELEMENTS_##family(abi, width));   \
		if (code == NULL)                                                                                      \
			return false;                                                                                  \
		mark(OPERATION(family, element), code, ENTRY_FRAME());                                                 \
		TICK(&tick, ENTRY_CODE(void (*)(PARAMS_##abi##_##family(element)), code)(ARGS_##abi##_##family));      \
		mark##_end();                                                                                          \
		return true;                                                                                           \
	}

/*
 * A compiler's thunk moves the nine stacked arguments of a Fortran call on to themselves, which is most of its cost;
 * where there is a hand-written gate (entry_jump.h) the arguments stay where they are.
 */
#define THUNK_f77(linkage, name, symbol, family, element, width)                                                       \
	ROUTE(symbol, family, element, f77, entry_no_mark)                                                             \
	TIMED(symbol, family, element, f77, width, entry_no_mark)                                                      \
	GATE_f77_##width(linkage, name, symbol, family, element)

/* Where the jump goes on when the gate is closed, and while every call is timed (then it is counted already). */
#define LONG_f77(symbol, family, element, width)                                                                       \
	ENTRY_LONG void symbol##_long(PARAMS_f77_##family(element))                                                    \
	{                                                                                                              \
		void *code = gate_pass_again(SYMBOL_##symbol, OPERATION(family, element),                              \
		                             ELEMENTS_##family(f77, width), WIDE_##width, ENTRY_CALLER());             \
		if (code != NULL)                                                                                      \
			ENTRY_CODE(void (*)(PARAMS_f77_##family(element)), code)(ARGS_f77_##family);                   \
		else                                                                                                   \
			symbol##_route(ENTRY_CALLER(), ARGS_f77_##family);                                             \
	}
#define TICKED_f77(symbol, family, element, width)                                                                     \
	ENTRY_LONG void symbol##_ticked(PARAMS_f77_##family(element))                                                  \
	{                                                                                                              \
		struct record_tick tick = TICK_OF(SYMBOL_##symbol, TICK_SIZES_##family(f77, width));                   \
		void *code = gate_slots[SYMBOL_##symbol].code;                                                         \
		TICK(&tick, ENTRY_CODE(void (*)(PARAMS_f77_##family(element)), code)(ARGS_f77_##family));              \
	}

#define GATE_C(linkage, name, symbol, family, element, width)                                                          \
	linkage void name(PARAMS_f77_##family(element))                                                                \
	{                                                                                                              \
		void *code = PASS(symbol, family, element, f77, width);                                                \
		if (__builtin_expect(code != NULL, 1))                                                                 \
			ENTRY_CODE(void (*)(PARAMS_f77_##family(element)), code)(ARGS_f77_##family);                   \
		else if (!symbol##_timed(ARGS_f77_##family))                                                           \
			symbol##_route(ENTRY_CALLER(), ARGS_f77_##family);                                             \
	}

#define GATE_f77_ILP64(linkage, name, symbol, family, element) GATE_C(linkage, name, symbol, family, element, ILP64)
#define GATE_PARAMS_ILP64(family, element) PARAMS_f77_##family(element)
#ifdef ENTRY_JUMP_GEMM
#define GATE_PARAMS_PROBE(family, element) void /* never read in C */
#define GATE_f77_PROBE(linkage, name, symbol, family, element)                                                         \
	LONG_f77(symbol, family, element, PROBE) TICKED_f77(symbol, family, element, PROBE) linkage ENTRY_NAKED void   \
	name(void)                                                                                                     \
	{                                                                                                              \
		ENTRY_JUMP_##family(#symbol, SYMBOL_##symbol, OPERATION(family, element));                             \
	}
#else
#define GATE_PARAMS_PROBE(family, element) PARAMS_f77_##family(element)
#define GATE_f77_PROBE(linkage, name, symbol, family, element) GATE_C(linkage, name, symbol, family, element, PROBE)
#endif

#define THUNK_cblas(linkage, name, symbol, family, element, width)                                                     \
	ROUTE(symbol, family, element, cblas, entry_mark)                                                              \
	TIMED(symbol, family, element, cblas, width, entry_mark)                                                       \
	linkage void name(PARAMS_cblas_##family(element))                                                              \
	{                                                                                                              \
		void *code = PASS(symbol, family, element, cblas, width);                                              \
		if (__builtin_expect(code != NULL, 1)) {                                                               \
			MARKED(OPERATION(family, element), code,                                                       \
			       ENTRY_CODE(void (*)(PARAMS_cblas_##family(element)), code)(ARGS_cblas_##family));       \
		} else if (!symbol##_timed(ARGS_cblas_##family)) {                                                     \
			symbol##_route(ENTRY_CALLER(), ARGS_cblas_##family);                                           \
		}                                                                                                      \
	}

#define ENTRY_f77(symbol, family, element, width) THUNK_f77(ENTRY_EXPORT, symbol, symbol, family, element, width)
#define ENTRY_cblas(symbol, family, element, width) THUNK_cblas(ENTRY_EXPORT, symbol, symbol, family, element, width)
#define ENTRY_bare(symbol, family, element, width) THUNK_f77(static, symbol##_fortran, symbol, family, element, width)

/* Declared by the rows as well, since every definition has a declaration. */
#define DECLARE_f77(symbol, family, element, width)                                                                    \
	void symbol(GATE_PARAMS_##width(family, element));                                                             \
	void symbol##_long(PARAMS_f77_##family(element));                                                              \
	void symbol##_ticked(PARAMS_f77_##family(element));
#define DECLARE_cblas(symbol, family, element, width) void symbol(PARAMS_cblas_##family(element));
#define DECLARE_bare(symbol, family, element, width)                                                                   \
	void symbol##_long(PARAMS_f77_##family(element));                                                              \
	void symbol##_ticked(PARAMS_f77_##family(element));
#define BLAS(symbol, family, element, abi, width) DECLARE_##abi(symbol, family, element, width)
#include "shim/table/blas.def"

#define BLAS(symbol, family, element, abi, width) ENTRY_##abi(symbol, family, element, width)
#include "shim/table/blas.def"

/* The Fortran thunks behind the bare names, for entry_bare.c. */
#define FORTRAN_f77(symbol)
#define FORTRAN_cblas(symbol)
#define FORTRAN_bare(symbol) [SYMBOL_##symbol] = (void *)symbol##_fortran,
void *const entry_fortran[SYMBOL_COUNT] = {
#define BLAS(symbol, family, element, abi, width) FORTRAN_##abi(symbol)
#include "shim/table/blas.def"
};
