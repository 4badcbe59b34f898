/* sim_rules_device.c - the rules of drivers, devices, errors and processes */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim_rules.h"

static void count_is_untouched_without_driver(void)
{
	int count = -7, version = -7;
	CHECK_IS(cuda.cudaGetDeviceCount(&count), SIM_cudaErrorInsufficientDriver);
	CHECK_IS(count, -7);
	CHECK_IS(cuda.cudaDriverGetVersion(&version), 0);
	CHECK_IS(version, 0);
	CHECK_IS(cuda.cudaGetLastError(), SIM_cudaErrorInsufficientDriver);
	CHECK_IS(cuda.cudaGetLastError(), SIM_cudaErrorInsufficientDriver);
	CHECK_IS(cuda.cudaRuntimeGetVersion(&version), 0);
	CHECK_IS(version / 1000, cuda.major);
}

static void libraries_fail_without_driver(void)
{
	void *pointer = &pointer, *handle = &handle;
	int plan = -7;
	CHECK_IS(cuda.cudaMalloc(&pointer, 16), SIM_cudaErrorInsufficientDriver);
	CHECK(pointer == &pointer);
	CHECK_IS(cuda.cublasCreate_v2(&handle), SIM_CUBLAS_STATUS_NOT_INITIALIZED);
	CHECK(handle == &handle);
	CHECK_IS(cuda.cufftPlan1d(&plan, 8, SIM_CUFFT_C2C, 1), SIM_CUFFT_INTERNAL_ERROR);
	CHECK_IS(plan, -7);
	CHECK_IS(cuda.cufftPlan1d(NULL, 8, SIM_CUFFT_C2C, 1), SIM_CUFFT_INVALID_VALUE);
	CHECK_IS(cuda.cufftDestroy(77), SIM_CUFFT_INVALID_PLAN);
	CHECK_IS(cuda.cublasDestroy_v2(NULL), SIM_CUBLAS_STATUS_NOT_INITIALIZED);
}

static void old_driver_is_refused(void)
{
	int count = -7, version = 0;
	CHECK_IS(cuda.cudaGetDeviceCount(&count), SIM_cudaErrorInsufficientDriver);
	CHECK_IS(cuda.cudaDriverGetVersion(&version), 0);
	CHECK_IS(version, 10020);
}

static void no_device_is_an_error(void)
{
	int count = -7;
	CHECK_IS(cuda.cudaGetDeviceCount(&count), SIM_cudaErrorNoDevice);
	CHECK_IS(cuda.cudaSetDevice(0), SIM_cudaErrorNoDevice);
}

static void devices_are_numbered(void)
{
	int count = 0, device = -7;
	CHECK_IS(cuda.cudaGetDeviceCount(&count), 0);
	CHECK(count > 0);
	CHECK_IS(cuda.cudaSetDevice(count - 1), 0);
	CHECK_IS(cuda.cudaSetDevice(0), 0);
	CHECK_IS(cuda.cudaSetDevice(count), SIM_cudaErrorInvalidDevice);
	CHECK_IS(cuda.cudaSetDevice(-1), SIM_cudaErrorInvalidDevice);
	CHECK_IS(cuda.cudaGetDevice(&device), 0);
	CHECK_IS(device, 0);
	CHECK_IS(cuda.cudaGetDeviceCount(NULL), SIM_cudaErrorInvalidValue);
}

static void attributes_answer(void)
{
	int value = -7;
	char id[32] = "";
	CHECK_IS(cuda.cudaDeviceGetAttribute(&value, 75, 0), 0);
	CHECK(value >= 3);
	CHECK_IS(cuda.cudaDeviceGetAttribute(&value, 16, 0), 0);
	CHECK(value > 0);
	CHECK_IS(cuda.cudaDeviceGetAttribute(&value, 100000, 0), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaDeviceGetAttribute(&value, 75, 99), SIM_cudaErrorInvalidDevice);
	CHECK_IS(cuda.cudaDeviceGetPCIBusId(id, sizeof id, 0), 0);
	CHECK_IS(strlen(id), 12);
	CHECK_IS(cuda.cudaDeviceGetPCIBusId(id, 5, 0), SIM_cudaErrorInvalidValue);
}

