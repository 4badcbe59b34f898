/* stack.h - runs work on the thread's stack, or on one of the shim's where that is small */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_STACK_H
#define GPUSHIM_SHIM_BASE_STACK_H

#include <stdbool.h>
#include <stddef.h>

/* What work is for, which tells how many bytes of stack it may need. */
enum stack_need { STACK_FOR_CPU, STACK_FOR_GPU, STACK_NEEDS };

/*
 * Calls work(argument) once. It runs on the thread's stack where that is known to have enough left,
 * else on one of the shim's, in the same thread. A coroutine's or a signal handler's stack counts
 * as small. false: not called, because no memory for a stack was left. No exception leaves work; a
 * longjmp out of it loses the shim's stack.
 */
bool stack_run(enum stack_need need, void (*work)(void *argument), void *argument);

/*
 * Bytes left on the calling thread's stack; 0 on a stack that is not the thread's (a coroutine's,
 * a signal handler's) and before the thread's first stack_run.
 */
size_t stack_find_left(void);

/* Whether both lie in the stack that the calling thread was made with; false if that is unknown. */
bool stack_has(const void *address, const void *other);

#endif
