/* coverage_stub.h - a pool of functions that count a call and jump on to the real one */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_COVERAGE_COVERAGE_STUB_H
#define GPUSHIM_COVERAGE_COVERAGE_STUB_H

#include <stdbool.h>
#include <stdint.h>

#include "coverage/coverage_file.h"

enum { COVERAGE_REGISTERS = 6 };

/* The integer arguments of a call that has just been made: the first six, then those on the stack. */
struct coverage_frame {
	uint64_t registers[COVERAGE_REGISTERS];
	uint64_t chain, result; /* r10 and rax */
	uint64_t return_address;
	uint64_t stack[];
};

/* The address of the stub of this cell; one for each. */
uintptr_t coverage_stub_find(int cell);

bool coverage_stub_contains(uintptr_t address);

/* Where a stub jumps to whose call has been made already: back to the caller, with the frame's result. */
uintptr_t coverage_stub_find_return(void);

/* What each stub calls, with all registers that may hold arguments saved. Returns where the stub jumps to. */
uintptr_t coverage_count_call(unsigned cell, struct coverage_frame *frame);

#endif
