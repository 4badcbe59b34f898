/* session_guard.h - lets fork and exit wait for one library call at most while CUDA starts */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_GUARD_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_GUARD_H

#include <stdbool.h>

/*
 * Around each library call of the start. false: the process is ending, make no call. Waits while a
 * fork is under way.
 */
bool session_guard_enter(void);
void session_guard_leave(void);

/* CUDA's start is under way from begin to end. begin: in the starting thread. */
void session_guard_begin(void);
void session_guard_end(void);

/*
 * Waits while waiting() is true; it must become false before session_guard_end. Returns at once in
 * the starting thread.
 */
void session_guard_wait(bool (*waiting)(void));

/*
 * Ends a start after its current library call and waits for that, at most 30 seconds, and not in
 * the starting thread.
 */
void session_guard_stop(void);

/* Around fork: no other thread is inside a library call of the start. */
void session_guard_before_fork(void);
void session_guard_after_fork_parent(void);
void session_guard_after_fork_child(void);

#endif
