/* sim_rules_stream.c - the rules of streams and events: which operations wait for which */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "sim_rules.h"

enum { ROUNDS = 40 };

/*
 * Fills one word on two streams. `tie` orders the second fill after the first. Returns how often
 * the first fill came last.
 */
static int overtakes(unsigned first_flags, unsigned second_flags, bool first_is_null,
                     bool second_is_null, bool use_event)
{
	int wrong = 0;
	for (int round = 0; round < ROUNDS; round++) {
		unsigned char *memory = rules_device_memory(256), value = 0;
		void *first = first_is_null ? NULL : rules_stream(first_flags);
		void *second = second_is_null ? NULL : rules_stream(second_flags),
		     *event = rules_event();
		CHECK_IS(cuda.cudaMemsetAsync(memory, 1, 1, first), 0);
		CHECK_IS(cuda.cudaEventRecord(event, first), 0);
		if (use_event)
			CHECK_IS(cuda.cudaStreamWaitEvent(second, event, 0), 0);
		CHECK_IS(cuda.cudaMemsetAsync(memory, 2, 1, second), 0);
		rules_read_back(&value, memory, 1);
		wrong += value != 2;
		CHECK_IS(cuda.cudaEventDestroy(event), 0);
		CHECK(first_is_null || !cuda.cudaStreamDestroy(first));
		CHECK(second_is_null || !cuda.cudaStreamDestroy(second));
		CHECK_IS(cuda.cudaFree(memory), 0);
	}
	return wrong;
}

static void events_order_streams(void)
{
	const unsigned alone = SIM_STREAM_NON_BLOCKING;
	CHECK_IS(overtakes(0, 0, false, false, true), 0);
	CHECK_IS(overtakes(alone, alone, false, false, true), 0);
	CHECK_IS(overtakes(alone, 0, false, true, true), 0);
}

static void the_default_stream_orders_blocking_ones(void)
{
	CHECK_IS(overtakes(0, 0, true, false, false), 0);
	CHECK_IS(overtakes(0, 0, false, true, false), 0);
}

static void nothing_else_orders_streams(void)
{
	const unsigned alone = SIM_STREAM_NON_BLOCKING;
	CHECK(overtakes(0, 0, false, false, false) > 0);
	CHECK(overtakes(alone, alone, false, false, false) > 0);
	CHECK(overtakes(alone, alone, true, false, false) > 0);
	CHECK(overtakes(alone, alone, false, true, false) > 0);
}

static void work_is_done_late(void)
{
	void *pinned = NULL, *stream = rules_stream(SIM_STREAM_NON_BLOCKING),
	     *event = rules_event();
	CHECK_IS(cuda.cudaMallocHost(&pinned, 64), 0);
	unsigned char *host = pinned, *memory = rules_device_memory(64);
	host[0] = 0;
	CHECK_IS(cuda.cudaMemsetAsync(memory, 3, 64, stream), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(host, memory, 1, SIM_COPY_D2H, stream), 0);
	CHECK_IS(cuda.cudaEventRecord(event, stream), 0);
	CHECK_IS(host[0], 0);
	CHECK_IS(cuda.cudaEventSynchronize(event), 0);
	CHECK_IS(host[0], 3);
}

static void polling_makes_progress(void)
{
	void *stream = rules_stream(0), *event = rules_event();
	int polls = 0, status = 0;
	unsigned char *memory = rules_device_memory(64);
	CHECK_IS(cuda.cudaEventQuery(event), 0);
	for (int i = 0; i < 20; i++)
		CHECK_IS(cuda.cudaMemsetAsync(memory, i, 64, stream), 0);
	CHECK_IS(cuda.cudaEventRecord(event, stream), 0);
	while ((status = cuda.cudaEventQuery(event)) == SIM_cudaErrorNotReady && polls < 100000000)
		polls++;
	CHECK_IS(status, 0);
	CHECK(!cuda.simcuda_version || polls > 0);
	CHECK_IS(cuda.cudaStreamQuery(stream), 0);
	CHECK_IS(cuda.cudaStreamQuery(NULL), 0);
	CHECK_IS(cuda.cudaPeekAtLastError(), 0);
}

