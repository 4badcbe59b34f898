/* sim_event.c - events: marks in streams that others wait for */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "sim_engine.h"

static const uintptr_t event_handles = (uintptr_t)0x5252000000000000;

static struct sim_event *events;
static uintptr_t next_event;
static uint64_t next_mark;

struct sim_event *sim_event_new(struct sim_device *device, bool timed)
{
	struct sim_event *made = calloc(1, sizeof *made);
	if (!made)
		return NULL;
	*made = (struct sim_event){.next = events,
	                           .handle = event_handles + 64 * ++next_event,
	                           .device = device,
	                           .timed = timed};
	events = made;
	return made;
}

struct sim_event *sim_event_find(void *handle)
{
	for (struct sim_event *e = events; e; e = e->next)
		if (e->handle == (uintptr_t)handle)
			return e;
	return NULL;
}

unsigned long sim_event_count(void)
{
	unsigned long count = 0;
	for (const struct sim_event *e = events; e; e = e->next)
		count++;
	return count;
}

void sim_mark_release(struct sim_mark *mark)
{
	if (mark && !--mark->references)
		free(mark);
}

void sim_event_destroy(struct sim_event *event)
{
	struct sim_event **link = &events;
	while (*link != event)
		link = &(*link)->next;
	*link = event->next;
	sim_mark_release(event->mark);
	free(event);
}

void sim_event_clear(struct sim_device *device)
{
	for (struct sim_event *e = events, *next; e; e = next) {
		next = e->next;
		if (e->device == device)
			sim_event_destroy(e);
	}
}

/* The operation takes over one reference to the mark. */
static int event_append(struct sim_stream *stream, enum sim_op_kind kind, struct sim_mark *mark)
{
	struct sim_op *op = calloc(1, sizeof *op);
	if (!op)
		return SIM_cudaErrorMemoryAllocation;
	op->kind = kind;
	op->engine = SIM_ENGINE_NONE;
	op->mark = mark;
	mark->references++;
	sim_stream_append(stream, op);
	return 0;
}

int sim_event_record(struct sim_event *event, struct sim_stream *stream)
{
	if (event->device != stream->device)
		return SIM_cudaErrorInvalidResourceHandle;
	struct sim_mark *mark = calloc(1, sizeof *mark);
	if (!mark)
		return SIM_cudaErrorMemoryAllocation;
	mark->stream = stream;
	mark->number = ++next_mark;
	mark->references = 1;
	if (event_append(stream, SIM_OP_RECORD, mark)) {
		free(mark);
		return SIM_cudaErrorMemoryAllocation;
	}
	sim_mark_release(event->mark);
	event->mark = mark;
	return 0;
}

/* Waits for the record that is the latest at this call, not for a later one. */
int sim_event_wait(struct sim_event *event, struct sim_stream *stream)
{
	return event->mark ? event_append(stream, SIM_OP_WAIT, event->mark) : 0;
}
