/* entry_fftw_execute.c - FFTW's executions: a gate per name, a route per argument list */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "shim/describe/plans.h"
#include "shim/entry/entry.h"
#include "shim/route/route.h"
#include "shim/route/route_plans.h"
#include "shim/table/fftw_shapes.h"

/* The plan among the arguments, and the new arrays; NULL where the plan's own are used. */
#define PLAN_execute plan
#define ARRAYS_execute NULL, NULL, false
#define PLAN_execute_new plan
#define ARRAYS_execute_new in, out, false
#define PLAN_execute_split plan
#define ARRAYS_execute_split ri, ro, true
#define PLAN_execute_split_real plan
#define ARRAYS_execute_split_real first, third, true
#define PLAN_f77_execute (*plan)
#define ARRAYS_f77_execute NULL, NULL, false
#define PLAN_f77_execute_new (*plan)
#define ARRAYS_f77_execute_new in, out, false
#define PLAN_f77_execute_split (*plan)
#define ARRAYS_f77_execute_split ri, ro, true
#define PLAN_f77_execute_split_real (*plan)
#define ARRAYS_f77_execute_split_real first, third, true

#define ROUTE(shape)                                                                               \
	ENTRY_SLOW static void shape##_route(int symbol, const void *caller, FFTW_PARAMS(shape))   \
	{                                                                                          \
		struct visit visit;                                                                \
		route_enter(&visit, symbol, 0, caller, ENTRY_FRAME());                             \
		route_plans_describe_execution(&visit, PLAN_##shape, ARRAYS_##shape);              \
		if (route_run(&visit))                                                             \
			ENTRY_CODE(void (*)(FFTW_PARAMS(shape)), visit.code)(FFTW_ARGS(shape));    \
		route_leave(&visit);                                                               \
	}

#define TIMED(shape)                                                                               \
	ENTRY_SLOW static bool shape##_timed(int symbol, FFTW_PARAMS(shape))                       \
	{                                                                                          \
		void *code = gate_pass_timed(symbol, 0, 0);                                        \
		struct record_tick tick;                                                           \
		if (code == NULL)                                                                  \
			return false;                                                              \
		route_plans_describe_tick(&tick, symbol, PLAN_##shape);                            \
		TICK(&tick, ENTRY_CODE(void (*)(FFTW_PARAMS(shape)), code)(FFTW_ARGS(shape)));     \
		return true;                                                                       \
	}

/* An execution that needs a decision, or whose gate is closed. */
#define CLOSED(shape)                                                                              \
	ENTRY_SLOW static void shape##_closed(int symbol, const void *caller, FFTW_PARAMS(shape))  \
	{                                                                                          \
		const bool small = plans_is_small(PLAN_##shape);                                   \
		void *code = small ? gate_pass(symbol, 0, 0) : NULL;                               \
		if (small && code == NULL)                                                         \
			code = gate_pass_again(symbol, 0, 0, false, caller);                       \
		if (code != NULL)                                                                  \
			ENTRY_CODE(void (*)(FFTW_PARAMS(shape)), code)(FFTW_ARGS(shape));          \
		else if (!small || !shape##_timed(symbol, FFTW_ARGS(shape)))                       \
			shape##_route(symbol, caller, FFTW_ARGS(shape));                           \
	}

#define SHAPE(shape) ROUTE(shape) TIMED(shape) CLOSED(shape)
SHAPE(execute)
SHAPE(execute_new)
SHAPE(execute_split)
SHAPE(execute_split_real)
SHAPE(f77_execute)
SHAPE(f77_execute_new)
SHAPE(f77_execute_split)
SHAPE(f77_execute_split_real)

#define FFTW_COMPUTE(symbol, shape)                                                                \
	void symbol(FFTW_PARAMS(shape));                                                           \
	ENTRY_EXPORT void symbol(FFTW_PARAMS(shape))                                               \
	{                                                                                          \
		void *code =                                                                       \
			plans_is_first(PLAN_##shape) ? gate_pass_direct(SYMBOL_##symbol) : NULL;   \
		if (__builtin_expect(code != NULL, 1))                                             \
			ENTRY_CODE(void (*)(FFTW_PARAMS(shape)), code)(FFTW_ARGS(shape));          \
		else                                                                               \
			shape##_closed(SYMBOL_##symbol, ENTRY_CALLER(), FFTW_ARGS(shape));         \
	}

#include "shim/table/fftw_symbols.def"
