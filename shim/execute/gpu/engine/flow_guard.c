/* flow_guard.c - memory that only the calling thread may touch, and jobs of other threads */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/copy/pack_probe.h"
#include "shim/execute/gpu/engine/flow_state.h"

enum { FLOW_GUARD_SLEEP_NS = 50000 };

struct flow_guard flow_guard_make(void)
{
	const bool needed = pack_probe_is_needed();
	return (struct flow_guard){.probes = needed, .alone = needed && !pack_probe_is_able()};
}

static bool flow_guard_is_done(const struct flow_ticket *ticket)
{
	return atomic_load_explicit(&ticket->job.done, memory_order_acquire);
}

bool flow_guard_is_copied(const struct flow_ticket *ticket)
{
	return flow_guard_is_done(ticket) && !ticket->job.refused;
}

/* The tickets of a ring that were given to the copiers end here. */
static uint64_t flow_guard_end(const struct flow_state *state, int way)
{
	const struct flow_ring *ring = &state->ring[way];
	return way == STAGING_UP ? ring->cut : ring->arrived;
}

bool flow_guard_has_jobs(const struct flow_state *state)
{
	for (int way = 0; way < STAGING_WAYS; way++) {
		const struct flow_ring *ring = &state->ring[way];
		for (uint64_t number = ring->dropped; number < flow_guard_end(state, way); number++)
			if (!flow_guard_is_done(&ring->ticket[number % FLOW_TICKETS]))
				return true;
	}
	return state->populating &&
	       !atomic_load_explicit(&state->populate_job.done, memory_order_acquire);
}

void flow_guard_await_jobs(struct flow_state *state)
{
	for (;;) {
		const uint32_t seen = atomic_load(&state->bell.rings);
		if (!flow_guard_has_jobs(state))
			return;
		if (!copiers_help())
			copiers_wait(&state->bell, seen, FLOW_GUARD_SLEEP_NS);
	}
}

bool flow_guard_was_refused(const struct flow_state *state)
{
	return atomic_load_explicit(&state->bell.refused, memory_order_relaxed);
}

void flow_guard_repair(struct flow_state *state)
{
	for (int way = 0; way < STAGING_WAYS; way++) {
		struct flow_ring *ring = &state->ring[way];
		for (uint64_t number = ring->dropped; number < flow_guard_end(state, way);
		     number++) {
			struct flow_ticket *ticket = &ring->ticket[number % FLOW_TICKETS];
			if (ticket->job.refused)
				copiers_copy(&ticket->job);
		}
	}
}

/* The threads read the bell only after the first job was submitted. */
void flow_guard_demand_rights(struct copy_bell *bell)
{
	if (bell->compares)
		return;
	bell->rights = processor_read_rights();
	bell->compares = true;
}

void flow_guard_submit(struct flow_state *state, struct flow_ticket *ticket)
{
	flow_guard_demand_rights(&state->bell);
	if (state->guard->alone)
		copiers_copy(&ticket->job);
	else
		copiers_submit(&ticket->job);
}
