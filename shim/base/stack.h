/* stack.h - how much of its stack a thread has left */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_STACK_H
#define GPUSHIM_SHIM_BASE_STACK_H

#include <stddef.h>

/*
 * Bytes that the calling thread's stack has left. 0 on a stack that is not the thread's own, a
 * coroutine's or a signal handler's; SIZE_MAX where the system does not tell. Not for every call:
 * of the first thread it reads /proc.
 */
size_t stack_find_left(void);

#endif
