/* flow.c - the event loop that carries out flows; it polls and never blocks in CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/flow.h"

#include <sched.h>
#include <stdlib.h>

#include "shim/base/clock.h"
#include "shim/base/fp_environment.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/engine/flow_state.h"

/*
 * How long to poll at once, how long to yield between polls, and how long each later sleep is; and
 * how long the streams of a failed flow may take to finish.
 */
enum {
	FLOW_SPIN_NS = 20000,
	FLOW_YIELD_NS = 200000,
	FLOW_SLEEP_NS = 50000,
	FLOW_ALIGNMENT_BYTES = 4096
};
static const int64_t flow_drain_ns = INT64_C(2000000000);

/*
 * Time in vain, as far as this thread was looking. A process that was stopped (SIGSTOP, a debugger,
 * a suspended machine) finds a long gap between two looks, in which the device may have finished:
 * it counts as flow_gap_ns at most, and as one part of FLOW_LOOKS of what is allowed.
 */
enum { FLOW_LOOKS = 8 };
static const int64_t flow_gap_ns = INT64_C(100000000);

struct flow_vain {
	int64_t seen_ns, spent_ns;
};

static _Atomic int64_t flow_patience_ns = INT64_C(60000000000);
static int64_t (*_Atomic flow_now_ns)(void) = clock_monotonic_ns;

void flow_set_patience(int64_t patience_ns)
{
	atomic_store(&flow_patience_ns, patience_ns);
}

void flow_set_clock(int64_t (*now_ns)(void))
{
	atomic_store(&flow_now_ns, now_ns);
}

static struct flow_vain flow_vain_begin(void)
{
	return (struct flow_vain){.seen_ns = atomic_load(&flow_now_ns)()};
}

/* After a look in vain. Returns the time so far. */
static int64_t flow_vain_add(struct flow_vain *vain, int64_t allowed_ns)
{
	const int64_t now_ns = atomic_load(&flow_now_ns)();
	int64_t gap_ns = now_ns - vain->seen_ns;
	if (gap_ns > flow_gap_ns)
		gap_ns = flow_gap_ns;
	if (allowed_ns > 0 && gap_ns > allowed_ns / FLOW_LOOKS)
		gap_ns = allowed_ns / FLOW_LOOKS;
	vain->seen_ns = now_ns;
	return vain->spent_ns += gap_ns;
}

/* -- beginning -- */

/* Each flow gets an equal part of the rings. */
static void flow_open_rings(struct flow_state *state, struct staging *staging, int index, int count)
{
	for (int way = 0; way < STAGING_WAYS; way++) {
		uint64_t part_bytes = staging->size_bytes[way] / (uint64_t)count;
		part_bytes -= part_bytes % FLOW_ALIGNMENT_BYTES;
		state->ring[way].base = staging->base[way] + (uint64_t)index * part_bytes;
		state->ring[way].size_bytes = part_bytes;
	}
	state->staging = count == 1 ? staging : NULL;
}

static void flow_open_queues(struct flow_state *state)
{
	state->queue[FLOW_LOAD].stream = state->lane->up_stream;
	state->queue[FLOW_WORK].stream = state->lane->stream;
	state->queue[FLOW_STORE].stream = state->lane->down_stream;
}

/* A C that beta scales is read: its pages exist and need not be populated. */
static bool flow_reads_result(const struct flow_copy *copy)
{
	return copy->rule != NULL && (copy->rule->beta[0] != 0 || copy->rule->beta[1] != 0);
}

/* One pass over the program sums the bytes of all stores. */
static void flow_open_cursors(struct flow_state *state)
{
	struct flow_cursor cursor;
	for (flow_cut_start(state, &cursor, FLOW_STORE); !flow_cut_is_at_end(state, &cursor);
	     flow_cut_next_step(state, &cursor, FLOW_STORE))
		state->store_bytes += cursor.step.copy.area.run_bytes * cursor.step.copy.area.count;
	for (int kind = 0; kind < FLOW_KINDS; kind++)
		flow_cut_start(state, &state->cursor[kind], (enum flow_kind)kind);
	state->populate = state->cursor[FLOW_STORE];
	if (!flow_cut_is_at_end(state, &state->populate) &&
	    flow_reads_result(&state->populate.step.copy))
		state->populate.number = state->program->count;
}

