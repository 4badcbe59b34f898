/* sim_rules_context.c - rules of contexts: when they are made, what they cost, how they end */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim_driver.h"
#include "sim_rules.h"

static struct sim_driver driver;

/* The library that the runtime has loaded. */
static void find_driver(void)
{
	int count;
	CHECK_IS(cuda.cudaGetDeviceCount(&count), 0);
	void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	CHECK(library != NULL);
#define FIND(name, parameters, arguments) *(void **)&driver.name = dlsym(library, #name);
	SIM_DRIVER_CALLS(FIND)
}

static void *current(void)
{
	void *context = &context;
	CHECK_IS(driver.cuCtxGetCurrent(&context), 0);
	return context;
}

static int current_device(void)
{
	int device = -1;
	CHECK_IS(cuda.cudaGetDevice(&device), 0);
	return device;
}

static void selecting_makes_a_context(void)
{
	size_t free_bytes = 0, total_bytes = 0;
	int device, value;
	find_driver();
	CHECK(current() == NULL);
	CHECK_IS(cuda.cudaGetDevice(&device), 0);
	CHECK_IS(cuda.cudaDeviceGetAttribute(&value, 75, 1), 0);
	CHECK_IS(cuda.simcuda_contexts(0) + cuda.simcuda_contexts(1), 0);
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	CHECK_IS(cuda.simcuda_contexts(1), cuda.major >= 12);
	CHECK_IS(cuda.cudaMemGetInfo(&free_bytes, &total_bytes), 0);
	CHECK(free_bytes < total_bytes);
	CHECK_IS(cuda.simcuda_contexts(1), 1);
	CHECK(current() != NULL);
	CHECK_IS(cuda.simcuda_contexts(0), 0);
}

static void exclusive_card_is_refused(void)
{
	void *context = NULL, *memory = NULL;
	int mode = -1;
	find_driver();
	CHECK_IS(cuda.cudaDeviceGetAttribute(&mode, 20, 0), 0);
	CHECK_IS(mode, 3);
	CHECK_IS(cuda.cudaMalloc(&memory, 16), SIM_cudaErrorDevicesUnavailable);
	CHECK_IS(cuda.cudaSetDevice(0), cuda.major >= 12 ? SIM_cudaErrorDevicesUnavailable : 0);
	CHECK_IS(driver.cuDevicePrimaryCtxRetain(&context, 0), SIM_cudaErrorDevicesUnavailable);
	CHECK_IS(driver.cuCtxCreate_v2(&context, 0, 0), SIM_cudaErrorDevicesUnavailable);
	CHECK_IS(cuda.simcuda_contexts(0), 0);
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	CHECK_IS(cuda.cudaMalloc(&memory, 16), 0);
}

/* What the driver binds, the runtime uses; the selected device is another thing. */
static void driver_and_runtime_share_contexts(void)
{
	void *first = NULL, *second = NULL, *popped = NULL;
	find_driver();
	CHECK_IS(driver.cuDevicePrimaryCtxRetain(&second, 1), 0);
	CHECK_IS(driver.cuCtxSetCurrent(second), 0);
	CHECK_IS(current_device(), 1);
	CHECK_IS(driver.cuCtxSetCurrent(NULL), 0);
	CHECK(current() == NULL);
	CHECK_IS(current_device(), 0);
	CHECK_IS(cuda.simcuda_contexts(0), 0);
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	CHECK(current() == second);
	CHECK_IS(driver.cuCtxSetCurrent(NULL), 0);
	CHECK_IS(current_device(), 1);
	CHECK_IS(driver.cuCtxCreate_v2(&first, 0, 0), 0);
	CHECK(current() == first);
	CHECK_IS(driver.cuCtxPushCurrent_v2(second), 0);
	CHECK_IS(driver.cuCtxPopCurrent_v2(&popped), 0);
	CHECK(popped == second && current() == first);
	CHECK_IS(driver.cuCtxDestroy_v2(first), 0);
	CHECK(current() == NULL);
	CHECK_IS(driver.cuCtxSetCurrent(first), 0);
	CHECK_IS(cuda.cudaMalloc(&popped, 16), SIM_cudaErrorContextIsDestroyed);
}