static void last_error_clears_when_read(void)
{
	CHECK_IS(cuda.cudaGetLastError(), 0);
	CHECK_IS(cuda.cudaSetDevice(99), SIM_cudaErrorInvalidDevice);
	CHECK_IS(cuda.cudaSetDevice(0), 0);
	CHECK_IS(cuda.cudaPeekAtLastError(), SIM_cudaErrorInvalidDevice);
	CHECK_IS(cuda.cudaGetLastError(), SIM_cudaErrorInvalidDevice);
	CHECK_IS(cuda.cudaGetLastError(), 0);
	CHECK(!strcmp(cuda.cudaGetErrorName(700), "cudaErrorIllegalAddress"));
	CHECK(!strcmp(cuda.cudaGetErrorName(123456), "unrecognized error code"));
	CHECK(cuda.cudaGetErrorString(2)[0] != 0);
}

static void *read_last_error(void *result)
{
	*(int *)result = cuda.cudaGetLastError();
	return NULL;
}

static void last_error_is_per_thread(void)
{
	int other = -7;
	pthread_t thread;
	CHECK_IS(cuda.cudaSetDevice(99), SIM_cudaErrorInvalidDevice);
	CHECK(!pthread_create(&thread, NULL, read_last_error, &other));
	pthread_join(thread, NULL);
	CHECK_IS(other, 0);
	CHECK_IS(cuda.cudaGetLastError(), SIM_cudaErrorInvalidDevice);
}