static enum reason flow_open(struct flow *flow, struct flow_guard *guard)
{
	struct flow_state *state = calloc(1, sizeof *state);
	if (state == NULL)
		return REASON_HOST_MEMORY;
	state->lane = flow->lane;
	state->program = &flow->program;
	state->times = flow_times_open(flow->lane);
	state->bell.call = flow_times_call(state->times);
	state->bell.watch = flow->program.watch;
	state->bell.probes = guard->probes;
	state->guard = guard;
	flow_open_queues(state);
	flow_open_cursors(state);
	flow->state = state;
	return REASON_NONE;
}

/* -- going on -- */

static enum reason flow_issue_work(struct flow_state *state)
{
	struct flow_cursor *cursor = &state->cursor[FLOW_WORK];
	struct flow_queue *queue = &state->queue[FLOW_WORK];
	const struct flow_program *program = state->program;
	enum reason reason = REASON_NONE;
	while (reason == REASON_NONE && !flow_cut_is_at_end(state, cursor) &&
	       !flow_queue_is_full(queue) && flow_queue_is_due(state, cursor->step.after)) {
		reason = flow_queue_wait(state, FLOW_WORK, cursor->step.after);
		if (reason == REASON_NONE)
			reason = program->launch(program->self, state->lane, cursor->number);
		if (reason == REASON_NONE)
			reason = flow_queue_end(state, FLOW_WORK,
			                        (struct flow_op){.steps = queue->issued + 1});
		flow_cut_next_step(state, cursor, FLOW_WORK);
	}
	return reason;
}

static enum reason flow_poll_work(struct flow_state *state)
{
	enum reason reason;
	struct flow_op op;
	while (flow_queue_poll(state, FLOW_WORK, &op, &reason))
		continue;
	return reason;
}

/* Another call waits for staging: the ring is emptied, then halved. */
static void flow_share_rings(struct flow_state *state)
{
	for (int way = 0; way < STAGING_WAYS && state->staging != NULL; way++) {
		struct flow_ring *ring = &state->ring[way];
		if (ring->shrinks && ring->dropped == ring->cut) {
			staging_yield(state->staging, (enum staging_way)way);
			ring->size_bytes = state->staging->size_bytes[way];
			ring->shrinks = false;
			state->moved = true;
		} else if (!ring->shrinks && state->staging->count[way] > 1 &&
		           staging_is_wanted()) {
			ring->shrinks = true;
		}
	}
}

/* Begins everything that needs no waiting. */
static enum reason flow_issue(struct flow_state *state)
{
	state->seen = atomic_load(&state->bell.rings);
	flow_share_rings(state);
	enum reason reason = flow_up_issue(state);
	if (reason == REASON_NONE)
		reason = flow_issue_work(state);
	if (reason == REASON_NONE)
		reason = flow_down_issue(state);
	flow_down_settle(state);
	return reason;
}

static enum reason flow_poll(struct flow_state *state)
{
	enum reason reason = flow_up_poll(state);
	if (reason == REASON_NONE)
		reason = flow_poll_work(state);
	if (reason == REASON_NONE)
		reason = flow_down_poll(state);
	return reason;
}

static bool flow_is_done(const struct flow_state *state)
{
	for (int kind = 0; kind < FLOW_KINDS; kind++)
		if (!flow_cut_is_at_end(state, &state->cursor[kind]) ||
		    state->queue[kind].begun != state->queue[kind].ended)
			return false;
	for (int way = 0; way < STAGING_WAYS; way++)
		if (state->ring[way].dropped != state->ring[way].cut)
			return false;
	return !state->populating ||
	       atomic_load_explicit(&state->populate_job.done, memory_order_acquire);
}

/* -- ending -- */