/* Streams and handles serve their own context only, also where two are on one device. */
static void contexts_do_not_mix(void)
{
	void *own = NULL, *other = NULL, *handle = rules_handle();
	void *stream = rules_stream(SIM_STREAM_NON_BLOCKING), *event = rules_event();
	const double one = 1;
	double *memory = rules_device_copy(&one, sizeof one);
	find_driver();
	own = current();
	CHECK_IS(driver.cuCtxCreate_v2(&other, 0, 0), 0);
	CHECK(other != own);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 1, 1, 1, &one, memory, 1, memory, 1, &one,
	                             memory, 1),
	         SIM_CUBLAS_STATUS_EXECUTION_FAILED);
	void *here = rules_stream(SIM_STREAM_NON_BLOCKING);
	CHECK_IS(cuda.cudaEventRecord(event, here), SIM_cudaErrorInvalidResourceHandle);
	CHECK_IS(driver.cuCtxSetCurrent(own), 0);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 1, 1, 1, &one, memory, 1, memory, 1, &one,
	                             memory, 1),
	         0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
}

static void reset_makes_another_context(void)
{
	unsigned long long before = 0, after = 0;
	void *memory = rules_device_memory(64), *host = rules_pinned(64), *event = rules_event();
	find_driver();
	void *context = current();
	CHECK_IS(driver.cuCtxGetId(context, &before), 0);
	CHECK_IS(cuda.cudaDeviceReset(), 0);
	CHECK_IS(driver.cuCtxGetId(context, &after), SIM_cudaErrorContextIsDestroyed);
	CHECK_IS(cuda.cudaFree(NULL), 0);
	CHECK_IS(driver.cuCtxGetId(NULL, &after), 0);
	CHECK(after != before);
	CHECK(current() == context);
	CHECK_IS(cuda.cudaFree(memory), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaFreeHost(host), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaEventQuery(event), SIM_cudaErrorInvalidResourceHandle);
}

static void use_handle(void *handle, int plan)
{
	(void)plan;
	cuda.cublasSetStream_v2(handle, NULL);
}

static void use_plan(void *handle, int plan)
{
	(void)handle;
	cuda.cufftSetStream(plan, NULL);
}

/* Used in a child, so that its end is seen. CUDA was not started before the fork. */
static void expect_death(void (*use)(void *, int))
{
	int status = 0, plan = 0;
	const pid_t child = fork();
	if (!child) {
		void *handle = rules_handle();
		CHECK_IS(cuda.cufftPlan1d(&plan, 8, SIM_CUFFT_C2C, 1), 0);
		CHECK_IS(cuda.cudaDeviceReset(), 0);
		use(handle, plan);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFSIGNALED(status));
	CHECK_IS(WTERMSIG(status), SIGABRT);
}

static void stale_handles_end_the_program(void)
{
	expect_death(use_handle);
	expect_death(use_plan);
}

static void *free_pinned(void *host)
{
	return (void *)(intptr_t)cuda.cudaFreeHost(host);
}

/* The kernel waits for the host; nothing but its end lets the call return. */
static void page_locking_waits(void)
{
	const double one = 1;
	void *handle = rules_handle(), *host = rules_pinned(64), *result;
	double *memory = rules_device_copy(&one, sizeof one);
	pthread_t thread;
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 1, 1, 1, &one, memory, 1, memory, 1, &one,
	                             memory, 1),
	         0);
	CHECK(!pthread_create(&thread, NULL, free_pinned, host));
	CHECK(pthread_tryjoin_np(thread, &result) != 0);
	struct timespec soon;
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_nsec += 200000000;
	soon.tv_sec += soon.tv_nsec / 1000000000;
	soon.tv_nsec %= 1000000000;
	CHECK(pthread_timedjoin_np(thread, &result, &soon) != 0);
}

const struct rule context_rules[] = {
	{"context: selecting makes one", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2",
         selecting_makes_a_context},
	{"context: exclusive card", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2 SIMCUDA_EXCLUSIVE=0",
         exclusive_card_is_refused},
	{"context: driver and runtime", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2",
         driver_and_runtime_share_contexts},
	{"context: no mixing", RULE_SIM_ONLY, NULL, contexts_do_not_mix},
	{"context: reset", RULE_SIM_ONLY, NULL, reset_makes_another_context},
	{"context: stale handles", RULE_SIM_ONLY, NULL, stale_handles_end_the_program},
	{"context: freeing page-locked memory waits", RULE_SIM_ONLY, "SIMCUDA_FAIL=kernel:1:hang",
         page_locking_waits},
	{0},
};
