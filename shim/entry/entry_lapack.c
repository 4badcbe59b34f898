/* entry_lapack.c - the LAPACK symbols: one function per name, one way behind them per shape */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "shim/describe/describe_lapack.h"
#include "shim/entry/entry_lapack_shapes.h"
#include "shim/entry/entry_thunk.h"
#include "shim/table/lapack_shapes.h"

/* Whether the argument of this name is the length of a work array. */
#define IS_LENGTH(name)                                                                            \
	(__builtin_strcmp(name, "lwork") == 0 || __builtin_strcmp(name, "lrwork") == 0 ||          \
	 __builtin_strcmp(name, "liwork") == 0)
#define LIST_ASKING(name) (IS_LENGTH(#name) ? (const void *)&asking : (name))
#define ASKING_ARGS(shape) LIST_f77_##shape(LIST_NAME, LIST_ASKING, LIST_NAME, LIST_LENGTH_NAMES)

/*
 * The CPU library writes what it always writes into the first elements of the work arrays: programs
 * read the best length there after any call. -1 is read with either width.
 */
#define ANSWER(visit, shape)                                                                       \
	do {                                                                                       \
		static const int64_t asking = -1;                                                  \
		(void)asking;                                                                      \
		if (route_owes_answer(&(visit)))                                                   \
			ENTRY_CODE(void (*)(PARAMS_f77(shape, D)), (visit).code)                   \
		(ASKING_ARGS(shape));                                                              \
	} while (0)

/* The route behind the gates, once per shape; everything is passed by reference. */
#define ROUTE(shape)                                                                               \
	ENTRY_SLOW static void f77_##shape##_D_route(uint32_t entry, const void *caller,           \
	                                             PARAMS_f77(shape, D))                         \
	{                                                                                          \
		struct visit visit;                                                                \
		entry_thunk_enter(&visit, entry, caller, ENTRY_FRAME());                           \
		describe_f77_##shape(&visit.call, visit.wide, DESCRIBE_ARGS_f77(shape, D));        \
		if (route_run(&visit))                                                             \
			FORWARD(visit.code, f77, shape, D);                                        \
		else                                                                               \
			ANSWER(visit, shape);                                                      \
		route_leave(&visit);                                                               \
	}

#define SHAPE(shape)                                                                               \
	DECLARE_BEHIND(f77, shape, D, PROBE)                                                       \
	DECLARE_BEHIND(f77, shape, D, ILP64)                                                       \
	ROUTE(shape)                                                                               \
	LONG(f77, shape, D, PROBE)                                                                 \
	LONG(f77, shape, D, ILP64)                                                                 \
	TICKED(f77, shape, D, PROBE)                                                               \
	TICKED(f77, shape, D, ILP64)
#include "shim/table/lapack_shape.def"

/* Every definition needs a declaration. */
#define LAPACK(symbol, family, element, shape, width) void symbol(GATE_PARAMS(f77, shape, D));
#include "shim/table/lapack_symbols.def"

#define LAPACK(symbol, family, element, shape, width)                                              \
	GATE_f77(ENTRY_EXPORT, symbol, symbol, family, element, shape, width)
#include "shim/table/lapack_symbols.def"
