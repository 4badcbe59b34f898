/* timeline_ring.h - a bounded ring of the trace's lines, filled by all threads */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_RING_H
#define GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "shim/record/timeline/timeline_line.h"

enum timeline_ring_room { TIMELINE_RING_TAKEN, TIMELINE_RING_TAKEN_AT_MARK, TIMELINE_RING_FULL };

/* Maps the ring; false without memory for it. Once, before the others. */
bool timeline_ring_open(void);

/*
 * Copies a line of at most TIMELINE_LINE_BYTES. From any thread or signal handler, without a lock.
 * AT_MARK: the line completes half a ring.
 */
enum timeline_ring_room timeline_ring_add(const char *line, size_t size);

/*
 * Hands over the lines in order and frees their slots, up to a line that is still being added. One
 * thread at a time. Returns whether there was a line.
 */
bool timeline_ring_empty(void (*take)(const char *line, size_t size));

/* In a fork child, which has one thread: drops the lines, which the parent writes. */
void timeline_ring_clear(void);

#endif
