/* flow.c - the event loop that carries out flows; it polls and never blocks in CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/flow.h"

#include <sched.h>
#include <stdlib.h>

#include "shim/base/clock.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/blocking.h"
#include "shim/execute/gpu/engine/flow_set.h"
#include "shim/shield/shield.h"

/*
 * How many copying threads there are beside the one that conducts: below the first number it copies
 * pieces of any size, else only those that take it a few microseconds; below the second it also
 * asks questions.
 */
enum { FLOW_HELPED = 11, FLOW_ASKED = 4, FLOW_SHORT_BYTES = FLOW_PIECE_LEAST_BYTES };
/* How long to poll at once, and how long to yield between polls. */
enum { FLOW_SPIN_NS = 20000, FLOW_YIELD_NS = 200000 };
/* How long copies of a call may take that its thread has left. */
static const int64_t flow_stop_ns = INT64_C(2000000000);

/*
 * Time in vain, as far as this thread was looking. A process that was stopped (SIGSTOP, a debugger,
 * a suspended machine) finds a long gap between two looks, in which the device may have finished:
 * it counts as flow_gap_ns at most, and as one part of FLOW_LOOKS of what is allowed.
 */
enum { FLOW_LOOKS = 8 };
static const int64_t flow_gap_ns = INT64_C(100000000);

static _Atomic int64_t flow_patience_ns = INT64_C(60000000000);
static int64_t (*_Atomic flow_now_ns)(void) = clock_monotonic_ns;

void flow_set_patience(int64_t patience_ns)
{
	atomic_store(&flow_patience_ns, patience_ns);
}

int64_t flow_find_patience(void)
{
	return atomic_load(&flow_patience_ns);
}

void flow_set_clock(int64_t (*now_ns)(void))
{
	atomic_store(&flow_now_ns, now_ns);
}

struct flow_vain flow_vain_begin(void)
{
	return (struct flow_vain){.seen_ns = atomic_load(&flow_now_ns)()};
}

int64_t flow_vain_add(struct flow_vain *vain, int64_t allowed_ns)
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

/* -- going on -- */

static bool flow_has_begun(const struct flow_state *state, uint32_t number, enum reason *reason)
{
	const struct flow_program *program = state->program;
	return program->begin == NULL || program->begin(program->self, state->lane, number, reason);
}

/* Where another thread may take steps over, kernels that wait on the device are few. */
enum { FLOW_AHEAD = 2 };

static bool flow_may_launch(struct flow_state *state)
{
	const struct flow_cursor *cursor = &state->cursor[FLOW_WORK];
	const struct flow_queue *queue = &state->queue[FLOW_WORK];
	struct flow_tail *tail = state->program->tail;
	if (flow_cut_is_at_end(state, cursor) || flow_queue_is_full(queue) ||
	    !flow_queue_is_due(state, cursor->step.after))
		return false;
	if (tail == NULL)
		return true;
	const bool ahead = queue->begun - queue->ended >= FLOW_AHEAD;
	return !(ahead && cursor->number >= tail->first) && flow_tail_begin(tail, cursor->number);
}

