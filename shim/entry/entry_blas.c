/* entry_blas.c - the BLAS symbols: one thunk per calling convention, one function per name */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_blas.h"
#include "shim/entry/entry_bare.h"
#include "shim/entry/entry_shapes.h"
#include "shim/entry/entry_thunk.h"

/* A library may call another name of the operation from its CBLAS routine. */
#define MARK_cblas(operation, code) gate_mark(operation, code, ENTRY_FRAME())
#define UNMARK_cblas() gate_unmark()

/*
 * The route behind the gates, once per convention, shape and element; Fortran passes everything by
 * reference, so there D stands for all elements. The gate has stored the name's entry in
 * gate_thread.
 */
#define ROUTE(abi, shape, element)                                                                 \
	ENTRY_SLOW static void abi##_##shape##_##element##_route(                                  \
		uint32_t entry, const void *caller, PARAMS_##abi(shape, element))                  \
	{                                                                                          \
		struct visit visit;                                                                \
		entry_thunk_enter(&visit, entry, caller, ENTRY_FRAME());                           \
		describe_##abi##_##shape(&visit.call, visit.wide,                                  \
		                         DESCRIBE_ARGS_##abi(shape, element));                     \
		if (route_run(&visit))                                                             \
			PASSED(entry, visit.code, abi, FORWARD(visit.code, abi, shape, element));  \
		route_leave(&visit);                                                               \
	}

/* The gate is open, and the routine may call another name of its operation; already counted. */
#define MARKED_cblas(shape, element)                                                               \
	ENTRY_LONG void cblas_##shape##_##element##_marked(PARAMS_cblas(shape, element))           \
	{                                                                                          \
		const uint32_t entry = gate_take_entry();                                          \
		void *code = gate_load_code(gate_entry_symbol(entry));                             \
		PASSED(entry, code, cblas, FORWARD(code, cblas, shape, element));                  \
		gate_learn(gate_entry_symbol(entry));                                              \
	}
#define MARKED_f77(shape, element)

#define DECLARE_MARKED(shape, element)                                                             \
	void cblas_##shape##_##element##_marked(PARAMS_cblas(shape, element));
#define BEHIND(abi, shape, element)                                                                \
	DECLARE_BEHIND(abi, shape, element, PROBE)                                                 \
	DECLARE_BEHIND(abi, shape, element, ILP64)                                                 \
	ROUTE(abi, shape, element)                                                                 \
	LONG(abi, shape, element, PROBE)                                                           \
	LONG(abi, shape, element, ILP64)                                                           \
	TICKED(abi, shape, element, PROBE)                                                         \
	TICKED(abi, shape, element, ILP64)                                                         \
	MARKED_##abi(shape, element)

#define SHAPE(shape)                                                                               \
	DECLARE_MARKED(shape, S)                                                                   \
	DECLARE_MARKED(shape, D)                                                                   \
	DECLARE_MARKED(shape, C)                                                                   \
	DECLARE_MARKED(shape, Z)                                                                   \
	BEHIND(f77, shape, D)                                                                      \
	BEHIND(cblas, shape, S)                                                                    \
	BEHIND(cblas, shape, D) BEHIND(cblas, shape, C) BEHIND(cblas, shape, Z)

#ifdef ENTRY_JUMP
#define GATE_cblas(linkage, name, symbol, family, element, shape, width)                           \
	linkage ENTRY_NAKED void name(void)                                                        \
	{                                                                                          \
		ENTRY_JUMP(JUMP_ELEMENTS_cblas_##shape(width, element),                            \
		           JUMP_OPEN_cblas("cblas_" #shape "_" #element),                          \
		           "cblas_" #shape "_" #element "_" #width, SYMBOL_##symbol,               \
		           OPERATION(family, element));                                            \
	}
#else
#define GATE_cblas(linkage, name, symbol, family, element, shape, width)                           \
	GATE_C(linkage, name, GATE_ENTRY(SYMBOL_##symbol, OPERATION(family, element)), cblas,      \
	       shape, element, width)
#endif

#include "shim/table/shape.def"

/* Declared by the rows too: every definition needs a declaration. */
#define DECLARE_f77(symbol, shape, element) void symbol(GATE_PARAMS(f77, shape, D));
#define DECLARE_cblas(symbol, shape, element) void symbol(GATE_PARAMS(cblas, shape, element));
#define DECLARE_bare(symbol, shape, element)
#define BLAS(symbol, family, element, shape, abi, width) DECLARE_##abi(symbol, shape, element)
#include "shim/table/blas_symbols.def"

#define ENTRY_f77(symbol, family, element, shape, width)                                           \
	GATE_f77(ENTRY_EXPORT, symbol, symbol, family, element, shape, width)
#define ENTRY_cblas(symbol, family, element, shape, width)                                         \
	GATE_cblas(ENTRY_EXPORT, symbol, symbol, family, element, shape, width)
#define ENTRY_bare(symbol, family, element, shape, width)                                          \
	GATE_f77(ENTRY_NAMED static, symbol##_fortran, symbol, family, element, shape, width)
#define BLAS(symbol, family, element, shape, abi, width)                                           \
	ENTRY_##abi(symbol, family, element, shape, width)
#include "shim/table/blas_symbols.def"

/*
 * The Fortran thunks of the bare names, as distances from this table: hundreds of pointers would be
 * relocations for the loader in every process that starts.
 */
#if defined(__x86_64__)
#define DISTANCE_f77(symbol) "0"
#define DISTANCE_cblas(symbol) "0"
#define DISTANCE_bare(symbol) #symbol "_fortran - entry_fortran"
#define BLAS(symbol, family, element, shape, abi, width) "\t.long " DISTANCE_##abi(symbol) "\n"
__asm__(".pushsection .rodata\n"
        "\t.balign 4\n"
        "entry_fortran:\n"
#include "shim/table/blas_symbols.def"
        ".popsection\n");
extern const int32_t entry_fortran[] __attribute__((visibility("hidden")));

void *entry_bare_find_fortran(int symbol)
{
	return (char *)(uintptr_t)entry_fortran + entry_fortran[symbol];
}
#else
/* Bare names are not exported. */
void *entry_bare_find_fortran(int symbol)
{
	(void)symbol;
	return NULL;
}
#endif
