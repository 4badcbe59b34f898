/* link_operation.c - what an operation of the device costs beside its work, and a whole call that has hardly any */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "bench/link_bench.h"
#include "bench/spawn.h"

enum { SMALL = 8, ROUNDS = 9, PIECE_BYTES = SMALL * SMALL * sizeof(double) };

struct small {
	const struct link_bench *bench;
	void *a, *b, *c; /* of the device: SMALL x SMALL doubles */
	char *host;      /* page-locked: three of them */
	void *event[2];
	int times;
};

static void do_launches(const struct small *small)
{
	for (int i = 0; i < small->times; i++)
		device_multiply(&small->bench->device, ELEMENT_D, SMALL, SMALL, SMALL, small->a, small->b, small->c);
	device_wait(&small->bench->device, small->bench->device.stream[0]);
}

static void do_copies(const struct small *small)
{
	const struct device *device = &small->bench->device;
	for (int i = 0; i < small->times; i++)
		device_copy(device, small->a, small->host, PIECE_BYTES, device->stream[1]);
	device_wait(device, device->stream[1]);
}

static void do_queries(const struct small *small)
{
	const struct device *device = &small->bench->device;
	device_check(device, device->set.api.event_record(small->event[0], device->stream[0]), "cudaEventRecord");
	device_wait(device, device->stream[0]);
	for (int i = 0; i < small->times; i++)
		device_check(device, device->set.api.event_query(small->event[0]), "cudaEventQuery");
}

/* A copy, an event, a kernel that waits for it, an event, a copy that waits for that: what panels hang on. */
static void do_hops(const struct small *small)
{
	const struct device *device = &small->bench->device;
	const struct cuda_api *api = &device->set.api;
	for (int i = 0; i < small->times; i++) {
		device_copy(device, small->a, small->host, PIECE_BYTES, device->stream[1]);
		device_check(device, api->event_record(small->event[0], device->stream[1]), "cudaEventRecord");
		device_check(device, api->stream_wait_event(device->stream[0], small->event[0], 0),
		             "cudaStreamWaitEvent");
		device_multiply(device, ELEMENT_D, SMALL, SMALL, SMALL, small->a, small->b, small->c);
		device_check(device, api->event_record(small->event[1], device->stream[0]), "cudaEventRecord");
		device_check(device, api->stream_wait_event(device->stream[1], small->event[1], 0),
		             "cudaStreamWaitEvent");
	}
	device_wait(device, device->stream[1]);
}

/* Two operands up, a product, the result down, and waiting for it. */
static void do_calls(const struct small *small)
{
	const struct device *device = &small->bench->device;
	for (int i = 0; i < small->times; i++) {
		device_copy(device, small->a, small->host, PIECE_BYTES, device->stream[0]);
		device_copy(device, small->b, small->host + PIECE_BYTES, PIECE_BYTES, device->stream[0]);
		device_multiply(device, ELEMENT_D, SMALL, SMALL, SMALL, small->a, small->b, small->c);
		device_copy(device, small->host + 2 * PIECE_BYTES, small->c, PIECE_BYTES, device->stream[0]);
		device_wait(device, device->stream[0]);
	}
}

static double print_cost(const struct small *small, const char *what, void (*work)(const struct small *small),
                         int parts)
{
	double cost[ROUNDS];
	work(small);
	for (int round = 0; round < ROUNDS; round++) {
		const double begin = device_seconds();
		work(small);
		cost[round] = (device_seconds() - begin) / small->times / parts * 1e9;
	}
	const struct spread spread = spread_of(cost, ROUNDS);
	printf("   %-46s %8.0f [%.0f..%.0f]\n", what, spread.median, spread.least, spread.most);
	return spread.median;
}

void link_operation_measure(struct link_bench *bench)
{
	const struct device *device = &bench->device;
	struct small small = {.bench = bench, .times = bench->quick ? 3 : 500};
	small.a = device_take(device, PIECE_BYTES);
	small.b = device_take(device, PIECE_BYTES);
	small.c = device_take(device, PIECE_BYTES);
	small.host = device_take_pinned(device, 3 * PIECE_BYTES);
	memset(small.host, 0, 3 * PIECE_BYTES);
	for (int i = 0; i < 2; i++)
		device_check(device, device->set.api.event_create(&small.event[i], CUDA_EVENT_UNTIMED),
		             "cudaEventCreateWithFlags");
	device_fill(device, small.b, PIECE_BYTES, ELEMENT_D, 4);
	printf("costs beside the work, ns: median of %d [least..most]\n", ROUNDS);
	print_cost(&small, "a small dgemm behind others of its stream", do_launches, 1);
	print_cost(&small, "a small copy behind others of its stream", do_copies, 1);
	print_cost(&small, "a question whether an event is complete", do_queries, 1);
	bench->figures.operation_ns =
		print_cost(&small, "an operation that waits for one of another stream", do_hops, 2);
	bench->figures.call_fixed_ns = print_cost(&small, "a whole call: two copies, a product, a copy", do_calls, 1);
	printf("\n");
	for (int i = 0; i < 2; i++)
		device_check(device, device->set.api.event_destroy(small.event[i]), "cudaEventDestroy");
	device_free(device, small.a);
	device_free(device, small.b);
	device_free(device, small.c);
	device_free_pinned(device, small.host);
}
