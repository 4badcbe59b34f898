/* flow.h - carries out a list of copies and kernels on a device, overlapped, and commits results piece by piece */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_H

#include "shim/execute/gpu/engine/flow_program.h"

/* One device's share: lane, what to do, and in the end how it went. */
struct flow {
	struct lane *lane;
	struct flow_program program;
	enum reason reason;
	struct flow_progress progress;
	struct flow_state *state; /* flow.c's own */
};

/*
 * Carries out count flows, one lane each, in the calling thread, with the copiers' help: at the
 * same time, or one after the other where staging has no chunk for each; returns when each is done
 * or has failed. Each lane's device must be this thread's to set; the current device is another one
 * afterwards. A flow that fails (any error of CUDA, or no progress for the limit of
 * flow_set_patience) stops alone: what the device had confirmed by then is committed, the lane is
 * broken unless its streams came to an end, and its part of staging is given up where a copy may
 * still be under way. Returns the first flow's reason that is not REASON_NONE.
 */
enum reason flow_run(struct flow *flows, int count);

/* Nanoseconds without any progress after which a device is given up; 0: never. And the clock that counts them, for
 * tests. */
void flow_set_patience(int64_t patience_ns);
void flow_set_clock(int64_t (*now_ns)(void));

#endif
