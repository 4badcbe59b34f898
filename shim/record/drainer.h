/* drainer.h - the background thread that empties the rings */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_DRAINER_H
#define GPUSHIM_SHIM_RECORD_DRAINER_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * Users of the thread "gpushim-log". It ends when a fifth of a second has passed without a line, so
 * that it neither keeps a process alive nor stands in the way of what needs a process of one
 * thread. drain: empties the user's ring; false: it was empty. notice: has the bit DRAINER_ASLEEP
 * while there is no thread.
 */
enum { DRAINER_USERS = 2 };
enum { DRAINER_ASLEEP = 1 };
struct drainer_user {
	bool (*drain)(void);
	_Atomic unsigned notice;
};

/*
 * Starts the thread unless it runs; from now on it drains the user's ring too, every fifth of a
 * second and at every wake. From any thread. A user whose notice says DRAINER_ASLEEP after it added
 * a line calls this; between the two it needs a fence, or a membarrier of the whole process
 * registered (PRIVATE_EXPEDITED). Without a thread rings are drained only when they are full and at
 * the end.
 */
void drainer_start(struct drainer_user *user);

/* From any thread; one system call. */
void drainer_wake(void);

/* Asks the thread to drain once more and end; waits for it two seconds at most. */
void drainer_stop(void);

/* In a fork child the thread does not exist. */
void drainer_after_fork_child(void);

#endif
