/* gate.c - the data of the gate, nested calls and bindings */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/gate/gate.h"

#include "shim/base/aside.h"
#include "shim/base/loader.h"

struct gate_slot gate_slots[SYMBOL_COUNT];
_Thread_local struct gate_thread gate_thread;

bool gate_is_nested(uint32_t operation, const void *frame, const void *caller)
{
	if (gate_thread.nested_operation != operation)
		return false;
	/* Where a routine jumps to the inner one, the return address is the shim's own. */
	if ((uintptr_t)frame < (uintptr_t)gate_thread.nested_frame &&
	    (loader_is_own(caller) || loader_same_object(caller, gate_thread.nested_code))) {
		gate_thread.nested_seen = true;
		if (lifetime_find(gate_thread.nested_code) == LIFETIME_PERMANENT) {
			gate_thread.known_caller = caller;
			gate_thread.known_code = gate_thread.nested_code;
		}
		return true;
	}
	gate_unmark(); /* the mark was left by a longjmp or an exception */
	return false;
}

static void gate_unpark(void)
{
	if (gate_thread.parked_counts != NULL)
		gate_thread.counts = gate_thread.parked_counts;
	gate_thread.parked_counts = NULL;
}

void *gate_pass_binding(int symbol, uint32_t operation, uint64_t elements, bool wide)
{
	const struct gate_binding *binding = gate_thread.binding;
	gate_unpark();
	if (binding->width != (wide ? WIDTH_ILP64 : WIDTH_LP64) || gate_is_timed(symbol) ||
	    !gate_is_open(operation, elements, &binding->limit) ||
	    !lifetime_lasts(binding->lifetime))
		return NULL;
	gate_thread.binding = NULL;
	gate_count(gate_thread.counts, symbol);
	return binding->code;
}

struct gate_binding *gate_take_binding(void)
{
	struct gate_binding *binding = gate_thread.binding;
	gate_unpark();
	gate_thread.binding = NULL;
	return binding;
}

void gate_renew_binding(struct gate_binding *binding, void *thunk)
{
	if (lifetime_lasts(binding->lifetime))
		return;
	binding->limit = 0;
	binding->width = WIDTH_PROBE;
	binding->thunk = thunk;
}

static void gate_ask_width(void *context)
{
	struct gate_binding *binding = context;
	const uint64_t lifetime = lifetime_find(binding->code);
	binding->width = cpu_is_wide(binding->symbol, binding->code) ? WIDTH_ILP64 : WIDTH_LP64;
	binding->lifetime = lifetime;
}

/* Several threads at once find the same answer. */
struct cpu_routine gate_find_bound(struct gate_binding *binding)
{
	struct cpu_routine routine = {.code = binding->code};
	if (binding->width == WIDTH_PROBE || !lifetime_lasts(binding->lifetime))
		aside_run_anyway(STACK_FOR_CPU, gate_ask_width, binding);
	routine.wide = binding->width == WIDTH_ILP64;
	return routine;
}