/* A wait is for the record that was the latest when the wait was issued. */
static void a_wait_takes_the_record_of_its_moment(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		void *first = rules_stream(SIM_STREAM_NON_BLOCKING),
		     *second = rules_stream(SIM_STREAM_NON_BLOCKING);
		void *event = rules_event();
		unsigned char *memory = rules_device_memory(64), value = 0;
		CHECK_IS(cuda.cudaStreamWaitEvent(second, event, 0), 0);
		CHECK_IS(cuda.cudaMemsetAsync(memory, 1, 1, first), 0);
		CHECK_IS(cuda.cudaEventRecord(event, first), 0);
		CHECK_IS(cuda.cudaStreamWaitEvent(second, event, 0), 0);
		CHECK_IS(cuda.cudaMemsetAsync(memory, 2, 1, second), 0);
		/*
		 * first waits for second through the same event, which is recorded again: not a
		 * circle
		 */
		CHECK_IS(cuda.cudaEventRecord(event, second), 0);
		CHECK_IS(cuda.cudaStreamWaitEvent(first, event, 0), 0);
		CHECK_IS(cuda.cudaEventDestroy(event), 0);
		CHECK_IS(cuda.cudaMemsetAsync(memory, 3, 1, first), 0);
		CHECK_IS(cuda.cudaStreamSynchronize(first), 0);
		rules_read_back(&value, memory, 1);
		CHECK_IS(value, 3);
	}
}

static void elapsed_time_needs_timing(void)
{
	float elapsed = -7;
	void *start = rules_event(), *end = rules_event(), *untimed = NULL,
	     *stream = rules_stream(0);
	void *memory = rules_device_memory(1 << 20);
	CHECK_IS(cuda.cudaEventCreateWithFlags(&untimed, SIM_EVENT_DISABLE_TIMING), 0);
	CHECK_IS(cuda.cudaEventElapsedTime(&elapsed, start, end),
	         SIM_cudaErrorInvalidResourceHandle);
	CHECK_IS(cuda.cudaEventRecord(start, stream), 0);
	CHECK_IS(cuda.cudaMemsetAsync(memory, 0, 1 << 20, stream), 0);
	CHECK_IS(cuda.cudaEventRecord(end, stream), 0);
	CHECK_IS(cuda.cudaEventRecord(untimed, stream), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK_IS(cuda.cudaEventElapsedTime(&elapsed, start, end), 0);
	CHECK(elapsed > 0 && elapsed < 10000);
	CHECK_IS(cuda.cudaEventElapsedTime(&elapsed, start, untimed),
	         SIM_cudaErrorInvalidResourceHandle);
	CHECK_IS(cuda.cudaEventCreateWithFlags(&end, 99), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaStreamCreateWithFlags(&stream, 99), SIM_cudaErrorInvalidValue);
}

static void unfinished_events_have_no_time(void)
{
	float elapsed;
	void *start = rules_event(), *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	CHECK_IS(cuda.cudaEventRecord(start, stream), 0);
	CHECK_IS(cuda.cudaEventElapsedTime(&elapsed, start, start), SIM_cudaErrorNotReady);
}

static void the_virtual_link_has_a_speed(void)
{
	float elapsed = 0;
	void *start = rules_event(), *end = rules_event(), *pinned = NULL;
	void *memory = rules_device_memory(100000000);
	CHECK_IS(cuda.cudaMallocHost(&pinned, 100000000), 0);
	CHECK_IS(cuda.cudaEventRecord(start, NULL), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(memory, pinned, 100000000, SIM_COPY_H2D, NULL), 0);
	CHECK_IS(cuda.cudaEventRecord(end, NULL), 0);
	CHECK_IS(cuda.cudaEventSynchronize(end), 0);
	CHECK_IS(cuda.cudaEventElapsedTime(&elapsed, start, end), 0);
	CHECK(elapsed > 9.9f && elapsed < 10.1f);
	/* A stream that waits for the copy does not finish before the copy. */
	void *waiter = rules_stream(SIM_STREAM_NON_BLOCKING), *after = rules_event();
	CHECK_IS(cuda.cudaStreamWaitEvent(waiter, end, 0), 0);
	CHECK_IS(cuda.cudaEventRecord(after, waiter), 0);
	CHECK_IS(cuda.cudaEventSynchronize(after), 0);
	CHECK_IS(cuda.cudaEventElapsedTime(&elapsed, start, after), 0);
	CHECK(elapsed > 9.9f && elapsed < 10.1f);
}

static void a_destroyed_stream_finishes(void)
{
	void *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	unsigned char *memory = rules_device_memory(64), value = 0;
	CHECK_IS(cuda.cudaMemsetAsync(memory, 9, 64, stream), 0);
	CHECK_IS(cuda.cudaStreamDestroy(stream), 0);
	rules_read_back(&value, memory, 1);
	CHECK_IS(value, 9);
}

static void stale_handles_are_noticed(void)
{
	void *stream = rules_stream(0), *event = rules_event(), *memory = rules_device_memory(64);
	CHECK_IS(cuda.cudaStreamDestroy(stream), 0);
	CHECK_IS(cuda.cudaEventDestroy(event), 0);
	CHECK_IS(cuda.cudaMemsetAsync(memory, 0, 64, stream), SIM_cudaErrorInvalidResourceHandle);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), SIM_cudaErrorInvalidResourceHandle);
	CHECK_IS(cuda.cudaStreamDestroy(stream), SIM_cudaErrorInvalidResourceHandle);
	CHECK_IS(cuda.cudaEventRecord(event, NULL), SIM_cudaErrorInvalidResourceHandle);
	CHECK_IS(cuda.cudaEventDestroy(event), SIM_cudaErrorInvalidResourceHandle);
}

