/* sim_rules_capture.c - rules of stream capture: graphs, and what a capture prohibits */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "sim_rules.h"

enum { GLOBAL, THREAD_LOCAL, RELAXED, NON_BLOCKING = SIM_STREAM_NON_BLOCKING };

static void *begin(int mode, unsigned flags)
{
	void *stream = rules_stream(flags);
	CHECK_IS(cuda.cudaStreamBeginCapture(stream, mode), 0);
	return stream;
}

static void expect_end(void *stream, int expected)
{
	void *graph = &graph;
	CHECK_IS(cuda.cudaStreamEndCapture(stream, &graph), expected);
	CHECK((graph != NULL) == !expected);
	cuda.cudaGetLastError();
}

static void graph_repeats_its_copies(void)
{
	unsigned char *memory = rules_device_memory(8), host[8];
	void *graph = NULL, *run = NULL, *stream = begin(GLOBAL, NON_BLOCKING);
	CHECK_IS(cuda.cudaMemsetAsync(memory, 7, 8, stream), 0);
	CHECK_IS(cuda.cudaStreamEndCapture(stream, &graph), 0);
	CHECK_IS(cuda.cudaMemset(memory, 1, 8), 0);
	rules_read_back(host, memory, 8);
	CHECK_IS(host[0], 1);
	CHECK_IS(cuda.cudaGraphInstantiateWithFlags(&run, graph, 0), 0);
	CHECK_IS(cuda.cudaGraphDestroy(graph), 0);
	CHECK_IS(cuda.cudaGraphLaunch(run, stream), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	rules_read_back(host, memory, 8);
	CHECK_IS(host[7], 7);
	CHECK_IS(cuda.cudaGraphExecDestroy(run), 0);
}

struct attempt {
	int mode; /* of the other thread */
	int error;
};

static void *attempt_run(void *argument)
{
	struct attempt *attempt = argument;
	void *memory = NULL;
	CHECK_IS(cuda.cudaThreadExchangeStreamCaptureMode(&attempt->mode), 0);
	attempt->error = cuda.cudaMalloc(&memory, 16);
	return NULL;
}

/* The error that another thread gets in this mode, while a stream captures in that one. */
static int error_beside(int capture_mode, int thread_mode)
{
	struct attempt attempt = {.mode = thread_mode};
	pthread_t thread;
	void *stream = begin(capture_mode, NON_BLOCKING);
	CHECK(!pthread_create(&thread, NULL, attempt_run, &attempt));
	pthread_join(thread, NULL);
	expect_end(stream, attempt.error ? SIM_cudaErrorStreamCaptureInvalidated : 0);
	return attempt.error;
}

static void modes_prohibit(void)
{
	void *memory = NULL;
	int mode = RELAXED;
	rules_device_memory(16);
	CHECK_IS(error_beside(GLOBAL, GLOBAL), SIM_cudaErrorStreamCaptureUnsupported);
	CHECK_IS(error_beside(GLOBAL, THREAD_LOCAL), 0);
	CHECK_IS(error_beside(GLOBAL, RELAXED), 0);
	CHECK_IS(error_beside(THREAD_LOCAL, GLOBAL), 0);
	CHECK_IS(error_beside(RELAXED, GLOBAL), 0);
	void *stream = begin(THREAD_LOCAL, NON_BLOCKING);
	CHECK_IS(cuda.cudaMalloc(&memory, 16), SIM_cudaErrorStreamCaptureUnsupported);
	expect_end(stream, SIM_cudaErrorStreamCaptureInvalidated);
	stream = begin(GLOBAL, NON_BLOCKING);
	CHECK_IS(cuda.cudaThreadExchangeStreamCaptureMode(&mode), 0);
	CHECK_IS(mode, GLOBAL);
	CHECK_IS(cuda.cudaMalloc(&memory, 16), 0);
	CHECK_IS(cuda.cudaThreadExchangeStreamCaptureMode(&mode), 0);
	CHECK_IS(mode, RELAXED);
	expect_end(stream, 0);
	mode = 3;
	CHECK_IS(cuda.cudaThreadExchangeStreamCaptureMode(&mode), SIM_cudaErrorInvalidValue);
}

static void libraries_are_prohibited_too(void)
{
	void *handle = &handle, *stream = begin(GLOBAL, NON_BLOCKING);
	int plan = -7;
	CHECK_IS(cuda.cublasCreate_v2(&handle), SIM_CUBLAS_STATUS_INTERNAL_ERROR);
	CHECK(handle == &handle);
	expect_end(stream, SIM_cudaErrorStreamCaptureInvalidated);
	stream = begin(GLOBAL, NON_BLOCKING);
	CHECK_IS(cuda.cufftPlan1d(&plan, 8, SIM_CUFFT_C2C, 1), SIM_CUFFT_INTERNAL_ERROR);
	expect_end(stream, SIM_cudaErrorStreamCaptureInvalidated);
}

/* Whatever the modes are. */
static void waiting_for_the_device_is_prohibited(void)
{
	int mode = RELAXED;
	void *stream = begin(RELAXED, NON_BLOCKING);
	CHECK_IS(cuda.cudaThreadExchangeStreamCaptureMode(&mode), 0);
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK_IS(cuda.cudaSetDevice(0), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorStreamCaptureUnsupported);
	expect_end(stream, SIM_cudaErrorStreamCaptureInvalidated);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

static void default_stream_is_prohibited(void)
{
	int status = -7;
	void *memory = rules_device_memory(8), *stream = begin(RELAXED, NON_BLOCKING);
	CHECK_IS(cuda.cudaMemsetAsync(memory, 0, 8, NULL), 0);
	expect_end(stream, 0);
	stream = begin(RELAXED, 0);
	CHECK_IS(cuda.cudaStreamIsCapturing(stream, &status), 0);
	CHECK_IS(status, 1);
	CHECK_IS(cuda.cudaStreamIsCapturing(NULL, &status), SIM_cudaErrorStreamCaptureImplicit);
	CHECK_IS(cuda.cudaStreamIsCapturing(stream, &status), 0);
	CHECK_IS(status, 1);
	CHECK_IS(cuda.cudaMemsetAsync(memory, 0, 8, NULL), SIM_cudaErrorStreamCaptureImplicit);
	CHECK_IS(cuda.cudaStreamIsCapturing(stream, &status), 0);
	CHECK_IS(status, 2);
	expect_end(stream, SIM_cudaErrorStreamCaptureInvalidated);
	CHECK_IS(cuda.cudaStreamIsCapturing(stream, &status), 0);
	CHECK_IS(status, 0);
}

static void *end_elsewhere(void *stream)
{
	void *graph = NULL;
	return (void *)(intptr_t)cuda.cudaStreamEndCapture(stream, &graph);
}

static void captured_things_have_no_state(void)
{
	void *event = rules_event(), *stream = begin(RELAXED, NON_BLOCKING), *result;
	pthread_t thread;
	CHECK_IS(cuda.cudaEventRecord(event, stream), 0);
	CHECK_IS(cuda.cudaEventQuery(event), SIM_cudaErrorCapturedEvent);
	CHECK_IS(cuda.cudaStreamQuery(stream), SIM_cudaErrorStreamCaptureUnsupported);
	expect_end(stream, SIM_cudaErrorStreamCaptureInvalidated);
	CHECK_IS(cuda.cudaStreamBeginCapture(NULL, GLOBAL), SIM_cudaErrorStreamCaptureUnsupported);
	stream = begin(GLOBAL, NON_BLOCKING);
	CHECK(!pthread_create(&thread, NULL, end_elsewhere, stream));
	pthread_join(thread, &result);
	CHECK_IS((intptr_t)result, SIM_cudaErrorStreamCaptureWrongThread);
}

const struct rule capture_rules[] = {
	{"capture: a graph repeats its copies", RULE_ANYWHERE, NULL, graph_repeats_its_copies},
	{"capture: modes", RULE_ANYWHERE, NULL, modes_prohibit},
	{"capture: handles and plans", RULE_SIM_ONLY, NULL, libraries_are_prohibited_too},
	{"capture: waiting for the device", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2",
         waiting_for_the_device_is_prohibited},
	{"capture: default stream", RULE_ANYWHERE, NULL, default_stream_is_prohibited},
	{"capture: events and threads", RULE_SIM_ONLY, NULL, captured_things_have_no_state},
	{0},
};
