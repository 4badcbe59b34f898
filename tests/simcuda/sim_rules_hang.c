/* sim_rules_hang.c - the rules of operations that never end, and of programs that only poll */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "sim_rules.h"

enum { POLLS = 300 };

static void *alone(void)
{
	return rules_stream(SIM_STREAM_NON_BLOCKING);
}

static void launch(int plan, void *memory, void *stream)
{
	CHECK_IS(cuda.cufftSetStream(plan, stream), 0);
	CHECK_IS(cuda.cufftExecC2C(plan, memory, memory, -1), 0);
}

/* The second kernel hangs: its stream and those that wait for it stop, all others continue. */
static void others_go_on(void)
{
	int plan = 0, not_ready = 0;
	void *hung = alone(), *waiter = alone(), *free_one = alone(), *event = rules_event();
	unsigned char *memory = rules_device_memory(1024), value = 0;
	CHECK_IS(cuda.cudaMemset(memory, 0, 1024), 0);
	CHECK_IS(cuda.cufftPlan1d(&plan, 8, SIM_CUFFT_C2C, 1), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	launch(plan, memory, hung);
	CHECK_IS(cuda.cudaStreamSynchronize(hung), 0);
	launch(plan, memory, hung);
	CHECK_IS(cuda.cudaEventRecord(event, hung), 0);
	CHECK_IS(cuda.cudaStreamWaitEvent(waiter, event, 0), 0);
	CHECK_IS(cuda.cudaMemsetAsync(memory, 1, 1, waiter), 0);
	for (int i = 0; i < POLLS; i++)
		not_ready += cuda.cudaEventQuery(event) == SIM_cudaErrorNotReady &&
		             cuda.cudaStreamQuery(waiter) == SIM_cudaErrorNotReady;
	CHECK_IS(not_ready, POLLS);
	launch(plan, memory + 512, free_one);
	CHECK_IS(cuda.cudaMemsetAsync(memory + 512, 7, 1, free_one), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(&value, memory + 512, 1, SIM_COPY_D2H, free_one), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(free_one), 0);
	CHECK_IS(value, 7);
	CHECK_IS(cuda.cudaStreamQuery(hung), SIM_cudaErrorNotReady);
}

static void others_go_on_by_the_clock(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "operation_us = 10\n");
	others_go_on();
}

static void a_hung_copy_has_no_effect(void)
{
	void *hung = alone(), *other = alone();
	unsigned char *memory = rules_device_memory(1024), *host = rules_pinned(64);
	CHECK_IS(cuda.cudaMemset(memory, 3, 64), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	host[0] = host[1] = 0;
	CHECK_IS(cuda.cudaMemcpyAsync(host, memory, 1, SIM_COPY_D2H, hung), 0);
	while (cuda.simcuda_count("copy") < 2)
		CHECK_IS(cuda.cudaStreamQuery(hung), SIM_cudaErrorNotReady);
	CHECK_IS(cuda.cudaMemcpyAsync(host + 1, memory, 1, SIM_COPY_D2H, other), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(other), 0);
	CHECK_IS(host[0], 0);
	CHECK_IS(host[1], 3);
}

static void a_hung_copy_has_no_effect_by_the_clock(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "operation_us = 10\n");
	a_hung_copy_has_no_effect();
}

/*
 * An unsuccessful poll takes a millisecond when no operation can end. Beside a hung operation it
 * takes until another operation ends.
 */
static void patience_ends_by_the_clock(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "operation_us = 10\nup_gbytes_s = 10\n");
	void *hung = alone(), *other = alone();
	char *memory = rules_device_memory(100000), *host = rules_pinned(100000);
	CHECK_IS(cuda.cudaMemcpyAsync(memory, host, 64, SIM_COPY_H2D, hung), 0);
	CHECK_IS(cuda.cudaStreamQuery(hung), SIM_cudaErrorNotReady);
	CHECK_IS(cuda.simcuda_clock_ns(), 1000000);
	CHECK_IS(cuda.cudaMemcpyAsync(memory, host, 100000, SIM_COPY_H2D, other), 0);
	CHECK_IS(cuda.cudaStreamQuery(hung), SIM_cudaErrorNotReady);
	CHECK_IS(cuda.simcuda_clock_ns(), 1020000);
	CHECK_IS(cuda.cudaStreamQuery(other), 0);
	CHECK_IS(cuda.cudaStreamQuery(hung), SIM_cudaErrorNotReady);
	CHECK_IS(cuda.simcuda_clock_ns(), 2020000);
}

