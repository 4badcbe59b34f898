/* count_stub.h - a pool of functions that count a call and jump on to the real one */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_STUB_H
#define GPUSHIM_AUDIT_COUNT_COUNT_STUB_H

#include <stdbool.h>
#include <stdint.h>

#include "audit/count/count_file.h"

enum { COUNT_REGISTERS = 6 };

/*
 * The integer arguments of a call that has just been made: the first six, then those on the stack.
 */
struct count_frame {
	uint64_t registers[COUNT_REGISTERS];
	uint64_t chain, result; /* r10 and rax */
	uint64_t return_address;
	uint64_t stack[];
};

/* The address of the stub of this cell; one for each. */
uintptr_t count_stub_find(int cell);

bool count_stub_contains(uintptr_t address);

/*
 * Where a stub jumps to whose call has been made already: back to the caller, with the frame's
 * result.
 */
uintptr_t count_stub_find_return(void);

/*
 * What each stub calls, with all registers that may hold arguments saved. Returns where the stub
 * jumps to.
 */
uintptr_t count_calls_call(unsigned cell, struct count_frame *frame);

#endif
