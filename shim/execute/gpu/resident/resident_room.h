/* resident_room.h - the state that resident.c and resident_prove.c share; internal to them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_RESIDENT_ROOM_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_RESIDENT_ROOM_H

#include "shim/execute/gpu/resident/operand_plan.h"

/*
 * Takes the mutex around all state; false in a process that has not opened: the mutex may be
 * another thread's there for ever.
 */
bool resident_enter(void);
void resident_leave(void);
/* Leaves, and has what was kept on a guess watched. */
void resident_prove_later(void);

/* Below: with the mutex held. */

extern struct operand_context resident_context;
extern _Atomic enum track_reason resident_now;
extern bool resident_repeats; /* the call that begins next has asked the guards */

/* Nothing is valid while the reason lasts, so that it may end later. TRACK_REASON_NONE ends it. */
void resident_suspend(enum track_reason reason);

#endif
