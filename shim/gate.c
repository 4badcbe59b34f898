/* gate.c - the data of the gate and its rare questions */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/gate.h"

#include "shim/base/loader.h"

struct gate_slot gate_slots[SYMBOL_COUNT];
_Thread_local struct gate_thread gate_thread;

bool gate_is_nested(uint32_t operation, const void *frame, const void *caller)
{
	if (gate_thread.nested_operation != operation)
		return false;
	if ((uintptr_t)frame < (uintptr_t)gate_thread.nested_frame &&
	    loader_same_object(caller, gate_thread.nested_code)) {
		gate_thread.known_caller = caller;
		gate_thread.known_code = gate_thread.nested_code;
		return true;
	}
	gate_unmark(); /* left behind by a longjmp or an exception */
	return false;
}
