/* entry_fftw.c - the FFTW3 symbols: one thunk per role, one function per row */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "shim/describe/plans.h"
#include "shim/entry/entry.h"
#include "shim/gate.h"
#include "shim/route.h"
#include "shim/table/shapes.h"

/* Each planner's arguments in the two forms that describe_fftw.h knows. Real transforms have no sign. */
#define DIMS(...) ((const int[]){__VA_ARGS__})
#define DESCRIBE_plan_1d(r) describe_fft_basic(r, 1, DIMS(n0), in, out, sign, flags)
#define DESCRIBE_plan_2d(r) describe_fft_basic(r, 2, DIMS(n0, n1), in, out, sign, flags)
#define DESCRIBE_plan_3d(r) describe_fft_basic(r, 3, DIMS(n0, n1, n2), in, out, sign, flags)
#define DESCRIBE_plan_nd(r) describe_fft_basic(r, rank, n, in, out, sign, flags)
#define DESCRIBE_plan_many(r) describe_fft_many(r, ARGS_plan_many)
#define DESCRIBE_plan_real_1d(r) describe_fft_basic(r, 1, DIMS(n0), in, out, 0, flags)
#define DESCRIBE_plan_real_2d(r) describe_fft_basic(r, 2, DIMS(n0, n1), in, out, 0, flags)
#define DESCRIBE_plan_real_3d(r) describe_fft_basic(r, 3, DIMS(n0, n1, n2), in, out, 0, flags)
#define DESCRIBE_plan_real_nd(r) describe_fft_basic(r, rank, n, in, out, 0, flags)
#define DESCRIBE_plan_real_many(r)                                                                                     \
	describe_fft_many(r, rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, 0, flags)

#define DESCRIBE_plan_guru(r) describe_fft_guru(r, false, ARGS_plan_guru)
#define DESCRIBE_plan_guru64(r) describe_fft_guru(r, true, ARGS_plan_guru64)
#define DESCRIBE_plan_real_guru(r) describe_fft_guru(r, false, rank, dims, loops, loop_dims, in, out, 0, flags)
#define DESCRIBE_plan_real_guru64(r) describe_fft_guru(r, true, rank, dims, loops, loop_dims, in, out, 0, flags)

