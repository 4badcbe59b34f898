/* flow_tail.h - the end of a flow's program, which another thread may take over while it runs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_TAIL_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_TAIL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Kernels of the steps before begun are queued, or complete; steps from end on are taken. A step
 * waits for earlier ones only, so the steps before end are a program without the others.
 */
struct flow_tail_range {
	uint32_t begun, end;
};

/* range: both numbers. first: earlier steps are never taken, and queued without delay. */
struct flow_tail {
	_Atomic uint64_t range;
	uint32_t first;
};

/* No step is begun, and none taken. */
void flow_tail_open(struct flow_tail *tail, uint32_t first, uint32_t count);
struct flow_tail_range flow_tail_read(const struct flow_tail *tail);

/* Has the flow queue the kernels up to this step; false: the step is taken. */
bool flow_tail_begin(struct flow_tail *tail, uint32_t number);

/*
 * Takes the steps from begin on, for a thread that computes their results itself. false: the flow
 * has begun one of them. Only one thread takes steps.
 */
bool flow_tail_take(struct flow_tail *tail, uint32_t begin);

#endif