static void sticky_error_stays(void)
{
	char *memory = rules_device_memory(512);
	void *pointer = NULL;
	CHECK_IS(cuda.cudaMemset(memory, 0, 513), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
	CHECK_IS(cuda.cudaGetLastError(), SIM_cudaErrorIllegalAddress);
	CHECK_IS(cuda.cudaGetLastError(), SIM_cudaErrorIllegalAddress);
	CHECK_IS(cuda.cudaMalloc(&pointer, 16), SIM_cudaErrorIllegalAddress);
	CHECK_IS(cuda.cudaFree(memory), SIM_cudaErrorIllegalAddress);
	CHECK_IS(cuda.cublasCreate_v2(&pointer), SIM_CUBLAS_STATUS_NOT_INITIALIZED);
	/* The other device has a context of its own. */
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	CHECK_IS(cuda.cudaMalloc(&pointer, 16), 0);
}

/* Operations queued behind the fault do not run either. */
static void nothing_runs_after_a_fault(void)
{
	void *pinned = NULL;
	CHECK_IS(cuda.cudaMallocHost(&pinned, 64), 0);
	unsigned char *host = pinned, *memory = rules_device_memory(64);
	host[0] = 1;
	CHECK_IS(cuda.cudaMemset(memory, 2, 64), 0);
	CHECK_IS(cuda.cudaMemset(memory, 2, 65), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(host, memory, 1, SIM_COPY_D2H, NULL), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
	CHECK_IS(host[0], 1);
}

/* 1: every call was refused with the right error. */
static int child_is_refused(void *handle, int plan, void *memory)
{
	void *pointer = NULL;
	int device;
	double word;
	return cuda.cudaMalloc(&pointer, 16) == SIM_cudaErrorInitializationError &&
	       cuda.cudaGetDevice(&device) == SIM_cudaErrorInitializationError &&
	       cuda.cudaDeviceSynchronize() == SIM_cudaErrorInitializationError &&
	       cuda.cudaMemcpy(&word, memory, sizeof word, SIM_COPY_D2H) ==
	               SIM_cudaErrorInitializationError &&
	       cuda.cublasSetStream_v2(handle, NULL) != 0 &&
	       cuda.cufftExecC2C(plan, memory, memory, -1) != 0;
}

static void fork_child_has_no_cuda(void)
{
	void *handle = NULL, *memory = rules_device_memory(64);
	int plan = 0, status = 0;
	CHECK_IS(cuda.cublasCreate_v2(&handle), 0);
	CHECK_IS(cuda.cufftPlan1d(&plan, 8, SIM_CUFFT_C2C, 1), 0);
	pid_t child = fork();
	if (!child)
		_exit(child_is_refused(handle, plan, memory) ? 0 : 9);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status));
	CHECK_IS(WEXITSTATUS(status), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

static void fork_before_first_call_is_harmless(void)
{
	int status = 0;
	void *memory;
	pid_t child = fork();
	if (!child)
		_exit(cuda.cudaMalloc(&memory, 16));
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_IS(WEXITSTATUS(status), 0);
	CHECK_IS(cuda.cudaMalloc(&memory, 16), 0);
}

static void old_hardware_runs_no_kernels(void)
{
	void *handle = &handle, *memory = rules_device_memory(64);
	int plan = 0;
	CHECK_IS(cuda.cublasCreate_v2(&handle), SIM_CUBLAS_STATUS_ARCH_MISMATCH);
	CHECK(handle == &handle);
	CHECK_IS(cuda.cudaMemset(memory, 0, 64), 0);
	CHECK_IS(cuda.cufftPlan1d(&plan, 8, SIM_CUFFT_C2C, 1), 0);
	CHECK_IS(cuda.cufftExecC2C(plan, memory, memory, -1), SIM_CUFFT_EXEC_FAILED);
	CHECK_IS(cuda.cudaGetLastError(), SIM_cudaErrorNoKernelImageForDevice);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

static void reset_frees_the_device(void)
{
	size_t before = 0, after = 0, total = 0;
	CHECK_IS(cuda.cudaMemGetInfo(&before, &total), 0);
	rules_device_memory((size_t)64 << 20);
	void *stream = rules_stream(0);
	CHECK_IS(cuda.cudaDeviceReset(), 0);
	CHECK_IS(cuda.cudaMemGetInfo(&after, &total), 0);
	CHECK(after >= before);
	CHECK(!cuda.simcuda_version ||
	      cuda.cudaStreamQuery(stream) == SIM_cudaErrorInvalidResourceHandle);
}

const struct rule device_rules[] = {
	{"device: count untouched without driver", RULE_SIM_ONLY, "SIMCUDA_DRIVER=0",
         count_is_untouched_without_driver},
	{"device: libraries fail without driver", RULE_SIM_ONLY, "SIMCUDA_DRIVER=0",
         libraries_fail_without_driver},
	{"device: old driver refused", RULE_SIM_ONLY, "SIMCUDA_DRIVER=10020",
         old_driver_is_refused},
	{"device: none is an error", RULE_SIM_ONLY, "SIMCUDA_DEVICES=0", no_device_is_an_error},
	{"device: numbering", RULE_ANYWHERE, NULL, devices_are_numbered},
	{"device: attributes", RULE_ANYWHERE, NULL, attributes_answer},
	{"error: cleared when read", RULE_ANYWHERE, NULL, last_error_clears_when_read},
	{"error: per thread", RULE_ANYWHERE, NULL, last_error_is_per_thread},
	{"error: sticky", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2", sticky_error_stays},
	{"error: nothing runs after a fault", RULE_SIM_ONLY, NULL, nothing_runs_after_a_fault},
	{"process: fork child has no CUDA", RULE_ANYWHERE, NULL, fork_child_has_no_cuda},
	{"process: fork before the first call", RULE_ANYWHERE, NULL,
         fork_before_first_call_is_harmless},
	{"device: old hardware runs no kernels", RULE_SIM_ONLY, "SIMCUDA_CAPABILITY=3.0",
         old_hardware_runs_no_kernels},
	{"device: reset", RULE_ANYWHERE, NULL, reset_frees_the_device},
	{0},
};