/* CUDA_SUCCESS: all streams are idle, nothing accesses the program's or our memory any more. */
static int flow_ask_streams(struct flow_state *state)
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
static bool flow_drain(struct flow_state *state, enum reason reason)
{
	const int64_t allowed_ns = reason == REASON_DEVICE_SILENT ? 0 : flow_drain_ns;
	struct flow_vain vain = flow_vain_begin();
	int answer;
	for (;;) {
		const bool confirms = flow_down_poll(state) == REASON_NONE;
		answer = flow_ask_streams(state);
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

static void flow_tell_progress(struct flow *flow)
{
	struct flow_state *state = flow->state;
	flow->progress = state->progress;
	fp_environment_note(atomic_load_explicit(&state->bell.found, memory_order_relaxed));
	if (state->step_bytes == 0)
		return;
	uint32_t stores = 0;
	struct flow_step step;
	for (uint32_t number = 0; number < flow->program.count; number++) {
		flow->program.read(flow->program.self, number, &step);
		if (step.kind != FLOW_STORE || stores++ < state->progress.stores)
			continue;
		flow->progress.runs = state->step_bytes / step.copy.area.run_bytes;
		flow->progress.bytes = state->step_bytes % step.copy.area.run_bytes;
		return;
	}
}

/* Returns whether the flow's part of staging may be used again. */
static bool flow_close(struct flow *flow)
{
	struct flow_state *state = flow->state;
	bool idle = true;
	if (flow->reason != REASON_NONE)
		idle = flow_drain(state, flow->reason);
	flow_guard_await_jobs(state);
	flow_guard_repair(state);
	flow_down_settle(state);
	flow_tell_progress(flow);
	if (state->error != CUDA_SUCCESS)
		lanes_note_error(flow->lane, state->error);
	if (!idle)
		lanes_abandon(flow->lane);
	free(state->times);
	free(state);
	flow->state = NULL;
	return idle;
}

/* -- all flows of a call -- */

/*
 * Flows of one call and their staging. asleep_ns, woke_ns: begin of the first and end of the last
 * sleep since the last progress, for a listener.
 */
struct flow_set {
	struct flow *flows;
	int count, open;
	struct staging staging;
	struct flow_guard guard;
	bool reusable;
	int64_t asleep_ns, woke_ns;
};

static void flow_enter(const struct flow_set *set, const struct flow *flow)
{
	if (set->count > 1)
		guest_select(flow->lane->device);
}

static void flow_leave(struct flow_set *set, struct flow *flow)
{
	set->open--;
	if (!flow_close(flow))
		set->reusable = false;
}

/*
 * Calls go for each open flow and closes those that are done or failed; true: something happened.
 */
static bool flow_go_round(struct flow_set *set, enum reason (*go)(struct flow_state *))
{
	bool moved = false;
	for (int i = 0; i < set->count; i++) {
		struct flow *flow = &set->flows[i];
		if (flow->state == NULL)
			continue;
		flow_enter(set, flow);
		flow->state->moved = false;
		flow->reason = go(flow->state);
		moved = moved || flow->state->moved || flow->reason != REASON_NONE;
		if (flow->reason != REASON_NONE || flow_is_done(flow->state))
			flow_leave(set, flow);
	}
	return moved;
}

static void flow_give_up(struct flow_set *set)
{
	for (int i = 0; i < set->count; i++) {
		if (set->flows[i].state == NULL)
			continue;
		flow_enter(set, &set->flows[i]);
		set->flows[i].reason = REASON_DEVICE_SILENT;
		flow_leave(set, &set->flows[i]);
	}
}

static void flow_sleep(struct flow_set *set, struct flow_state *state)
{
	const int64_t asleep_ns = state->times != NULL ? clock_monotonic_ns() : 0;
	copiers_wait(&state->bell, state->seen, FLOW_SLEEP_NS);
	if (asleep_ns == 0)
		return;
	set->woke_ns = clock_monotonic_ns();
	if (set->asleep_ns == 0)
		set->asleep_ns = asleep_ns;
}

/* Consecutive sleeps are reported as one. */
static void flow_tell_sleep(struct flow_set *set)
{
	if (set->asleep_ns == 0)
		return;
	observe_find()->span("wait", set->asleep_ns, set->woke_ns);
	set->asleep_ns = 0;
}

/*
 * Called when nothing happened. A thread wakes late, so sleeping starts only FLOW_YIELD_NS after
 * the last progress; before that other threads may have the processor.
 */
static void flow_pause(struct flow_set *set, int64_t idle_ns)
{
	if (idle_ns > FLOW_SPIN_NS && idle_ns <= FLOW_YIELD_NS)
		sched_yield();
	for (int i = 0; i < set->count && idle_ns > FLOW_YIELD_NS; i++)
		if (set->flows[i].state != NULL) {
			flow_sleep(set, set->flows[i].state);
			return;
		}
}

/* Where no other thread copies, the device may be waiting for the pieces in the queue. */
static bool flow_copy_alone(void)
{
	return copiers_count() == 1 && copiers_help();
}

/*
 * Memory that other threads were refused is copied by this one, and so is all that follows: the
 * program's handler may make a page accessible at the expense of another one.
 */
static void flow_take_over(struct flow_set *set)
{
	for (int i = 0; i < set->count && !set->guard.alone; i++)
		set->guard.alone =
			set->flows[i].state != NULL && flow_guard_was_refused(set->flows[i].state);
	for (int i = 0; i < set->count && set->guard.alone; i++)
		if (set->flows[i].state != NULL)
			flow_guard_await_jobs(set->flows[i].state);
	for (int i = 0; i < set->count && set->guard.alone; i++)
		if (set->flows[i].state != NULL)
			flow_guard_repair(set->flows[i].state);
}

static bool flow_has_jobs(const struct flow_set *set)
{
	for (int i = 0; i < set->count; i++)
		if (set->flows[i].state != NULL && flow_guard_has_jobs(set->flows[i].state))
			return true;
	return false;
}

/*
 * Polls come before a copy of its own: they show what the other threads can copy next. A device
 * is not silent while the program's memory keeps a copy waiting.
 */
static void flow_conduct(struct flow_set *set)
{
	const int64_t patience_ns = atomic_load(&flow_patience_ns);
	struct flow_vain vain = flow_vain_begin();
	while (set->open > 0) {
		flow_take_over(set);
		if (flow_go_round(set, flow_issue) || flow_copy_alone() ||
		    flow_go_round(set, flow_poll) || copiers_help()) {
			vain = flow_vain_begin();
			flow_tell_sleep(set);
			continue;
		}
		const int64_t idle_ns = flow_vain_add(&vain, patience_ns);
		if (patience_ns <= 0 || idle_ns < patience_ns || flow_has_jobs(set))
			flow_pause(set, idle_ns);
		else if (!flow_go_round(set, flow_poll)) /* after the last gap, too */
			flow_give_up(set);
	}
}

static void flow_open_all(struct flow_set *set)
{
	for (int i = 0; i < set->count; i++) {
		struct flow *flow = &set->flows[i];
		flow->progress = (struct flow_progress){.stores = 0};
		flow->state = NULL;
		flow->reason = flow_open(flow, &set->guard);
		if (flow->reason != REASON_NONE)
			continue;
		flow_open_rings(flow->state, &set->staging, i, set->count);
		set->open++;
	}
}

/*
 * Each flow needs a part each way. Where other calls hold the rest of staging, fewer flows run at
 * a time.
 */
static int flow_count_together(const struct staging *staging, int count)
{
	for (int way = 0; way < STAGING_WAYS; way++)
		count = staging->count[way] < count ? staging->count[way] : count;
	return count;
}

/* Runs the first flows, as many as staging allows; returns their number. */
static int flow_run_together(struct flow *flows, int count)
{
	struct flow_set set = {
		.flows = flows, .count = count, .guard = flow_guard_make(), .reusable = true};
	const int64_t begin_ns = observe_begin("take staging");
	const enum reason reason = staging_take(&set.staging);
	observe_end("take staging", begin_ns);
	if (reason != REASON_NONE) {
		for (int i = 0; i < count; i++) {
			flows[i].reason = reason;
			flows[i].progress = (struct flow_progress){.stores = 0};
		}
		return count;
	}
	set.count = flow_count_together(&set.staging, count);
	flow_open_all(&set);
	flow_conduct(&set);
	flow_tell_sleep(&set);
	staging_give(&set.staging, set.reusable);
	return set.count;
}

enum reason flow_run(struct flow *flows, int count)
{
	enum reason reason = REASON_NONE;
	for (int begun = 0; begun < count;) {
		if (count > 1)
			guest_select(flows[begun].lane->device);
		begun += flow_run_together(&flows[begun], count - begun);
	}
	for (int i = 0; i < count && reason == REASON_NONE; i++)
		reason = flows[i].reason;
	return reason;
}
