/* ring.h - ticks on their way from the calling threads to the log */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_RING_H
#define GPUSHIM_SHIM_RECORD_RING_H

#include <stdbool.h>
#include <sys/types.h>

#include "policy/call/reason.h"
#include "shim/record/record.h"

/* Starts taking ticks; reason is what their lines say. */
void ring_open(enum reason reason);

/*
 * Takes a tick of the calling thread: a few stores into the thread's own ring. The rare rest: the
 * first one maps the ring and starts the drain thread, a full ring is drained by the caller, and
 * after ring_close, without memory for a ring, or in a signal handler that interrupted this very
 * function, the line is written at once. Keeps errno.
 */
void ring_push(const struct record_tick *tick);

/*
 * Writes all that is there; from now on ticks are written at once. Waits a bounded time for the
 * drain thread to end.
 */
void ring_close(void);

/* Fork protocol; signals are blocked from before to after. */
void ring_before_fork(void);
void ring_after_fork_parent(void);
void ring_after_fork_child(void);

#endif
