/* count_stub.h - a pool of stubs, each of which counts a call and jumps on to the real routine */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_STUB_H
#define GPUSHIM_AUDIT_COUNT_COUNT_STUB_H

#include <stdbool.h>
#include <stdint.h>

#include "audit/count/count_file.h"

enum { COUNT_REGISTERS = 6 };

/* The integer arguments of a call in progress: the first six, then those on the stack. */
struct count_frame {
	uint64_t registers[COUNT_REGISTERS];
	uint64_t chain, result; /* r10 and rax */
	uint64_t return_address;
	uint64_t stack[];
};

/* The address of the stub of this cell; each cell has its own. */
uintptr_t count_stub_find(int cell);

bool count_stub_contains(uintptr_t address);

/*
 * The address to jump to where the real routine has been called already: code that returns to the
 * caller with the frame's result.
 */
uintptr_t count_stub_find_return(void);

/*
 * Called by each stub, which has saved all registers that may hold arguments. Returns the address
 * to which the stub jumps.
 */
uintptr_t count_calls_call(unsigned cell, struct count_frame *frame);

#endif
