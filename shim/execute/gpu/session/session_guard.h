/* session_guard.h - keeps the start of CUDA from fork, from exit, and from waits without an end */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_GUARD_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_GUARD_H

#include <stdbool.h>

/*
 * Around each library call of the start; enter_load: around each call of the dynamic loader, which
 * waits, a second at most, while a fork is under way. false: the process is ending, make no call.
 */
bool session_guard_enter(void);
bool session_guard_enter_load(void);
void session_guard_leave(void);

/*
 * CUDA's start is under way from begin to end. begin: before its thread is made; begin_thread: in
 * that thread.
 */
void session_guard_begin(void);

/*
 * The start that is about to be chosen is this process's: from then on threads may wait for it,
 * also before session_guard_begin.
 */
void session_guard_claim(void);
void session_guard_begin_thread(void);
void session_guard_end(void);

/*
 * Waits while waiting() is true; session_guard_tell after it became false, or session_guard_end.
 * The thread takes signals meanwhile, and a handler may jump out of the wait. Returns at once in
 * the starting thread and in one that holds a lock of the loader, and after a second for which
 * another thread holds one: the start may need that lock, and the holder this thread.
 */
void session_guard_wait(bool (*waiting)(void));
void session_guard_tell(void);

/*
 * Ends a start after its current library call and waits for that, at most 30 seconds, and not in
 * the starting thread, nor where the call waits for the loader's lock.
 */
void session_guard_stop(void);

/*
 * Around fork. before waits only while the starting thread is inside the loader: a child made then
 * has a loader in pieces, and hangs or crashes in its next dlopen. It does not wait where another
 * thread, or the forking one, holds the loader's lock.
 */
void session_guard_before_fork(void);
void session_guard_after_fork_parent(void);
void session_guard_after_fork_child(void);

#endif
