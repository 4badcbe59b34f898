/* timeline_ring.h - lines on their way to the trace's file, from all threads, in bounded memory */
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
 * Takes a copy of a line of at most TIMELINE_LINE_BYTES. From any thread and any signal handler; no
 * lock. AT_MARK: half a ring is new since the last time that was said.
 */
enum timeline_ring_room timeline_ring_add(const char *line, size_t size);

/*
 * Hands over the lines in their order and makes room; a line that is just being added ends it. One
 * thread at a time.
 */
void timeline_ring_empty(void (*take)(const char *line, size_t size));

/* In a fork child, which has one thread: what is there is the parent's. */
void timeline_ring_clear(void);

#endif
