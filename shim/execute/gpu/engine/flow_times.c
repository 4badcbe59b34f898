/* flow_times.c - reports to a listener when operations were queued and seen to be complete */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "shim/base/clock.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/engine/flow_state.h"

/* needs: operations of each stream that had to be complete before, as in flow_queue.waited. */
struct flow_moment {
	int64_t queued_ns, seen_ns;
	uint64_t needs[FLOW_KINDS];
};

/* Indexed like the operations and the downward ring's tickets of flow_state.h. */
struct flow_times {
	uint64_t call;
	int lane;
	struct flow_moment op[FLOW_KINDS][FLOW_OPS];
	int64_t arrived_ns[FLOW_TICKETS];
	/* when the track's last operation was seen to be complete */
	int64_t free_ns[OBSERVE_TRACKS];
};

static const enum observe_track flow_times_track[FLOW_KINDS] = {[FLOW_LOAD] = OBSERVE_LINK_UP,
                                                                [FLOW_WORK] = OBSERVE_KERNELS,
                                                                [FLOW_STORE] = OBSERVE_LINK_DOWN};

/* Without memory for it the flow is not reported. */
struct flow_times *flow_times_open(const struct lane *lane)
{
	if (observe_find() == NULL)
		return NULL;
	struct flow_times *times = calloc(1, sizeof *times);
	if (times == NULL)
		return NULL;
	times->call = observe_find_call();
	times->lane = lanes_find_number(lane);
	return times;
}

uint64_t flow_times_call(const struct flow_times *times)
{
	return times != NULL ? times->call : 0;
}

void flow_times_queue(struct flow_state *state, enum flow_kind kind)
{
	const struct flow_queue *queue = &state->queue[kind];
	struct flow_moment *moment = &state->times->op[kind][queue->begun % FLOW_OPS];
	*moment = (struct flow_moment){.queued_ns = clock_monotonic_ns()};
	for (int other = 0; other < FLOW_KINDS; other++)
		moment->needs[other] = queue->waited[other];
}

static int64_t flow_times_later(int64_t x, int64_t y)
{
	return x > y ? x : y;
}

/* Reports the operation that ends now. It began after the track's previous one. */
static void flow_times_tell(struct flow_state *state, enum observe_track track, int64_t queued_ns,
                            int64_t ready_ns, uint64_t size_bytes)
{
	struct flow_times *times = state->times;
	const int64_t now_ns = clock_monotonic_ns();
	const struct observe_operation operation = {
		.device = state->lane->device,
		.lane = times->lane,
		.track = track,
		.begin_ns = flow_times_later(flow_times_later(queued_ns, ready_ns),
	                                     times->free_ns[track]),
		.end_ns = now_ns,
		.queued_ns = queued_ns,
		.size_bytes = size_bytes,
		.call = times->call,
	};
	times->free_ns[track] = now_ns;
	observe_find()->operate(&operation);
}

/*
 * A needed operation may be seen complete after this one (streams are polled in turn), or its entry
 * may have been reused. In both cases queued_ns or free_ns is the later time.
 */
static int64_t flow_times_find_ready(const struct flow_times *times,
                                     const struct flow_moment *moment)
{
	int64_t ready_ns = 0;
	for (int other = 0; other < FLOW_KINDS; other++)
		if (moment->needs[other] > 0)
			ready_ns = flow_times_later(
				ready_ns,
				times->op[other][(moment->needs[other] - 1) % FLOW_OPS].seen_ns);
	return ready_ns;
}

void flow_times_see(struct flow_state *state, enum flow_kind kind, uint64_t number,
                    const struct flow_op *op)
{
	struct flow_times *times = state->times;
	struct flow_moment *moment = &times->op[kind][number % FLOW_OPS];
	const enum observe_track track = flow_times_track[kind];
	flow_times_tell(state, track, moment->queued_ns, flow_times_find_ready(times, moment),
	                op->bytes);
	moment->seen_ns = times->free_ns[track];
	for (uint32_t i = 0; kind == FLOW_STORE && i < op->tickets; i++)
		times->arrived_ns[(state->ring[STAGING_DOWN].arrived + i) % FLOW_TICKETS] =
			moment->seen_ns;
}

void flow_times_commit(struct flow_state *state, uint64_t ticket, uint64_t size_bytes)
{
	flow_times_tell(state, OBSERVE_COMMITS, state->times->arrived_ns[ticket % FLOW_TICKETS], 0,
	                size_bytes);
}