static enum reason flow_issue_work(struct flow_state *state)
{
	struct flow_cursor *cursor = &state->cursor[FLOW_WORK];
	struct flow_queue *queue = &state->queue[FLOW_WORK];
	const struct flow_program *program = state->program;
	enum reason reason = REASON_NONE;
	while (reason == REASON_NONE && flow_may_launch(state)) {
		reason = flow_queue_wait(state, FLOW_WORK, cursor->step.after);
		if (reason == REASON_NONE && !flow_has_begun(state, cursor->number, &reason))
			return reason;
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

/* Until the device computes, copy threads that ask would keep it waiting for what they copy. */
static bool flow_has_time_to_prove(const struct flow_state *state)
{
	const struct flow_ring *loads = &state->ring[STAGING_UP];
	return loads->sent == loads->cut || state->queue[FLOW_WORK].begun > 0;
}

/* A part, so that the streams do not run dry meanwhile. */
static enum reason flow_prove(struct flow_state *state)
{
	const struct flow_program *program = state->program;
	if (state->proven || !flow_has_time_to_prove(state))
		return REASON_NONE;
	const enum resident_proof proof = program->prove(program->self);
	state->proven = proof == RESIDENT_PROVEN;
	state->moved = proof != RESIDENT_AWAITED;
	return proof == RESIDENT_REFUTED ? REASON_NOT_SOLVED : REASON_NONE;
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

/* -- all flows of a call -- */

static void flow_enter(const struct flow_set *set, const struct flow *flow)
{
	if (set->count > 1)
		guest_select(flow->lane->device);
}

static void flow_leave(struct flow_set *set, struct flow *flow)
{
	set->open--;
	if (!flow_life_close(flow))
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

/* -- going on, all flows -- */

static void flow_wait(struct flow_state *state)
{
	copiers_wait(&state->bell, state->seen, FLOW_SLEEP_NS);
}

static void flow_sleep(struct flow_set *set, struct flow_state *state)
{
	const int64_t asleep_ns = state->times != NULL ? clock_monotonic_ns() : 0;
	if (set->aside || flow_gap_has_jobs(set))
		flow_wait(state);
	else
		flow_gap_open(set, flow_wait);
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
 * A thread that copies a piece issues nothing meanwhile. Of many threads one is missed less than
 * the links miss what it would issue, but in the first turn, where all pieces are short; and
 * questions take longer than a piece.
 */
static bool flow_help(void)
{
	const int others = copiers_count_others_now();
	if (others < FLOW_ASKED)
		return copiers_help();
	return copiers_help_to_copy(others < FLOW_HELPED ? UINT64_MAX : FLOW_SHORT_BYTES);
}

/*
 * Memory that other threads were refused is copied by this one, and so is all that follows: the
 * program's handler may make a page accessible at the expense of another one.
 */
static void flow_take_over(struct flow_set *set)
{
	if (set->aside)
		return;
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

/* Aside, the loop ends where the call's thread asks for it, or has to copy itself. */
static bool flow_is_stopped(const struct flow_set *set)
{
	bool stopped = set->aside && atomic_load_explicit(&set->stop, memory_order_acquire);
	for (int i = 0; i < set->count && set->aside; i++)
		stopped = stopped || (set->flows[i].state != NULL &&
		                      flow_guard_was_refused(set->flows[i].state));
	return stopped;
}

/*
 * Polls come before a copy of its own: they show what the other threads can copy next. A device
 * is not silent while the program's memory keeps a copy waiting.
 */
void flow_set_conduct(struct flow_set *set)
{
	const int64_t patience_ns = atomic_load(&flow_patience_ns);
	struct flow_vain vain = flow_vain_begin();
	set->handlers_ns = vain.seen_ns;
	while (set->open > 0 && !flow_is_stopped(set)) {
		flow_take_over(set);
		if (flow_go_round(set, flow_issue) || flow_copy_alone() ||
		    flow_go_round(set, flow_poll) || flow_help() ||
		    flow_go_round(set, flow_prove)) {
			vain = flow_vain_begin();
			flow_tell_sleep(set);
			flow_gap_let_handlers_run(set, vain.seen_ns);
			continue;
		}
		const int64_t idle_ns = flow_vain_add(&vain, patience_ns);
		if (patience_ns <= 0 || idle_ns < patience_ns || flow_gap_has_jobs(set))
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
		flow->reason = flow_life_open(flow, &set->guard);
		if (flow->reason != REASON_NONE)
			continue;
		flow_life_open_rings(flow->state, &set->staging, i, set->count);
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

static void flow_refuse(struct flow *flows, int begin, int end, enum reason reason)
{
	for (int i = begin; i < end; i++) {
		flows[i].reason = reason;
		flows[i].progress = (struct flow_progress){.stores = 0};
	}
}

/* For a call that its thread leaves: whoever takes it over stops the other thread by this. */
static void flow_note_stop(struct flow_set *set, atomic_bool *stop)
{
	for (int i = 0; i < set->count; i++)
		if (set->flows[i].state != NULL)
			set->flows[i].state->stop = stop;
}

static void flow_conduct(struct flow_set *set, struct flow_beside *beside)
{
	if (beside == NULL) {
		flow_set_conduct(set);
		return;
	}
	flow_note_stop(set, &set->stop);
	flow_beside_conduct(set, beside);
}

/* Runs the first flows of the set, as many as staging allows; returns their number. */
static int flow_run_together(struct flow_set *set, struct flow_beside *beside)
{
	const int count = set->count;
	const int64_t begin_ns = observe_begin("take staging");
	const enum reason reason = staging_take_for(&set->staging, flow_gap_leader(set));
	observe_end("take staging", begin_ns);
	if (reason != REASON_NONE) {
		flow_refuse(set->flows, 0, count, reason);
		return count;
	}
	set->count = flow_count_together(&set->staging, count);
	flow_open_all(set);
	flow_conduct(set, beside);
	flow_tell_sleep(set);
	if (set->left)
		flow_refuse(set->flows, set->count, count, REASON_CALL_LEFT);
	else
		staging_give(&set->staging, set->reusable);
	return set->left ? count : set->count;
}

/* With beside another thread reads the set, which must outlive a jump out of the call. */
static int flow_run_set(struct flow *flows, int count, struct flow_beside *beside)
{
	struct flow_set own, *set = beside != NULL ? malloc(sizeof *set) : &own;
	if (set == NULL) {
		flow_refuse(flows, 0, count, REASON_HOST_MEMORY);
		return count;
	}
	*set = (struct flow_set){
		.flows = flows, .count = count, .guard = flow_guard_make(), .reusable = true};
	const int begun = flow_run_together(set, beside);
	if (beside != NULL)
		free(set);
	return begun;
}

/* -- calls that their thread has left -- */

static bool flow_stop(struct lane *lane)
{
	struct flow_state *state = lane->engine;
	const int64_t end_ns = clock_monotonic_ns() + flow_stop_ns;
	if (state != NULL && state->stop != NULL)
		atomic_store(state->stop, true);
	if (!blocking_stop(lane, end_ns))
		return false;
	if (state == NULL)
		return true;
	copiers_withdraw(&state->bell);
	while (flow_guard_has_jobs(state) && clock_monotonic_ns() < end_ns)
		copiers_wait(&state->bell, atomic_load(&state->bell.rings), FLOW_SLEEP_NS);
	return !flow_guard_has_jobs(state);
}

static const struct lanes_engine flow_engine = {flow_stop, staging_reclaim};

enum reason flow_run_beside(struct flow *flows, int count, struct flow_beside *beside)
{
	enum reason reason = REASON_NONE;
	lanes_set_engine(&flow_engine);
	for (int begun = 0; begun < count;) {
		if (count > 1)
			guest_select(flows[begun].lane->device);
		begun += flow_run_set(&flows[begun], count - begun, beside);
	}
	for (int i = 0; i < count; i++)
		if (reason == REASON_NONE || flows[i].reason == REASON_CALL_LEFT)
			reason = flows[i].reason;
	return reason;
}

enum reason flow_run(struct flow *flows, int count)
{
	return flow_run_beside(flows, count, NULL);
}
