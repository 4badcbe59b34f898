/* schedule_copy.c - one operand through the engine: a load or a store without kernels */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_copy.h"

#include "shim/execute/gpu/engine/flow.h"

static void copy_read_step(const void *self, uint32_t number, struct flow_step *step)
{
	(void)number;
	*step = *(const struct flow_step *)self;
}

static enum reason copy_launch_nothing(const void *self, struct lane *lane, uint32_t number)
{
	(void)self;
	(void)lane;
	(void)number;
	return REASON_NONE;
}

static enum reason copy_carry_out(struct lane *lane, bool up, char *host, uint64_t size_bytes)
{
	void *memory = NULL;
	const enum reason reason = lanes_take_memory(lane, size_bytes, &memory);
	if (reason != REASON_NONE)
		return reason;
	const struct flow_step step = {
		.kind = up ? FLOW_LOAD : FLOW_STORE,
		.copy = {.area = {host, size_bytes, 1, size_bytes},
	                 .device = memory,
	                 .device_pitch = size_bytes},
	};
	struct flow flow = {.lane = lane,
	                    .program = {&step, 1, copy_read_step, .launch = copy_launch_nothing}};
	return flow_run(&flow, 1);
}

enum reason schedule_copy_run(int device, bool up, char *host, uint64_t size_bytes)
{
	struct lane *lane = NULL;
	enum reason reason = lanes_take(device, &lane);
	if (reason != REASON_NONE)
		return reason;
	reason = copy_carry_out(lane, up, host, size_bytes);
	lanes_give(lane);
	return reason;
}
