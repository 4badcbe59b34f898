/* resident_guards.h - which guards a call asks; internal to the room */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_RESIDENT_GUARDS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_RESIDENT_GUARDS_H

#include <stdbool.h>

#include "policy/resident/track_reason.h"

/* With the mutex held, but for resident_guards_note_cuda. */

/* As resident_settings has them. */
void resident_guards_open(bool program_uses_cuda, bool tracks_at_once);
/* had_none: there are no windows. */
void resident_guards_begin_call(bool had_none);

/* Descriptors, libraries and pins: these take up to milliseconds. */
enum track_reason resident_guards_ask_slow(void);
/*
 * What forbids tracking now: the quick guards, and sometimes the slow ones. Before the first window
 * the slow ones in any case: nothing was asked while there was none. ask_again: not so.
 */
enum track_reason resident_guards_ask(void);
enum track_reason resident_guards_ask_again(void);

/* The program uses CUDA; true: for the first time. From any thread. */
bool resident_guards_note_cuda(void);
/* The next call asks the slow guards. */
void resident_guards_demand(void);

/* What forbids tracking was found beside them: they say so until they are asked slowly again. */
void resident_guards_note(enum track_reason reason);

#endif
