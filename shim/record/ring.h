/* ring.h - ticks between the calling threads and the log */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_RING_H
#define GPUSHIM_SHIM_RECORD_RING_H

#include <stdbool.h>
#include <sys/types.h>

#include "policy/decide/gate_reason.h"
#include "shim/record/record_data.h"

/* Starts taking ticks; their lines give the reason of their routine. */
void ring_open(const struct gate_reasons *reasons);

/*
 * Takes a tick of the calling thread: a few stores into its own ring. The first one maps the ring
 * and starts the drain thread; a full ring is drained by the caller. The line is written at once
 * after ring_close, without memory for a ring, and in a signal handler that interrupted this
 * function. Keeps errno.
 */
void ring_push(const struct record_tick *tick);

/*
 * Writes all ticks; later ones are written at once. Waits a bounded time for the drain thread to
 * end.
 */
void ring_close(void);

/* Around fork; signals are blocked from before to after. */
void ring_before_fork(void);
void ring_after_fork_parent(void);
void ring_after_fork_child(void);

/* In a child that ran no handler of fork: frees the lock, and leaves what waits to the parent. */
void ring_renew(void);

#endif
