/* tick_lines.h - ticks as lines, many to a write */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TICK_LINES_H
#define GPUSHIM_SHIM_RECORD_TICK_LINES_H

#include <sys/types.h>

#include "policy/call/reason.h"
#include "shim/record/record.h"

/* Starts the clocks; reason is what the lines say. */
void tick_lines_open(enum reason reason);

/*
 * Between begin and end, add lines. One thread at a time; whole lines are written whenever the
 * buffer is full.
 */
void tick_lines_begin(void);
void tick_lines_add(const struct record_tick *tick, pid_t tid);
void tick_lines_end(void);

/*
 * Writes one line of the calling thread at once. Any thread, also while another one fills the
 * buffer. Keeps errno.
 */
void tick_lines_write_now(const struct record_tick *tick);

#endif
