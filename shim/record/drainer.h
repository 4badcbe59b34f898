/* drainer.h - the background thread that empties the rings */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_DRAINER_H
#define GPUSHIM_SHIM_RECORD_DRAINER_H

/*
 * Starts the thread "gpushim-log" unless it runs: it calls drain, and those of earlier starts
 * (DRAINER_USERS in all), every fifth of a second and at every wake. It has all signals blocked if
 * the caller has. From any thread. Without a thread (none can be made) nothing is lost but the
 * wake-ups.
 */
enum { DRAINER_USERS = 2 };
void drainer_start(void (*drain)(void));

/* Any thread. One system call. */
void drainer_wake(void);

/* Asks the thread to end after one more drain and waits for that, two seconds at most. */
void drainer_stop(void);

/* A fork child has no such thread. */
void drainer_after_fork_child(void);

#endif
