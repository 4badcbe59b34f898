/* flow_down.c - results: copied into the ring, confirmed, and only then committed by the copiers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/flow_state.h"

/*
 * The last results come in smaller copies, since their commit overlaps with nothing: one part of
 * FLOW_TAPER of the rest is left for a further copy, unless the rest is FLOW_LAST_BYTES or less:
 * then the further copy would cost more than it saves.
 */
enum { FLOW_TAPER = 3, FLOW_LAST_BYTES = 1 << 20, FLOW_POPULATE_CHUNKS = 4 };

static bool flow_down_is_ready(const struct flow_ticket *ticket)
{
	(void)ticket;
	return true;
}

static uint64_t flow_down_choose_bytes(const struct flow_state *state)
{
	return state->store_bytes > FLOW_LAST_BYTES
	               ? state->store_bytes - state->store_bytes / FLOW_TAPER
	               : state->store_bytes;
}

/* The last pieces are small, since no other work hides them. */
static uint64_t flow_down_choose_piece(const struct flow_state *state)
{
	const struct flow_ring *ring = &state->ring[STAGING_DOWN];
	uint64_t left_bytes = state->store_bytes;
	for (uint64_t number = ring->sent; number < ring->cut; number++)
		left_bytes -= ring->ticket[number % FLOW_TICKETS].bytes;
	return flow_cut_choose_piece(ring, left_bytes, UINT64_MAX);
}

/* Populates the pages of later results, one job at a time, so that copies up are not delayed. */
static void flow_down_populate(struct flow_state *state)
{
	struct flow_cursor *cursor = &state->populate;
	if (state->populating &&
	    !atomic_load_explicit(&state->populate_job.done, memory_order_acquire))
		return;
	state->populating = false;
	if (flow_cut_is_at_end(state, cursor) || state->guard->alone)
		return;
	const struct pack_area *area = &cursor->step.copy.area;
	const uint64_t most_bytes = FLOW_POPULATE_CHUNKS * staging_chunk_bytes();
	const bool whole = area->run_bytes <= most_bytes;
	const uint64_t left = whole ? area->count - cursor->run : area->run_bytes - cursor->byte;
	uint64_t take = whole ? most_bytes / area->run_bytes : most_bytes;
	take = take < left ? take : left;
	state->populate_job = (struct copy_job){
		.kind = COPY_POPULATE,
		.area = {area->host + cursor->run * area->pitch_bytes + cursor->byte,
	                 whole ? area->run_bytes : take, whole ? take : 1, area->pitch_bytes},
		.bell = &state->bell,
	};
	flow_cut_rule(&cursor->step.copy, cursor->run, cursor->byte, &state->populate_rule,
	              &state->populate_job);
	cursor->run += whole ? take : take == left;
	cursor->byte = whole || take == left ? 0 : cursor->byte + take;
	if (cursor->run == area->count)
		flow_cut_next_step(state, cursor, FLOW_STORE);
	state->populating = true;
	copiers_submit(&state->populate_job);
}

/*
 * Room is taken once the result's kernels are queued; while other calls wait for staging, not
 * before they are complete.
 */
static bool flow_down_may_cut(const struct flow_state *state)
{
	const uint32_t *after = state->cursor[FLOW_STORE].step.after;
	return flow_queue_is_due(state, after) &&
	       (state->queue[FLOW_WORK].complete >= after[FLOW_WORK] || !staging_is_wanted());
}

/* The results of these steps are another thread's now. */
static void flow_down_forget_taken(struct flow_state *state)
{
	const struct flow_program *program = state->program;
	const uint32_t end = flow_cut_find_end(state);
	while (state->store_end > end) {
		struct flow_step step;
		program->read(program->self, --state->store_end, &step);
		if (step.kind == FLOW_STORE)
			state->store_bytes -= step.copy.area.run_bytes * step.copy.area.count;
	}
}

enum reason flow_down_issue(struct flow_state *state)
{
	struct flow_ring *ring = &state->ring[STAGING_DOWN];
	const uint64_t before = ring->sent;
	flow_down_forget_taken(state);
	flow_down_populate(state);
	while (flow_down_may_cut(state) &&
	       flow_cut_ticket(state, STAGING_DOWN, flow_down_choose_piece(state)) != NULL)
		continue;
	const enum reason reason =
		flow_send(state, STAGING_DOWN, flow_down_choose_bytes(state), flow_down_is_ready);
	for (uint64_t number = before; number < ring->sent; number++) {
		struct flow_ticket *ticket = &ring->ticket[number % FLOW_TICKETS];
		state->store_bytes -= ticket->bytes;
		ticket->loads = state->ring[STAGING_UP].sent;
	}
	return reason;
}

static void flow_down_scatter(struct flow_state *state, uint32_t tickets)
{
	struct flow_ring *ring = &state->ring[STAGING_DOWN];
	for (uint32_t i = 0; i < tickets; i++) {
		struct flow_ticket *ticket = &ring->ticket[ring->arrived++ % FLOW_TICKETS];
		ticket->job.kind = COPY_SCATTER;
		flow_guard_submit(state, ticket);
	}
}

/* Whether what the next results were computed of is in the shadows, which they may overwrite. */
static bool flow_down_may_commit(const struct flow_state *state)
{
	const struct flow_ring *ring = &state->ring[STAGING_DOWN];
	const struct flow_ticket *next = &ring->ticket[ring->arrived % FLOW_TICKETS];
	return ring->arrived == ring->sent || flow_up_has_kept(state, next->loads);
}

enum reason flow_down_poll(struct flow_state *state)
{
	enum reason reason = REASON_NONE;
	struct flow_op op;
	if (!state->proven)
		return REASON_NONE;
	while (flow_down_may_commit(state) && flow_queue_poll(state, FLOW_STORE, &op, &reason))
		flow_down_scatter(state, op.tickets);
	return reason;
}

static void flow_down_count(struct flow_state *state, const struct flow_ticket *ticket)
{
	const struct flow_program *program = state->program;
	state->step_bytes += ticket->bytes;
	if (program->stored != NULL)
		program->stored(program->self, &ticket->job.area);
	if (!ticket->last)
		return;
	state->progress.stores++;
	state->step_bytes = 0;
}

void flow_down_settle(struct flow_state *state)
{
	struct flow_ring *ring = &state->ring[STAGING_DOWN];
	while (ring->dropped < ring->arrived) {
		const struct flow_ticket *ticket = &ring->ticket[ring->dropped % FLOW_TICKETS];
		if (!flow_guard_is_copied(ticket))
			return;
		flow_down_count(state, ticket);
		if (state->times != NULL)
			flow_times_commit(state, ring->dropped, ticket->bytes);
		flow_cut_drop(ring);
		state->moved = true;
	}
}
