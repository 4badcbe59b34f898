/* count_stub.h - a pool of stubs, each of which counts a call and jumps on to the real routine */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_STUB_H
#define GPUSHIM_AUDIT_COUNT_COUNT_STUB_H

#include <stdbool.h>
#include <stdint.h>

#include "audit/count/count_file.h"

enum { COUNT_REGISTERS = 6, COUNT_JUMP = -1 };

/* The integer arguments of a call in progress: the first six, then those on the stack. */
struct count_frame {
	uint64_t registers[COUNT_REGISTERS];
	uint64_t chain, result; /* r10 and rax */
	uint64_t base;          /* rbp */
	uint64_t return_address;
	uint64_t stack[];
};

/*
 * What a stub is to do. words: it calls target with a copy of so many words of the stack, an even
 * number, and then count_calls_return; COUNT_JUMP: it jumps to target.
 */
struct count_target {
	uintptr_t target;
	int64_t words;
};

/* The address of the stub of this cell; each cell has its own. */
uintptr_t count_stub_find(int cell);

bool count_stub_contains(uintptr_t address);

/*
 * The address to jump to where the real routine has been called already: code that returns to the
 * caller with the frame's result.
 */
uintptr_t count_stub_find_return(void);

/* Called by each stub, which has saved all registers that may hold arguments. */
struct count_target count_calls_call(unsigned cell, struct count_frame *frame);

/* Called by a stub whose target has returned. */
void count_calls_return(const struct count_frame *frame);

#endif
