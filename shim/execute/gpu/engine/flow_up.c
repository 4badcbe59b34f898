/* flow_up.c - loads: gathered into the ring by the copiers, then sent */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/flow_state.h"

/* A load may read a result: the stores that it comes after must be committed. */
static bool flow_up_may_cut(const struct flow_state *state)
{
	return state->progress.stores >= state->cursor[FLOW_LOAD].step.after[FLOW_STORE];
}

/* The first pieces of a flow are small, so that the link begins soon. */
static uint64_t flow_up_choose_piece(const struct flow_state *state)
{
	const struct flow_ring *ring = &state->ring[STAGING_UP];
	return flow_cut_choose_piece(ring, flow_cut_count_rest(&state->cursor[FLOW_LOAD]),
	                             ring->cut_bytes / (uint64_t)copiers_count());
}

/*
 * Of the first bytes of a flow the link waits for what the threads gather, so that these fill the
 * shadow later, from the ring, where they keep half of the room at most. An imaginary part that the
 * ring lacks is kept at once.
 */
enum { FLOW_KEPT_LATE_BYTES = 16 << 20 };

static bool flow_up_may_keep_late(const struct flow_state *state, const struct copy_job *job)
{
	const struct flow_ring *ring = &state->ring[STAGING_UP];
	return ring->cut_bytes <= FLOW_KEPT_LATE_BYTES && ring->cut_bytes <= ring->size_bytes / 2 &&
	       !state->guard->alone && (job->rule == NULL || !job->rule->hermitian);
}

/* What is not sent goes to the shadow at once; its room in the ring is not written. */
static void flow_up_choose_copy(const struct flow_state *state, struct flow_ticket *ticket)
{
	struct copy_job *job = &ticket->job;
	if (ticket->only_shadow)
		job->staging = job->shadow;
	ticket->keeps_late = job->shadow != NULL && job->staging != NULL && !ticket->only_shadow &&
	                     flow_up_may_keep_late(state, job);
	job->kind = job->shadow == NULL || ticket->only_shadow || ticket->keeps_late ? COPY_GATHER
	                                                                             : COPY_BOTH;
}

/*
 * Cuts tickets, and gives the copiers those that the device does not read itself. A thread that
 * copies alone cuts one at a time, because the others can be sent meanwhile.
 */
static void flow_up_gather(struct flow_state *state)
{
	struct flow_ticket *ticket;
	while (flow_up_may_cut(state) &&
	       (ticket = flow_cut_ticket(state, STAGING_UP, flow_up_choose_piece(state))) != NULL) {
		const bool direct = ticket->job.staging == NULL;
		flow_up_choose_copy(state, ticket);
		atomic_store_explicit(&ticket->job.done, direct, memory_order_relaxed);
		if (!direct)
			flow_guard_submit(state, ticket);
		if (!direct && state->guard->alone)
			return;
	}
}

/* From that ticket on, those that were sent since. */
static void flow_up_keep(struct flow_state *state, uint64_t number)
{
	struct flow_ring *ring = &state->ring[STAGING_UP];
	for (; number < ring->sent; number++) {
		struct flow_ticket *ticket = &ring->ticket[number % FLOW_TICKETS];
		if (!ticket->keeps_late)
			continue;
		ticket->job.kind = COPY_KEEP;
		atomic_store_explicit(&ticket->job.done, false, memory_order_relaxed);
		flow_guard_submit(state, ticket);
	}
}

enum reason flow_up_issue(struct flow_state *state)
{
	flow_up_gather(state);
	const uint64_t before = state->ring[STAGING_UP].sent;
	const enum reason reason = flow_send(state, STAGING_UP, UINT64_MAX, flow_guard_is_copied);
	flow_up_keep(state, before);
	if (reason == REASON_NONE &&
	    atomic_load_explicit(&state->bell.special, memory_order_relaxed))
		return REASON_NOT_FINITE;
	return reason;
}

bool flow_up_has_kept(const struct flow_state *state, uint64_t end)
{
	const struct flow_ring *ring = &state->ring[STAGING_UP];
	for (uint64_t number = ring->dropped; number < end; number++)
		if (!flow_guard_is_copied(&ring->ticket[number % FLOW_TICKETS]))
			return false;
	return true;
}

enum reason flow_up_poll(struct flow_state *state)
{
	struct flow_ring *ring = &state->ring[STAGING_UP];
	enum reason reason;
	struct flow_op op;
	while (flow_queue_poll(state, FLOW_LOAD, &op, &reason))
		ring->arrived += op.tickets;
	while (ring->dropped < ring->arrived && flow_up_has_kept(state, ring->dropped + 1)) {
		flow_cut_drop(ring);
		state->moved = true;
	}
	return reason;
}
