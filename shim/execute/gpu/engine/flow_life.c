/* flow_life.c - begins and ends one flow: its state, rings and progress */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "shim/base/fp_environment.h"
#include "shim/base/lasting.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/flow_state.h"

enum { FLOW_LIFE_ALIGNMENT_BYTES = 4096 };

/* How long the streams of a failed flow may take to finish. */
static const int64_t flow_life_drain_ns = INT64_C(2000000000);

/* -- beginning -- */

/* Each flow gets an equal part of the rings. */
void flow_life_open_rings(struct flow_state *state, struct staging *staging, int index, int count)
{
	for (int way = 0; way < STAGING_WAYS; way++) {
		uint64_t part_bytes = staging->size_bytes[way] / (uint64_t)count;
		part_bytes -= part_bytes % FLOW_LIFE_ALIGNMENT_BYTES;
		state->ring[way].base = staging->base[way] + (uint64_t)index * part_bytes;
		state->ring[way].size_bytes = part_bytes;
	}
	state->staging = count == 1 ? staging : NULL;
}

static void flow_life_open_queues(struct flow_state *state)
{
	state->queue[FLOW_LOAD].stream = state->lane->up_stream;
	state->queue[FLOW_WORK].stream = state->lane->stream;
	state->queue[FLOW_STORE].stream = state->lane->down_stream;
}

/* A C that beta scales is read: its pages exist and need not be populated. */
static bool flow_life_reads_result(const struct flow_copy *copy)
{
	return copy->rule != NULL && (copy->rule->beta[0] != 0 || copy->rule->beta[1] != 0);
}

/* One pass over the program sums the bytes of all stores. */
static void flow_life_open_cursors(struct flow_state *state)
{
	struct flow_cursor cursor;
	for (flow_cut_start(state, &cursor, FLOW_STORE); !flow_cut_is_at_end(state, &cursor);
	     flow_cut_next_step(state, &cursor, FLOW_STORE))
		state->store_bytes += cursor.step.copy.area.run_bytes * cursor.step.copy.area.count;
	state->store_end = flow_cut_find_end(state);
	for (int kind = 0; kind < FLOW_KINDS; kind++)
		flow_cut_start(state, &state->cursor[kind], (enum flow_kind)kind);
	state->populate = state->cursor[FLOW_STORE];
	if (!flow_cut_is_at_end(state, &state->populate) &&
	    flow_life_reads_result(&state->populate.step.copy))
		state->populate.number = state->program->count;
}

/*
 * The state is the lane's: copy threads may still work with that of a call which its thread has
 * left.
 */
static struct flow_state *flow_life_take_state(struct lane *lane)
{
	if (lane->engine == NULL)
		lane->engine = lasting_take(sizeof(struct flow_state));
	if (lane->engine != NULL)
		memset(lane->engine, 0, sizeof(struct flow_state));
	return lane->engine;
}

enum reason flow_life_open(struct flow *flow, struct flow_guard *guard)
{
	struct flow_state *state = flow_life_take_state(flow->lane);
	if (state == NULL)
		return REASON_HOST_MEMORY;
	state->lane = flow->lane;
	state->program = &flow->program;
	state->times = flow_times_open(flow->lane);
	state->bell.call = flow_times_call(state->times);
	state->bell.watch = flow->program.watch;
	state->bell.probes = guard->probes;
	state->proven = flow->program.prove == NULL;
	state->guard = guard;
	flow_life_open_queues(state);
	flow_life_open_cursors(state);
	flow->state = state;
	return REASON_NONE;
}

/* -- ending -- */

/* CUDA_SUCCESS: all streams are idle, nothing accesses the program's or our memory any more. */
static int flow_life_ask_streams(struct flow_state *state)
{
	int error = CUDA_SUCCESS;
	for (int kind = 0; kind < FLOW_KINDS && error == CUDA_SUCCESS; kind++)
		error = state->lane->api->stream_query(state->queue[kind].stream);
	if (error != CUDA_SUCCESS && error != CUDA_ERROR_NOT_READY)
		state->error = error;
	return error;
}

/*
 * After a failure: commits, in order, what the device confirms in time. A device that was silent is
 * not waited for again. Returns whether the streams are idle.
 */
static bool flow_life_drain(struct flow_state *state, enum reason reason)
{
	const int64_t allowed_ns = reason == REASON_DEVICE_SILENT ? 0 : flow_life_drain_ns;
	struct flow_vain vain = flow_vain_begin();
	int answer;
	for (;;) {
		const bool confirms = flow_down_poll(state) == REASON_NONE;
		answer = flow_life_ask_streams(state);
		if (answer != CUDA_ERROR_NOT_READY || !confirms ||
		    flow_vain_add(&vain, allowed_ns) >= allowed_ns)
			break;
		if (!copiers_help())
			copiers_wait(&state->bell, atomic_load(&state->bell.rings), FLOW_SLEEP_NS);
	}
	if (answer == CUDA_SUCCESS)
		flow_down_poll(state);
	return answer == CUDA_SUCCESS;
}

/* What the flow keeps of its state, for the case that it loses it. */
void flow_life_keep_progress(struct flow *flow)
{
	const struct flow_state *state = flow->state;
	flow->progress = state->progress;
	flow->step_bytes = state->step_bytes;
	fp_environment_note(atomic_load_explicit(&state->bell.found, memory_order_relaxed));
}

void flow_life_tell_progress(struct flow *flow)
{
	if (flow->step_bytes == 0)
		return;
	uint32_t stores = 0;
	struct flow_step step;
	for (uint32_t number = 0; number < flow->program.count; number++) {
		flow->program.read(flow->program.self, number, &step);
		if (step.kind != FLOW_STORE || stores++ < flow->progress.stores)
			continue;
		flow->progress.runs = flow->step_bytes / step.copy.area.run_bytes;
		flow->progress.bytes = flow->step_bytes % step.copy.area.run_bytes;
		return;
	}
}

/* Returns whether the flow's part of staging may be used again. */
bool flow_life_close(struct flow *flow)
{
	struct flow_state *state = flow->state;
	bool idle = true;
	if (flow->reason != REASON_NONE)
		idle = flow_life_drain(state, flow->reason);
	flow_guard_await_jobs(state);
	flow_guard_repair(state);
	flow_down_settle(state);
	flow_life_keep_progress(flow);
	flow_life_tell_progress(flow);
	if (state->error != CUDA_SUCCESS)
		lanes_note_error(flow->lane, state->error);
	if (!idle)
		lanes_abandon(flow->lane);
	free(state->times);
	state->times = NULL;
	state->stop = NULL;
	flow->state = NULL;
	return idle;
}
