/* aside.h - work of the shim's own inside a call, of which the program's thread keeps no trace */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_ASIDE_H
#define GPUSHIM_SHIM_BASE_ASIDE_H

#include "shim/base/stack.h"

/*
 * stack_run, with cancellation switched off; errno and the pending dlerror() are the program's
 * again afterwards.
 */
bool aside_run(enum stack_need need, void (*work)(void *argument), void *argument);

/* The same for work that cannot be left out: without memory it runs on the thread's stack. */
void aside_run_anyway(enum stack_need need, void (*work)(void *argument), void *argument);

#endif
