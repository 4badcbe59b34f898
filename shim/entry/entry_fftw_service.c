/* entry_fftw_service.c - FFTW's other functions: a route per argument list, a thunk per name */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "shim/entry/entry.h"
#include "shim/execute/gpu/device/fftw_blocks.h"
#include "shim/route/route_plans.h"
#include "shim/table/fftw_shapes.h"

/* Forwards to the real routine and returns its result; 0 without a routine. */
#define FORWARD(shape, type)                                                                       \
	ENTRY_SLOW static type shape##_route(int symbol, const void *caller,                       \
	                                     FFTW_MORE_PARAMS(shape))                              \
	{                                                                                          \
		struct fftw_visit visit;                                                           \
		type result = 0;                                                                   \
		route_plans_begin_call(&visit, symbol, caller, ENTRY_FRAME());                     \
		if (visit.code != NULL)                                                            \
			result = ENTRY_CODE(type(*)(FFTW_PARAMS(shape)),                           \
			                    visit.code)(FFTW_ARGS(shape));                         \
		route_plans_end_call(&visit);                                                      \
		return result;                                                                     \
	}

/* The same for functions that return nothing; before is done first. */
#define FORWARD_VOID(shape, before)                                                                \
	ENTRY_SLOW static void shape##_route(int symbol, const void *caller,                       \
	                                     FFTW_MORE_PARAMS(shape))                              \
	{                                                                                          \
		struct fftw_visit visit;                                                           \
		route_plans_begin_call(&visit, symbol, caller, ENTRY_FRAME());                     \
		before;                                                                            \
		if (visit.code != NULL)                                                            \
			ENTRY_CODE(void (*)(FFTW_PARAMS(shape)), visit.code)(FFTW_ARGS(shape));    \
		route_plans_end_call(&visit);                                                      \
	}

#define NOTHING (void)0
FORWARD_VOID(nothing, NOTHING)
FORWARD_VOID(threads, route_plans_note_threads(&visit, threads))
FORWARD_VOID(f77_threads, route_plans_note_threads(&visit, *threads))
FORWARD_VOID(double, NOTHING)
FORWARD_VOID(pointer, NOTHING)
FORWARD_VOID(pointers, NOTHING)
FORWARD_VOID(callback, route_plans_note_callback(&visit, first != NULL))
FORWARD_VOID(pointers3, NOTHING)
FORWARD_VOID(pointers4, NOTHING)
FORWARD_VOID(cleanup, route_plans_release_all(&visit))
FORWARD_VOID(destroy, route_plans_release(&visit, plan))
FORWARD_VOID(f77_destroy, route_plans_release(&visit, *plan))
FORWARD_VOID(free, pointer = fftw_blocks_give(pointer))
FORWARD(to_int, int)
FORWARD(to_pointer, void *)
FORWARD(pointer_to_int, int)
FORWARD(pointer_to_pointer, void *)
FORWARD(pointer_to_double, double)
FORWARD(pointers_to_int, int)

/* Of an allocator called by another one only the outer one keeps the block. */
static void *entry_fftw_service_allocate(int symbol, const void *caller, const void *frame,
                                         size_t count, size_t unit_bytes)
{
	struct fftw_visit visit;
	void *outer = NULL;
	route_plans_begin_call(&visit, symbol, caller, frame);
	if (visit.code != NULL)
		outer = ENTRY_CODE(void *(*)(size_t), visit.code)(
			visit.nested ? count : fftw_blocks_pad(count, unit_bytes));
	route_plans_end_call(&visit);
	return visit.nested ? outer : fftw_blocks_take(outer, count, unit_bytes);
}

#define FORWARD_ALLOC(shape, unit_bytes)                                                           \
	ENTRY_SLOW static void *shape##_route(int symbol, const void *caller, size_t count)        \
	{                                                                                          \
		return entry_fftw_service_allocate(symbol, caller, ENTRY_FRAME(), count,           \
		                                   unit_bytes);                                    \
	}
FORWARD_ALLOC(alloc, 1)
FORWARD_ALLOC(alloc_real, element_size_bytes(symbol_table[symbol].element) / 2)
FORWARD_ALLOC(alloc_complex, element_size_bytes(symbol_table[symbol].element))