static void *synchronize(void *stream)
{
	return (void *)(long)cuda.cudaStreamSynchronize(stream);
}

/* Only the death of the device releases those that wait for a hung operation. */
static void waiting_ends_with_the_device(void)
{
	void *hung = alone(), *memory = rules_device_memory(1024), *result = NULL;
	size_t free_bytes, total_bytes;
	pthread_t waiter;
	CHECK_IS(cuda.cudaMemsetAsync(memory, 0, 64, hung), 0);
	CHECK(!pthread_create(&waiter, NULL, synchronize, hung));
	while (!cuda.simcuda_count("copy"))
		;
	CHECK_IS(cuda.cudaStreamQuery(hung), SIM_cudaErrorNotReady);
	CHECK_IS(cuda.cudaMemGetInfo(&free_bytes, &total_bytes), SIM_cudaErrorLaunchFailure);
	pthread_join(waiter, &result);
	CHECK_IS((long)result, SIM_cudaErrorLaunchFailure);
	CHECK_IS(cuda.cudaStreamQuery(hung), SIM_cudaErrorLaunchFailure);
}

static void waiting_ends_with_the_device_by_the_clock(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "operation_us = 10\n");
	waiting_ends_with_the_device();
}

static void polls_can_fail(void)
{
	void *stream = alone(), *event = rules_event(), *memory = rules_device_memory(64);
	CHECK_IS(cuda.cudaMemsetAsync(memory, 0, 64, stream), 0);
	CHECK_IS(cuda.cudaEventRecord(event, stream), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK_IS(cuda.cudaEventQuery(event), 0);
	CHECK_IS(cuda.cudaEventQuery(event), SIM_cudaErrorUnknown);
	CHECK_IS(cuda.cudaEventQuery(event), 0);
	CHECK_IS(cuda.cudaStreamQuery(stream), SIM_cudaErrorLaunchFailure);
	CHECK_IS(cuda.cudaEventQuery(event), SIM_cudaErrorLaunchFailure);
}

/* A program that never waits needs only a few polls per operation. */
static void polling_alone_is_enough(void)
{
	enum { STREAMS = 6, OPERATIONS = 50 };
	void *streams[STREAMS], *events[STREAMS], *memory = rules_device_memory(1024);
	long polls = 0, most = 20 * STREAMS * OPERATIONS;
	for (int i = 0; i < STREAMS; i++) {
		streams[i] = alone();
		events[i] = rules_event();
		for (int k = 0; k < OPERATIONS; k++)
			CHECK_IS(cuda.cudaMemsetAsync(memory, k, 64, streams[i]), 0);
		CHECK_IS(cuda.cudaEventRecord(events[i], streams[i]), 0);
	}
	for (int i = 0; i < STREAMS; i++)
		while (cuda.cudaEventQuery(events[i]) == SIM_cudaErrorNotReady && polls < most)
			polls++;
	CHECK(polls < most);
}

const struct rule hang_rules[] = {
	{"hang: others go on", RULE_SIM_ONLY, "SIMCUDA_FAIL=kernel:2:hang", others_go_on},
	{"hang: others go on, by the clock", RULE_SIM_ONLY, "SIMCUDA_FAIL=kernel:2:hang",
         others_go_on_by_the_clock},
	{"hang: a copy", RULE_SIM_ONLY, "SIMCUDA_FAIL=copy:2:hang", a_hung_copy_has_no_effect},
	{"hang: a copy, by the clock", RULE_SIM_ONLY, "SIMCUDA_FAIL=copy:2:hang",
         a_hung_copy_has_no_effect_by_the_clock},
	{"hang: patience", RULE_SIM_ONLY, "SIMCUDA_FAIL=copy:1:hang", patience_ends_by_the_clock},
	{"hang: waiting", RULE_SIM_ONLY, "SIMCUDA_FAIL=copy:1:hang,cudaMemGetInfo:1:719",
         waiting_ends_with_the_device},
	{"hang: waiting, by the clock", RULE_SIM_ONLY,
         "SIMCUDA_FAIL=copy:1:hang,cudaMemGetInfo:1:719",
         waiting_ends_with_the_device_by_the_clock},
	{"hang: polls can fail", RULE_SIM_ONLY,
         "SIMCUDA_FAIL=cudaEventQuery:2,cudaStreamQuery:1:719", polls_can_fail},
	{"hang: polling alone is enough", RULE_ANYWHERE, NULL, polling_alone_is_enough},
	{0},
};