static void streams_belong_to_a_device(void)
{
	void *stream = rules_stream(0), *event = rules_event(), *memory = rules_device_memory(64),
	     *handle = NULL;
	float one = 1;
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	void *other_event = rules_event(), *other_stream = rules_stream(0);
	CHECK_IS(cuda.cudaEventRecord(other_event, stream), SIM_cudaErrorInvalidResourceHandle);
	CHECK_IS(cuda.cudaMemsetAsync(memory, 0, 64, stream), 0);
	CHECK_IS(cuda.cudaEventRecord(event, stream), 0);
	CHECK_IS(cuda.cudaStreamWaitEvent(other_stream, event, 0), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(other_stream), 0);
	CHECK_IS(cuda.cudaEventQuery(event), 0);
	CHECK_IS(cuda.cublasCreate_v2(&handle), 0);
	CHECK_IS(cuda.cublasSetStream_v2(handle, stream), 0);
	CHECK_IS(cuda.cublasSgemm_v2(handle, 0, 0, 1, 1, 1, &one, memory, 1, memory, 1, &one,
	                             memory, 1),
	         SIM_CUBLAS_STATUS_EXECUTION_FAILED);
}

static void freeing_device_memory_waits(void)
{
	void *stream = rules_stream(SIM_STREAM_NON_BLOCKING), *memory = rules_device_memory(64);
	CHECK_IS(cuda.cudaMemsetAsync(memory, 0, 64, stream), 0);
	CHECK_IS(cuda.cudaFree(memory), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

const struct rule stream_rules[] = {
	{"stream: events order", RULE_ANYWHERE, NULL, events_order_streams},
	{"stream: default and blocking wait for each other", RULE_ANYWHERE, NULL,
         the_default_stream_orders_blocking_ones},
	{"stream: nothing else orders", RULE_SIM_ONLY, NULL, nothing_else_orders_streams},
	{"stream: nothing else orders, other seed", RULE_SIM_ONLY, "SIMCUDA_SEED=77",
         nothing_else_orders_streams},
	{"stream: work is done late", RULE_SIM_ONLY, NULL, work_is_done_late},
	{"stream: polling makes progress", RULE_ANYWHERE, NULL, polling_makes_progress},
	{"stream: a wait takes the record of its moment", RULE_ANYWHERE, NULL,
         a_wait_takes_the_record_of_its_moment},
	{"stream: elapsed time", RULE_ANYWHERE, NULL, elapsed_time_needs_timing},
	{"stream: unfinished events have no time", RULE_SIM_ONLY, NULL,
         unfinished_events_have_no_time},
	{"stream: virtual link", RULE_SIM_ONLY, "SIMCUDA_LINK=10", the_virtual_link_has_a_speed},
	{"stream: destroyed one finishes", RULE_ANYWHERE, NULL, a_destroyed_stream_finishes},
	{"stream: stale handles", RULE_SIM_ONLY, NULL, stale_handles_are_noticed},
	{"stream: belongs to a device", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2",
         streams_belong_to_a_device},
	{"stream: freeing device memory waits", RULE_ANYWHERE, NULL, freeing_device_memory_waits},
	{0},
};
