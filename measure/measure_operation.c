/* measure_operation.c - the cost of a device's operation beside its work, and of a small call */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure_operation.h"

#include <string.h>

enum { SMALL = 8 };
static const size_t small_bytes = sizeof(double[SMALL][SMALL]);

struct small {
	const struct device *device;
	void *a, *b, *c; /* on the device: SMALL x SMALL doubles */
	char *host;      /* page-locked: room for three of them */
	void *event[2];
	int times;
};

static void measure_operation_do_launches(const struct small *small)
{
	for (int i = 0; i < small->times; i++)
		device_multiply(small->device, ELEMENT_D, SMALL, SMALL, SMALL, small->a, small->b,
		                small->c);
	device_wait(small->device, small->device->stream[0]);
}

static void measure_operation_do_copies(const struct small *small)
{
	const struct device *device = small->device;
	for (int i = 0; i < small->times; i++)
		device_copy(device, small->a, small->host, small_bytes, device->stream[1]);
	device_wait(device, device->stream[1]);
}

static void measure_operation_do_queries(const struct small *small)
{
	const struct device *device = small->device;
	device_check(device, device->set.api.event_record(small->event[0], device->stream[0]),
	             "cudaEventRecord");
	device_wait(device, device->stream[0]);
	for (int i = 0; i < small->times; i++)
		device_check(device, device->set.api.event_query(small->event[0]),
		             "cudaEventQuery");
}

/*
 * A copy, an event, a kernel that waits for it, an event, a copy that waits for that one: the order
 * of the steps of panels.
 */
static void measure_operation_do_hops(const struct small *small)
{
	const struct device *device = small->device;
	const struct cuda_api *api = &device->set.api;
	for (int i = 0; i < small->times; i++) {
		device_copy(device, small->a, small->host, small_bytes, device->stream[1]);
		device_check(device, api->event_record(small->event[0], device->stream[1]),
		             "cudaEventRecord");
		device_check(device, api->stream_wait_event(device->stream[0], small->event[0], 0),
		             "cudaStreamWaitEvent");
		device_multiply(device, ELEMENT_D, SMALL, SMALL, SMALL, small->a, small->b,
		                small->c);
		device_check(device, api->event_record(small->event[1], device->stream[0]),
		             "cudaEventRecord");
		device_check(device, api->stream_wait_event(device->stream[1], small->event[1], 0),
		             "cudaStreamWaitEvent");
	}
	device_wait(device, device->stream[1]);
}

/* Two operands up, a product, the result down, and waiting for it. */
static void measure_operation_do_calls(const struct small *small)
{
	const struct device *device = small->device;
	for (int i = 0; i < small->times; i++) {
		device_copy(device, small->a, small->host, small_bytes, device->stream[0]);
		device_copy(device, small->b, small->host + small_bytes, small_bytes,
		            device->stream[0]);
		device_multiply(device, ELEMENT_D, SMALL, SMALL, SMALL, small->a, small->b,
		                small->c);
		device_copy(device, small->host + 2 * small_bytes, small->c, small_bytes,
		            device->stream[0]);
		device_wait(device, device->stream[0]);
	}
}

static void (*const operation_work[MEASURE_OPERATIONS])(const struct small *small) = {
	[MEASURE_LAUNCH] = measure_operation_do_launches,
	[MEASURE_COPY] = measure_operation_do_copies,
	[MEASURE_QUERY] = measure_operation_do_queries,
	[MEASURE_HOP] = measure_operation_do_hops,
	[MEASURE_CALL] = measure_operation_do_calls,
};

/* Runs once before, to warm up. A hop is two operations. */
static struct spread measure_operation_cost(const struct small *small,
                                            enum measure_operation operation)
{
	const int parts = operation == MEASURE_HOP ? 2 : 1;
	double cost_ns[MEASURE_OPERATION_ROUNDS];
	operation_work[operation](small);
	for (int round = 0; round < MEASURE_OPERATION_ROUNDS; round++) {
		const double begin = device_seconds();
		operation_work[operation](small);
		cost_ns[round] = (device_seconds() - begin) / small->times / parts * 1e9;
	}
	return spread_of(cost_ns, MEASURE_OPERATION_ROUNDS);
}

void measure_operation_costs(const struct device *device, int times,
                             struct spread cost_ns[MEASURE_OPERATIONS])
{
	struct small small = {.device = device, .times = times};
	small.a = device_take(device, small_bytes);
	small.b = device_take(device, small_bytes);
	small.c = device_take(device, small_bytes);
	small.host = device_take_pinned(device, 3 * small_bytes);
	memset(small.host, 0, 3 * small_bytes);
	for (int i = 0; i < 2; i++)
		device_check(device,
		             device->set.api.event_create(&small.event[i], CUDA_EVENT_UNTIMED),
		             "cudaEventCreateWithFlags");
	device_fill(device, small.b, small_bytes, ELEMENT_D, 4);
	for (int operation = 0; operation < MEASURE_OPERATIONS; operation++)
		cost_ns[operation] =
			measure_operation_cost(&small, (enum measure_operation)operation);
	for (int i = 0; i < 2; i++)
		device_check(device, device->set.api.event_destroy(small.event[i]),
		             "cudaEventDestroy");
	device_free(device, small.a);
	device_free(device, small.b);
	device_free(device, small.c);
	device_free_pinned(device, small.host);
}
