/* sim_stream.c - streams: queues of operations that are not executed yet */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "sim_engine.h"

/*
 * Handles are numbers that are never reused and that no pointer can equal: a stale handle is always
 * found.
 */
static const uintptr_t stream_handles = (uintptr_t)0x5151000000000000;

static struct sim_stream *streams;
static uintptr_t next_stream;
static uint64_t next_sequence = 1;

struct sim_stream *sim_stream_list(void)
{
	return streams;
}

struct sim_stream *sim_stream_new(struct sim_device *device, bool is_null, bool blocking)
{
	struct sim_stream *made = calloc(1, sizeof *made);
	if (!made)
		return NULL;
	made->device = device;
	made->is_null = is_null;
	made->blocking = blocking && !is_null;
	made->number = ++next_stream;
	made->handle = stream_handles + 64 * made->number;
	made->next = streams;
	streams = made;
	return made;
}

struct sim_stream *sim_stream_find(void *handle)
{
	/* 1 is cudaStreamLegacy, the explicit handle of the legacy default stream. */
	if (!handle || handle == (void *)1)
		return sim_device_current()->null_stream;
	for (struct sim_stream *s = streams; s; s = s->next)
		if (s->handle == (uintptr_t)handle && !s->is_null && !s->destroyed)
			return s;
	return NULL;
}

/* Queued work is still executed: the stream is freed after its last operation. */
void sim_stream_destroy(struct sim_stream *stream)
{
	stream->destroyed = true;
	sim_stream_reap(stream);
}

void sim_stream_reap(struct sim_stream *stream)
{
	if (!stream->destroyed || stream->head || stream->pins)
		return;
	struct sim_stream **link = &streams;
	while (*link != stream)
		link = &(*link)->next;
	*link = stream->next;
	free(stream);
}

void sim_stream_clear(struct sim_device *device)
{
	for (struct sim_stream *s = streams, *next; s; s = next) {
		next = s->next;
		if (s->device == device)
			sim_stream_destroy(s);
	}
}

uint64_t sim_stream_append(struct sim_stream *stream, struct sim_op *op)
{
	op->sequence = next_sequence++;
	op->issue_ns = sim_clock_now();
	op->next = NULL;
	if (stream->head)
		stream->tail->next = op;
	else
		stream->head = op;
	stream->tail = op;
	return op->sequence;
}

bool sim_stream_hangs(const struct sim_stream *stream)
{
	return stream->head && stream->head->hung && !stream->device->sticky_error;
}

unsigned long sim_stream_count(void)
{
	unsigned long count = 0;
	for (const struct sim_stream *s = streams; s; s = s->next)
		count += !s->is_null && !s->destroyed;
	return count;
}

uint64_t sim_stream_limit(void)
{
	return next_sequence;
}

void sim_op_free(struct sim_op *op)
{
	if (op->mark)
		sim_mark_release(op->mark);
	if (op->copy)
		sim_copy_free(op->copy);
	free(op->kernel.arguments);
	free(op);
}
