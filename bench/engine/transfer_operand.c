/* transfer_operand.c - whole operands through flows, on a device that copies at once */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/engine/transfer_operand.h"

#include <stdio.h>
#include <stdlib.h>

#include "shim/base/clock.h"
#include "shim/execute/gpu/engine/flow.h"

static int operand_event;

static int transfer_operand_copy(void *to, const void *from, size_t size_bytes, int kind,
                                 void *stream)
{
	(void)to;
	(void)from;
	(void)size_bytes;
	(void)kind;
	(void)stream;
	return CUDA_SUCCESS;
}

static int transfer_operand_create_event(void **event, unsigned flags)
{
	(void)flags;
	*event = &operand_event;
	return CUDA_SUCCESS;
}

static int transfer_operand_record(void *event, void *stream)
{
	(void)event;
	(void)stream;
	return CUDA_SUCCESS;
}

static int transfer_operand_query(void *event)
{
	(void)event;
	return CUDA_SUCCESS;
}

static const struct cuda_api operand_api = {
	.memcpy_async = transfer_operand_copy,
	.event_create = transfer_operand_create_event,
	.event_record = transfer_operand_record,
	.event_query = transfer_operand_query,
};

static void transfer_operand_read_step(const void *self, uint32_t number, struct flow_step *step)
{
	(void)number;
	*step = *(const struct flow_step *)self;
}

double transfer_operand_run(enum staging_way way, char *host, uint64_t size_bytes,
                            uint64_t operand_bytes)
{
	static const struct cuda_device card;
	static struct lane lane = {.api = &operand_api, .card = &card};
	const int64_t begin_ns = clock_monotonic_ns();
	for (uint64_t at = 0; at < size_bytes; at += operand_bytes) {
		const uint64_t bytes =
			size_bytes - at < operand_bytes ? size_bytes - at : operand_bytes;
		const struct flow_step step = {
			.kind = way == STAGING_UP ? FLOW_LOAD : FLOW_STORE,
			.copy = {.area = {host + at, bytes, 1, bytes},
		                 .device = host,
		                 .device_pitch = bytes},
		};
		struct flow flow = {
			.lane = &lane,
			.program = {&step, 1, transfer_operand_read_step, .launch = NULL}};
		if (flow_run(&flow, 1) != REASON_NONE) {
			fprintf(stderr, "transfer: the engine failed\n");
			exit(1);
		}
	}
	return (double)(clock_monotonic_ns() - begin_ns);
}
