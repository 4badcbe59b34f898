/* stack.h - the room left on a thread's stack */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_STACK_H
#define GPUSHIM_SHIM_BASE_STACK_H

#include <stddef.h>

/*
 * Bytes left on the calling thread's stack; 0 on another stack (a coroutine's, a signal handler's),
 * SIZE_MAX where the system does not tell. Not for every call: for the first thread it reads /proc.
 */
size_t stack_find_left(void);

#endif
