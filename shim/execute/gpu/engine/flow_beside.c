/* flow_beside.c - flows conducted by a thread of a lane's while the call's thread computes */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread of the call keeps its signals blocked. Before handlers of the program run it stops the
 * other thread, which ends: a jump out of a handler leaves no thread behind, and nothing writes to
 * the program's memory afterwards. Another thread goes on after the gap.
 */
#include "shim/base/clock.h"
#include "shim/base/fp_environment.h"
#include "shim/execute/gpu/engine/blocking.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/flow_set.h"
#include "shim/shield/shield.h"

/* How long the call's thread waits at a time, once it has nothing left to compute. */
enum { FLOW_BESIDE_WAIT_NS = 200000 };

/* -- the lane's thread -- */

/* The call's thread may compute for long after the device is done: others wait for its staging. */
static enum reason flow_beside_work(struct lane *lane, void *object)
{
	struct flow_set *set = object;
	const struct traffic outer = traffic_begin();
	(void)lane;
	flow_set_conduct(set);
	flow_gap_await_copies(set);
	if (set->open == 0)
		staging_give(&set->staging, set->reusable);
	const struct traffic own = traffic_end(&outer);
	set->sent.sent_bytes += own.sent_bytes;
	set->sent.kept_bytes += own.kept_bytes;
	set->noted |= fp_environment_take_noted();
	return REASON_NONE;
}

/* -- the call's thread -- */

static bool flow_beside_is_running(struct flow_set *set)
{
	enum reason unused;
	return !blocking_has_ended(flow_gap_leader(set), &unused);
}

/* What the lane's thread has counted is this one's. */
static void flow_beside_take_counts(struct flow_set *set)
{
	traffic_note_sent(set->sent.sent_bytes);
	traffic_note_kept(set->sent.kept_bytes);
	fp_environment_note(set->noted);
	set->sent = (struct traffic){0, 0};
	set->noted = 0;
	set->aside = false;
}

/* Where no thread can be made, this one conducts at once. */
static void flow_beside_start(struct flow_set *set)
{
	set->aside = true;
	atomic_store(&set->stop, false);
	if (blocking_begin(flow_gap_leader(set), flow_beside_work, set) == REASON_NONE)
		return;
	set->aside = false;
	flow_set_conduct(set);
}

static void flow_beside_await(struct flow_set *set)
{
	struct lane *leader = flow_gap_leader(set);
	while (flow_beside_is_running(set))
		blocking_wait(leader, FLOW_BESIDE_WAIT_NS);
	flow_beside_take_counts(set);
}

/* Handlers run. The flows go on afterwards, unless the call was taken over. */
static void flow_beside_let_handlers_run(struct flow_set *set)
{
	atomic_store(&set->stop, true);
	flow_beside_await(set);
	flow_gap_open(set, NULL);
	if (!set->left && set->open > 0)
		flow_beside_start(set);
}

/* Where the lane's thread had to stop for memory of the program, this one goes on. */
static void flow_beside_look(struct flow_set *set)
{
	if (set->aside && !flow_beside_is_running(set)) {
		flow_beside_take_counts(set);
		flow_set_conduct(set);
	} else if (shield_is_asked()) {
		flow_beside_let_handlers_run(set);
	}
}

static void flow_beside_wait(struct flow_set *set)
{
	struct lane *leader = flow_gap_leader(set);
	if (!copiers_help())
		blocking_wait(leader, FLOW_BESIDE_WAIT_NS);
}

/* Copies are refused to threads without this one's rights to memory. */
static void flow_beside_demand_rights(struct flow_set *set)
{
	for (int i = 0; i < set->count; i++)
		if (set->flows[i].state != NULL)
			flow_guard_demand_rights(&set->flows[i].state->bell);
}

void flow_beside_conduct(struct flow_set *set, struct flow_beside *beside)
{
	const int64_t begin_ns = clock_monotonic_ns();
	bool more = true;
	flow_beside_demand_rights(set);
	if (set->open > 0)
		flow_beside_start(set);
	while (!set->left && (more || set->aside)) {
		flow_beside_look(set);
		if (!set->aside && beside->conducted_ns == 0)
			beside->conducted_ns = clock_monotonic_ns() - begin_ns;
		if (set->left)
			break;
		beside->stepped = true;
		more = beside->step(beside->self);
		if (!more && set->aside)
			flow_beside_wait(set);
	}
}
