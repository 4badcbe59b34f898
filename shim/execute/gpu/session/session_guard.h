/* session_guard.h - one library call at a time during warm-up, so that fork and exit wait for one call at most */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_GUARD_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_GUARD_H

#include <stdbool.h>

/*
 * Warm-up, around each library call. false: the process is ending, make no call. Waits while a fork
 * is under way.
 */
bool session_guard_enter(void);
void session_guard_leave(void);

/* Warm-up is under way until session_guard_end. */
void session_guard_begin(void);
void session_guard_end(void);

/*
 * Waits while waiting() is true, which changes before session_guard_end; not in the warm-up's own
 * thread.
 */
void session_guard_wait(bool (*waiting)(void));

/*
 * Ends a warm-up after the library call it is in, and waits for that; not for ever, and not for the
 * own thread.
 */
void session_guard_stop(void);

/* Around fork: no other thread is inside a library call of the warm-up. */
void session_guard_before_fork(void);
void session_guard_after_fork_parent(void);
void session_guard_after_fork_child(void);

#endif
