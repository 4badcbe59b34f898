/* flow_gap.c - gaps in a call's shield, in which handlers of the program run */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/flow_set.h"
#include "shim/shield/shield.h"

/* How often a busy flow looks for signals. */
enum { FLOW_GAP_LOOK_NS = 500000 };

struct lane *flow_gap_leader(const struct flow_set *set)
{
	return atomic_load(&set->flows[0].lane->owner.leader);
}

bool flow_gap_has_jobs(const struct flow_set *set)
{
	for (int i = 0; i < set->count; i++)
		if (set->flows[i].state != NULL && flow_guard_has_jobs(set->flows[i].state))
			return true;
	return false;
}

/* The lanes are another's now, and the state with them. */
static void flow_gap_lose(struct flow_set *set)
{
	for (int i = 0; i < set->count; i++) {
		struct flow *flow = &set->flows[i];
		if (flow->state == NULL)
			continue;
		flow->state = NULL;
		flow->reason = REASON_CALL_LEFT;
		flow_life_tell_progress(flow);
	}
	set->open = 0;
	set->left = true;
}

/* No copy is under way: a handler that jumps leaves the program's memory as it is. */
void flow_gap_open(struct flow_set *set, void (*sleep)(struct flow_state *))
{
	struct lane *leader = flow_gap_leader(set);
	struct flow_state *state = NULL;
	for (int i = 0; i < set->count; i++)
		if (set->flows[i].state != NULL) {
			state = set->flows[i].state;
			flow_life_keep_progress(&set->flows[i]);
		}
	struct lane_gap gap;
	lane_owner_leave(leader, &gap);
	shield_open();
	if (sleep != NULL)
		sleep(state);
	shield_close();
	if (!lane_owner_come_back(&gap))
		flow_gap_lose(set);
}

void flow_gap_await_copies(struct flow_set *set)
{
	for (int i = 0; i < set->count; i++)
		if (set->flows[i].state != NULL) {
			flow_guard_await_jobs(set->flows[i].state);
			flow_down_settle(set->flows[i].state);
		}
}

/* Where a signal waits, the copies under way are awaited. */
void flow_gap_let_handlers_run(struct flow_set *set, int64_t now_ns)
{
	if (set->aside || now_ns - set->handlers_ns < FLOW_GAP_LOOK_NS)
		return;
	set->handlers_ns = now_ns;
	if (!shield_is_asked())
		return;
	flow_gap_await_copies(set);
	flow_gap_open(set, NULL);
}
