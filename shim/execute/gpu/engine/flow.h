/* flow.h - carries out lists of copies and kernels, overlapped; commits results piece by piece */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_H

#include "shim/execute/gpu/engine/flow_program.h"

/* One device's part: lane and program, and the outcome. */
struct flow {
	struct lane *lane;
	struct flow_program program;
	enum reason reason;
	struct flow_progress progress;
	/* flow.c's own; step_bytes: committed of the store that comes next */
	uint64_t step_bytes;
	struct flow_state *state;
};

/*
 * Carries out count flows, one lane each, in the calling thread with the copiers' help: together,
 * or one after the other where staging has no part for each. Returns when every flow is done or
 * has failed. The current device is another one afterwards. A flow that fails (any CUDA error, or
 * no progress for the time of flow_set_patience) stops alone: results that the device had confirmed
 * are committed, the lane is broken unless its streams became idle, and its part of staging is
 * given up where a copy may still be pending. Returns the first reason of a flow that is not
 * REASON_NONE.
 *
 * In a section of shield.h handlers of the program run while flows wait for the device, and soon
 * after a signal came in any case; then no copy of the processor is under way. REASON_CALL_LEFT:
 * meanwhile the call was taken over (lane_owner.h), and all of its lanes are another's.
 */
enum reason flow_run(struct flow *flows, int count);

/*
 * What the calling thread does while flows run. step is called again and again, and returns false
 * where it finds nothing to do; each may take a while, in which signals of the program wait. With
 * beside the flows are conducted by a thread of the first lane's, which stops for handlers of the
 * program between two steps. conducted_ns: the time from the flows' begin to the end of the last
 * one. stepped: step was called. It is called until it returns false after the last flow has ended,
 * unless the outcome is REASON_CALL_LEFT, or nothing was begun.
 */
struct flow_beside {
	bool (*step)(void *self);
	void *self;
	int64_t conducted_ns;
	bool stepped;
};
enum reason flow_run_beside(struct flow *flows, int count, struct flow_beside *beside);

/*
 * Nanoseconds without progress after which a device is given up, 0: never; the clock for it is
 * replaceable for tests.
 */
void flow_set_patience(int64_t patience_ns);
void flow_set_clock(int64_t (*now_ns)(void));

/*
 * Whether devices that read ordinary memory load it directly, without staging; true by default. For
 * measurements and tests. From any thread; flows that run may keep the former way.
 */
void flow_set_direct(bool direct);
bool flow_is_direct(void);

#endif
