/* gpu_guest_test.c - CUDA state, errno and cancellation of the program stay as they were */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/execute/gpu/cuda/cuda.h"

static struct cuda_api program;

/* Finds the functions as the program does: in the library that it opened before the shim did. */
static bool guest_open(void)
{
	static const struct {
		const char *name;
		size_t offset;
	} rows[] = {{"cudaGetDevice", offsetof(struct cuda_api, get_device)},
	            {"cudaSetDevice", offsetof(struct cuda_api, set_device)},
	            {"cudaPeekAtLastError", offsetof(struct cuda_api, peek_at_last_error)},
	            {"cudaGetLastError", offsetof(struct cuda_api, get_last_error)}};
	char path[OPTION_TEXT_BYTES];
	snprintf(path, sizeof path, "%s/13/libcudart.so.13", getenv("EPOCHLY_GPU_CUDA_PATH"));
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0] && handle != NULL; i++) {
		void *symbol = dlsym(handle, rows[i].name);
		memcpy((char *)&program + rows[i].offset, &symbol, sizeof symbol);
	}
	return handle != NULL;
}

static enum reason run_gemm(int device)
{
	const struct gpu_check_gemm gemm = {
		.element = ELEMENT_Z, .m = 5, .n = 6, .k = 7, .alpha = 1, .beta = 1};
	return gpu_check_run_gemm(&gemm, device);
}

static void expect_untouched(int error)
{
	int current = -1;
	program.get_device(&current);
	EXPECT(current == 0, "the current device is %d", current);
	EXPECT(program.peek_at_last_error() == error, "the pending error is %d",
	       program.peek_at_last_error());
}

static int scenario_guest(const char *name)
{
	if (!guest_open())
		return 1;
	snprintf(gpu_check_configure(0)->devices, OPTION_TEXT_BYTES, "1");
	program.set_device(0);
	const int device = gpu_check_start_configured();
	EXPECT(device == 1, "device %d", device);
	expect_untouched(0);
	if (strcmp(name, "faults") == 0) {
		EXPECT(run_gemm(device) == REASON_TRANSFER_FAILED, "as ordered");
		expect_untouched(0);
	}
	errno = EDOM;
	EXPECT(run_gemm(device) == REASON_NONE, "on device 1");
	EXPECT(errno == EDOM, "errno is %d", errno);
	expect_untouched(0);
	program.set_device(99);
	EXPECT(run_gemm(device) == REASON_NONE, "with an error of the program's pending");
	expect_untouched(101);
	return gpu_check_end("guest");
}

int main(int argc, char **argv)
{
	static const char *const scenario[] = {"plain", "faults"};
	if (argc == 2)
		return scenario_guest(argv[1]);
	if (getenv("EPOCHLY_GPU_CUDA_PATH") == NULL) {
		printf("skipped: needs two devices of a simulated CUDA in EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	for (size_t i = 0; i < 2; i++) {
		struct gpu_child child = {
			.scenario = scenario[i],
			.setting = {"SIMCUDA_DEVICES=2",
		                    i == 1 ? "SIMCUDA_FAIL=cudaMemcpyAsync:1" : NULL}};
		gpu_child_run(&child);
		EXPECT(gpu_child_exited(&child, 0), "%s: status %x: %s", scenario[i],
		       (unsigned)child.status, child.errors);
	}
	return gpu_check_end("gpu_guest");
}