/* pass: the routine that may be called at once, or NULL. */
#define THUNK_VOID(symbol, shape, pass)                                                            \
	void symbol(FFTW_PARAMS(shape));                                                           \
	ENTRY_EXPORT void symbol(FFTW_PARAMS(shape))                                               \
	{                                                                                          \
		void *code = pass;                                                                 \
		if (code != NULL)                                                                  \
			ENTRY_CODE(void (*)(FFTW_PARAMS(shape)), code)(FFTW_ARGS(shape));          \
		else                                                                               \
			shape##_route(SYMBOL_##symbol, ENTRY_CALLER(), FFTW_MORE_ARGS(shape));     \
	}
#define THUNK_VALUE(symbol, shape, type, pass)                                                     \
	type symbol(FFTW_PARAMS(shape));                                                           \
	ENTRY_EXPORT type symbol(FFTW_PARAMS(shape))                                               \
	{                                                                                          \
		void *code = pass;                                                                 \
		if (code != NULL)                                                                  \
			return ENTRY_CODE(type(*)(FFTW_PARAMS(shape)), code)(FFTW_ARGS(shape));    \
		return shape##_route(SYMBOL_##symbol, ENTRY_CALLER(), FFTW_MORE_ARGS(shape));      \
	}

/* The type of each argument list's result. */
#define ENTRY_nothing(symbol, pass) THUNK_VOID(symbol, nothing, pass)
#define ENTRY_threads(symbol, pass) THUNK_VOID(symbol, threads, pass)
#define ENTRY_f77_threads(symbol, pass) THUNK_VOID(symbol, f77_threads, pass)
#define ENTRY_double(symbol, pass) THUNK_VOID(symbol, double, pass)
#define ENTRY_pointer(symbol, pass) THUNK_VOID(symbol, pointer, pass)
#define ENTRY_pointers(symbol, pass) THUNK_VOID(symbol, pointers, pass)
#define ENTRY_callback(symbol, pass) THUNK_VOID(symbol, callback, pass)
#define ENTRY_pointers3(symbol, pass) THUNK_VOID(symbol, pointers3, pass)
#define ENTRY_pointers4(symbol, pass) THUNK_VOID(symbol, pointers4, pass)
#define ENTRY_cleanup(symbol, pass) THUNK_VOID(symbol, cleanup, pass)
#define ENTRY_destroy(symbol, pass) THUNK_VOID(symbol, destroy, pass)
#define ENTRY_f77_destroy(symbol, pass) THUNK_VOID(symbol, f77_destroy, pass)
#define ENTRY_free(symbol, pass) THUNK_VOID(symbol, free, pass)
#define ENTRY_to_int(symbol, pass) THUNK_VALUE(symbol, to_int, int, pass)
#define ENTRY_to_pointer(symbol, pass) THUNK_VALUE(symbol, to_pointer, void *, pass)
#define ENTRY_pointer_to_int(symbol, pass) THUNK_VALUE(symbol, pointer_to_int, int, pass)
#define ENTRY_pointer_to_pointer(symbol, pass) THUNK_VALUE(symbol, pointer_to_pointer, void *, pass)
#define ENTRY_pointer_to_double(symbol, pass) THUNK_VALUE(symbol, pointer_to_double, double, pass)
#define ENTRY_pointers_to_int(symbol, pass) THUNK_VALUE(symbol, pointers_to_int, int, pass)
#define ENTRY_alloc(symbol, pass) THUNK_VALUE(symbol, alloc, void *, pass)
#define ENTRY_alloc_real(symbol, pass) THUNK_VALUE(symbol, alloc_real, void *, pass)
#define ENTRY_alloc_complex(symbol, pass) THUNK_VALUE(symbol, alloc_complex, void *, pass)

#define FFTW_RELEASE(symbol, shape) ENTRY_##shape(symbol, NULL)
#define FFTW_SERVICE(symbol, shape) ENTRY_##shape(symbol, NULL)
#define FFTW_QUERY(symbol, shape) ENTRY_##shape(symbol, gate_pass(SYMBOL_##symbol, 0, 0))

#include "shim/table/fftw_symbols.def"