/* The program gets the real plan, or the real NULL; sizes are read before, since planning may not change them. */
#define THUNK_plan(symbol, shape)                                                                                      \
	void *symbol(PARAMS_##shape);                                                                                  \
	ENTRY_EXPORT void *symbol(PARAMS_##shape)                                                                      \
	{                                                                                                              \
		struct plan_visit visit;                                                                               \
		void *plan = NULL;                                                                                     \
		route_plan_open(&visit, SYMBOL_##symbol, ENTRY_CALLER(), ENTRY_FRAME());                               \
		DESCRIBE_##shape(&visit.request);                                                                      \
		if (visit.code != NULL)                                                                                \
			plan = ENTRY_CODE(void *(*)(PARAMS_##shape), visit.code)(ARGS_##shape);                        \
		route_plan_close(&visit, plan);                                                                        \
		return plan;                                                                                           \
	}

#define EXECUTE_ARRAYS_execute NULL, NULL
#define EXECUTE_ARRAYS_execute_new in, out

#define ROUTE_execute(symbol, shape)                                                                                   \
	ENTRY_SLOW static void symbol##_route(const void *caller, PARAMS_##shape)                                      \
	{                                                                                                              \
		struct visit visit;                                                                                    \
		route_open(&visit, SYMBOL_##symbol, 0, caller, ENTRY_FRAME());                                         \
		route_describe_execute(&visit, plan, EXECUTE_ARRAYS_##shape);                                          \
		if (route_run(&visit))                                                                                 \
			ENTRY_CODE(void (*)(PARAMS_##shape), visit.code)(ARGS_##shape);                                \
		route_close(&visit);                                                                                   \
	}

#define TIMED_execute(symbol, shape)                                                                                   \
	ENTRY_TIMED static bool symbol##_timed(PARAMS_##shape)                                                         \
	{                                                                                                              \
		struct record_tick tick = TICK_OF(SYMBOL_##symbol, -1, -1, -1);                                        \
		void *code = gate_pass_timed(SYMBOL_##symbol, 0, 0);                                                   \
		if (code == NULL)                                                                                      \
			return false;                                                                                  \
		TICK(&tick, ENTRY_CODE(void (*)(PARAMS_##shape), code)(ARGS_##shape));                                 \
		return true;                                                                                           \
	}

/* What an execution does that is kept, or whose gate is closed. */
#define CLOSED_execute(symbol, shape)                                                                                  \
	ENTRY_SLOW static void symbol##_closed(const void *caller, PARAMS_##shape)                                     \
	{                                                                                                              \
		const bool kept = plans_find(plan) != NULL;                                                            \
		void *code = kept ? NULL : gate_pass_again(SYMBOL_##symbol, 0, 0, false, caller);                      \
		if (code != NULL)                                                                                      \
			ENTRY_CODE(void (*)(PARAMS_##shape), code)(ARGS_##shape);                                      \
		else if (kept || !symbol##_timed(ARGS_##shape))                                                        \
			symbol##_route(caller, ARGS_##shape);                                                          \
	}

#define THUNK_execute(symbol, shape)                                                                                   \
	ROUTE_execute(symbol, shape) TIMED_execute(symbol, shape)                                                      \
		CLOSED_execute(symbol, shape) void symbol(PARAMS_##shape);                                             \
	ENTRY_EXPORT void symbol(PARAMS_##shape)                                                                       \
	{                                                                                                              \
		void *code = __builtin_expect(plans_find(plan) == NULL, 1) ? gate_pass(SYMBOL_##symbol, 0, 0) : NULL;  \
		if (__builtin_expect(code != NULL, 1))                                                                 \
			ENTRY_CODE(void (*)(PARAMS_##shape), code)(ARGS_##shape);                                      \
		else                                                                                                   \
			symbol##_closed(ENTRY_CALLER(), ARGS_##shape);                                                 \
	}

#define THUNK_destroy(symbol)                                                                                          \
	void symbol(void *plan);                                                                                       \
	ENTRY_EXPORT void symbol(void *plan)                                                                           \
	{                                                                                                              \
		void *code = route_release(SYMBOL_##symbol, ENTRY_CALLER(), plan);                                     \
		if (code != NULL)                                                                                      \
			ENTRY_CODE(void (*)(void *), code)(plan);                                                      \
	}

#define THUNK_cleanup(symbol)                                                                                          \
	void symbol(void);                                                                                             \
	ENTRY_EXPORT void symbol(void)                                                                                 \
	{                                                                                                              \
		void *code = route_release_all(SYMBOL_##symbol, ENTRY_CALLER());                                       \
		if (code != NULL)                                                                                      \
			ENTRY_CODE(void (*)(void), code)();                                                            \
	}

#define ENTRY_plan_1d(symbol) THUNK_plan(symbol, plan_1d)
#define ENTRY_plan_2d(symbol) THUNK_plan(symbol, plan_2d)
#define ENTRY_plan_3d(symbol) THUNK_plan(symbol, plan_3d)
#define ENTRY_plan_nd(symbol) THUNK_plan(symbol, plan_nd)
#define ENTRY_plan_many(symbol) THUNK_plan(symbol, plan_many)
#define ENTRY_plan_real_1d(symbol) THUNK_plan(symbol, plan_real_1d)
#define ENTRY_plan_real_2d(symbol) THUNK_plan(symbol, plan_real_2d)
#define ENTRY_plan_real_3d(symbol) THUNK_plan(symbol, plan_real_3d)
#define ENTRY_plan_real_nd(symbol) THUNK_plan(symbol, plan_real_nd)
#define ENTRY_plan_real_many(symbol) THUNK_plan(symbol, plan_real_many)
#define ENTRY_plan_guru(symbol) THUNK_plan(symbol, plan_guru)
#define ENTRY_plan_guru64(symbol) THUNK_plan(symbol, plan_guru64)
#define ENTRY_plan_real_guru(symbol) THUNK_plan(symbol, plan_real_guru)
#define ENTRY_plan_real_guru64(symbol) THUNK_plan(symbol, plan_real_guru64)
#define ENTRY_execute(symbol) THUNK_execute(symbol, execute)
#define ENTRY_execute_new(symbol) THUNK_execute(symbol, execute_new)
#define ENTRY_destroy(symbol) THUNK_destroy(symbol)
#define ENTRY_cleanup(symbol) THUNK_cleanup(symbol)

#define FFTW(symbol, family, element, shape) ENTRY_##shape(symbol)
#include "shim/table/fftw.def"
