/* guest_context.c - a program with contexts of the driver's interface, and threads with none */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "guest_cuda.h"

enum { COMPUTE_MODE = 20, EXCLUSIVE_PROCESS = 3 };

static void *current(void)
{
	void *context = &context;
	GUEST_EXPECT(cuda.cuCtxGetCurrent(&context) == 0, "the driver answers");
	return context;
}

static int current_device(void)
{
	int device = -1;
	GUEST_EXPECT(cuda.cudaGetDevice(&device) == 0, "the runtime answers");
	return device;
}

static bool has_context(int device)
{
	unsigned flags;
	int handle, active = -1;
	GUEST_EXPECT(cuda.cuDeviceGet(&handle, device) == 0 &&
	                     cuda.cuDevicePrimaryCtxGetState(handle, &flags, &active) == 0,
	             "the driver knows device %d", device);
	return active != 0;
}

static void call_all(void)
{
	guest_multiply(80);
	guest_transform(1 << 12);
}

/* A thread that never used CUDA is left without a context, and with its device. */
static void *thread_without(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		call_all();
		GUEST_EXPECT(current() == NULL, "a context was left in a thread that had none");
		GUEST_EXPECT(current_device() == 0, "the thread's device is %d", current_device());
	}
	return NULL;
}

static void test_thread_without(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, thread_without, NULL);
	pthread_join(thread, NULL);
}

/* As PyCUDA: contexts of its own, pushed and popped. */
static void test_own_contexts(void)
{
	void *first = NULL, *second = NULL, *popped = NULL;
	int handle = -1;
	GUEST_EXPECT(cuda.cuInit(0) == 0 && cuda.cuDeviceGet(&handle, 0) == 0, "device 0");
	GUEST_EXPECT(cuda.cuCtxCreate_v2(&first, 0, handle) == 0, "a context");
	call_all();
	GUEST_EXPECT(current() == first, "the program's context is not current any more");
	GUEST_EXPECT(cuda.cuCtxCreate_v2(&second, 0, handle) == 0, "a second one");
	call_all();
	GUEST_EXPECT(current() == second, "the second context is not current any more");
	GUEST_EXPECT(cuda.cuCtxPopCurrent_v2(&popped) == 0 && popped == second, "popped");
	GUEST_EXPECT(current() == first, "the first context is below");
	call_all();
	GUEST_EXPECT(cuda.cuCtxPushCurrent_v2(second) == 0, "pushed");
	GUEST_EXPECT(cuda.cuCtxDestroy_v2(second) == 0, "destroyed");
	call_all();
	GUEST_EXPECT(current() == first, "the first context after the second's end");
	GUEST_EXPECT(cuda.cuCtxPopCurrent_v2(&popped) == 0 && popped == first, "popped");
	call_all();
	GUEST_EXPECT(current() == NULL, "a context was left where there was none");
	cuda.cuCtxDestroy_v2(first);
}

/* The program selects devices itself. */
static void test_selecting(void)
{
	for (int device = cuda.devices - 1; device >= 0; device--) {
		if (cuda.cudaSetDevice(device) != 0)
			continue;
		void *before = current();
		call_all();
		GUEST_EXPECT(current() == before && current_device() == device,
		             "device %d was current, %d is", device, current_device());
	}
}

/* Device 0 is not the shim's: nothing may ask for a context there. */
static int test_untouched(bool exclusive)
{
	int mode = 0;
	cuda.cudaDeviceGetAttribute(&mode, COMPUTE_MODE, 0);
	if (cuda.devices < 2 || (exclusive && mode != EXCLUSIVE_PROCESS))
		return GUEST_SKIPPED;
	call_all();
	test_thread_without();
	GUEST_EXPECT(current() == NULL, "a context was left in the main thread");
	GUEST_EXPECT(!has_context(0), "device 0 has got a context");
	return guest_end();
}

int main(int argc, char **argv)
{
	guest_open();
	if (argc > 1)
		return test_untouched(strcmp(argv[1], "exclusive") == 0);
	test_thread_without();
	test_own_contexts();
	test_selecting();
	return guest_end();
}
