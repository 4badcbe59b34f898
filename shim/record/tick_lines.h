/* tick_lines.h - ticks as lines, many to one write */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TICK_LINES_H
#define GPUSHIM_SHIM_RECORD_TICK_LINES_H

#include <sys/types.h>

#include "policy/decide/gate_reason.h"
#include "shim/record/record_data.h"

/* Starts the clocks; each line gives the reason of its routine. */
void tick_lines_open(const struct gate_reasons *reasons);

/*
 * Add lines between begin and end, one thread at a time. The buffer is written whenever it is full,
 * and at the end.
 */
void tick_lines_begin(void);
void tick_lines_add(const struct record_tick *tick, pid_t tid);
void tick_lines_end(void);

/*
 * Writes one line of the calling thread at once. From any thread, also while another one fills the
 * buffer. Keeps errno.
 */
void tick_lines_write_now(const struct record_tick *tick);

#endif
