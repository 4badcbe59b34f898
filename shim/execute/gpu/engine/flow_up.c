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

/* What is not sent goes to the shadow at once; its room in the ring is not written. */
static void flow_up_choose_copy(struct copy_job *job, bool only_shadow)
{
	job->kind = job->shadow != NULL && !only_shadow ? COPY_BOTH : COPY_GATHER;
	if (only_shadow)
		job->staging = job->shadow;
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
		flow_up_choose_copy(&ticket->job, ticket->only_shadow);
		atomic_store_explicit(&ticket->job.done, direct, memory_order_relaxed);
		if (!direct)
			flow_guard_submit(state, ticket);
		if (!direct && state->guard->alone)
			return;
	}
}

enum reason flow_up_issue(struct flow_state *state)
{
	flow_up_gather(state);
	const enum reason reason = flow_send(state, STAGING_UP, UINT64_MAX, flow_guard_is_copied);
	if (reason == REASON_NONE &&
	    atomic_load_explicit(&state->bell.special, memory_order_relaxed))
		return REASON_NOT_FINITE;
	return reason;
}

enum reason flow_up_poll(struct flow_state *state)
{
	struct flow_ring *ring = &state->ring[STAGING_UP];
	enum reason reason;
	struct flow_op op;
	while (flow_queue_poll(state, FLOW_LOAD, &op, &reason))
		for (ring->arrived += op.tickets; ring->dropped < ring->arrived;)
			flow_cut_drop(ring);
	return reason;
}
