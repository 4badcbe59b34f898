/* flow_queue.c - the streams of a flow: queued and completed operations, waits between streams */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/flow_state.h"

enum reason flow_queue_judge(struct flow_state *state, int error, enum reason reason)
{
	if (error == CUDA_SUCCESS)
		return REASON_NONE;
	state->error = error;
	return reason;
}

bool flow_queue_is_due(const struct flow_state *state, const uint32_t after[FLOW_KINDS])
{
	for (int kind = 0; kind < FLOW_KINDS; kind++)
		if (state->queue[kind].issued < after[kind])
			return false;
	return true;
}

/* The pending operation that completes this number of steps. */
static uint64_t flow_queue_find(const struct flow_queue *queue, uint32_t steps)
{
	uint64_t number = queue->ended;
	while (queue->op[number % FLOW_OPS].steps < steps)
		number++;
	return number;
}

/*
 * Copies take turns with two events, whatever their number: it depends on the device's speed, and
 * more events would be created in some runs only.
 */
static enum reason flow_queue_take_event(struct flow_state *state, enum flow_kind kind,
                                         uint64_t number, void **event)
{
	const uint64_t events = kind == FLOW_WORK ? FLOW_OPS : FLOW_SENDS;
	return lanes_take_event(state->lane, (int)kind, (int)(number % events), event);
}

static enum reason flow_queue_wait_for(struct flow_state *state, struct flow_queue *queue,
                                       enum flow_kind other, uint32_t steps)
{
	const struct flow_queue *first = &state->queue[other];
	void *event;
	if (first == queue || steps <= first->complete)
		return REASON_NONE;
	const uint64_t number = flow_queue_find(first, steps);
	if (number < queue->waited[other])
		return REASON_NONE;
	const enum reason reason = flow_queue_take_event(state, other, number, &event);
	if (reason != REASON_NONE)
		return reason;
	queue->waited[other] = number + 1;
	return flow_queue_judge(state, state->lane->api->stream_wait_event(queue->stream, event, 0),
	                        REASON_DEVICE_FAILED);
}

enum reason flow_queue_wait(struct flow_state *state, enum flow_kind kind,
                            const uint32_t after[FLOW_KINDS])
{
	enum reason reason = REASON_NONE;
	for (int other = 0; other < FLOW_KINDS && reason == REASON_NONE; other++)
		reason = flow_queue_wait_for(state, &state->queue[kind], (enum flow_kind)other,
		                             after[other]);
	return reason;
}

bool flow_queue_is_full(const struct flow_queue *queue)
{
	return queue->begun - queue->ended == FLOW_OPS;
}

enum reason flow_queue_end(struct flow_state *state, enum flow_kind kind, struct flow_op op)
{
	struct flow_queue *queue = &state->queue[kind];
	void *event;
	enum reason reason = flow_queue_take_event(state, kind, queue->begun, &event);
	if (reason == REASON_NONE)
		reason = flow_queue_judge(state,
		                          state->lane->api->event_record(event, queue->stream),
		                          REASON_DEVICE_FAILED);
	if (reason != REASON_NONE)
		return reason;
	if (state->times != NULL)
		flow_times_queue(state, kind);
	queue->op[queue->begun++ % FLOW_OPS] = op;
	queue->issued = op.steps;
	state->moved = true;
	return REASON_NONE;
}

bool flow_queue_poll(struct flow_state *state, enum flow_kind kind, struct flow_op *op,
                     enum reason *reason)
{
	struct flow_queue *queue = &state->queue[kind];
	void *event;
	*reason = REASON_NONE;
	if (queue->ended == queue->begun)
		return false;
	*reason = flow_queue_take_event(state, kind, queue->ended, &event);
	if (*reason != REASON_NONE)
		return false;
	const int error = state->lane->api->event_query(event);
	if (error == CUDA_ERROR_NOT_READY)
		return false;
	*reason = flow_queue_judge(state, error, REASON_DEVICE_FAILED);
	if (*reason != REASON_NONE)
		return false;
	*op = queue->op[queue->ended++ % FLOW_OPS];
	queue->complete = op->steps;
	if (state->times != NULL)
		flow_times_see(state, kind, queue->ended - 1, op);
	state->moved = true;
	return true;
}
