/* flow_set.h - the flows of one call and the loop that conducts them; internal to flow*.c */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_SET_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_SET_H

#include "shim/execute/gpu/device/traffic.h"
#include "shim/execute/gpu/engine/flow_state.h"

struct flow;
struct flow_beside;

/*
 * Flows of one call and their staging. left: the call was taken over. asleep_ns, woke_ns: begin of
 * the first and end of the last sleep since the last progress, for a listener.
 */
struct flow_set {
	struct flow *flows;
	int count, open;
	struct staging staging;
	struct flow_guard guard;
	bool reusable, left;
	int64_t asleep_ns, woke_ns;
	int64_t handlers_ns; /* the last time that handlers of the program could run */
	/*
	 * A thread of the lane's conducts in place of the call's: it opens no gap, and stops once
	 * it is asked to, or where memory of the program needs the call's thread. sent, noted: what
	 * it has counted for the call's thread.
	 */
	bool aside;
	atomic_bool stop;
	struct traffic sent;
	unsigned noted;
};

/* Goes on with the flows until none is open, the call is lost or, aside, the loop is stopped. */
void flow_set_conduct(struct flow_set *set);

/* -- flow_gap.c -- */
/* The first lane of the call; NULL: none. */
struct lane *flow_gap_leader(const struct flow_set *set);
/* Whether the copiers still have jobs of these flows; waits until they have none. */
bool flow_gap_has_jobs(const struct flow_set *set);
void flow_gap_await_copies(struct flow_set *set);
/*
 * No copy is under way. Handlers of the program run; sleep, unless NULL, is called meanwhile with
 * the state of a flow. Afterwards set->left may be true.
 */
void flow_gap_open(struct flow_set *set, void (*sleep)(struct flow_state *));
/* Where a signal waits, the copies under way are awaited, and handlers run. */
void flow_gap_let_handlers_run(struct flow_set *set, int64_t now_ns);

/*
 * flow_beside.c: the same as flow_set_conduct, on a thread of the first lane's, while the calling
 * thread takes the steps of beside.
 */
void flow_beside_conduct(struct flow_set *set, struct flow_beside *beside);

#endif
