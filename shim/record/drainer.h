/* drainer.h - the background thread that empties the rings */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_DRAINER_H
#define GPUSHIM_SHIM_RECORD_DRAINER_H

/*
 * Starts the thread "gpushim-log" unless it runs. It calls drain, and those of earlier starts
 * (DRAINER_USERS in all), every fifth of a second and at every wake. Its signals are blocked if the
 * caller's are. From any thread. Without a thread rings are drained only when they are full and at
 * the end.
 */
enum { DRAINER_USERS = 2 };
void drainer_start(void (*drain)(void));

/* From any thread; one system call. */
void drainer_wake(void);

/* Asks the thread to drain once more and end; waits for it two seconds at most. */
void drainer_stop(void);

/* In a fork child the thread does not exist. */
void drainer_after_fork_child(void);

#endif
