/* schedule_events.h - the events that the simulated CUDA writes in clock mode, one per operation */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_EVENTS_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum event_kind {
	EVENT_UP,
	EVENT_DOWN,
	EVENT_WITHIN,
	EVENT_KERNEL,
	EVENT_RECORD,
	EVENT_WAIT,
	EVENT_KINDS
};
enum event_engine {
	EVENT_ENGINE_UP,
	EVENT_ENGINE_DOWN,
	EVENT_ENGINE_WORK,
	EVENT_ENGINE_NONE,
	EVENT_ENGINES
};

enum { EVENT_AREAS = 8, EVENT_NAME = 48 };

/* A part of a device's memory: height runs of width bytes, pitch apart. */
struct event_area {
	uint64_t begin, pitch, width, height;
};

/*
 * An operation of a device. Copies have the area of the device's side, as read or written. mark is
 * of records and waits.
 */
struct schedule_event {
	uint64_t number; /* in the order of issue */
	enum event_kind kind;
	enum event_engine engine;
	int device;
	uint64_t stream, mark, bytes, error;
	uint64_t issue_ns, start_ns, end_ns;
	double flops, area; /* area: elements of a kernel's result */
	char name[EVENT_NAME];
	int reads, writes;
	struct event_area read[EVENT_AREAS], write[EVENT_AREAS];
};

/* All events, by number. */
struct schedule_events {
	struct schedule_event *event;
	size_t count;
};

/* false after a message on stderr: the file cannot be read, or a line is not an event. */
bool schedule_events_read(const char *path, struct schedule_events *events);

#endif
