/* guest_reset.c - a program that resets the device between its calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest_cuda.h"

static void call_all(void)
{
	guest_multiply(80);
	guest_transform(1 << 12);
}

static void use_device(void)
{
	void *memory = NULL;
	GUEST_EXPECT(cuda.cudaMalloc(&memory, 4096) == 0, "memory");
	GUEST_EXPECT(cuda.cudaFree(memory) == 0, "and back");
}

int main(int argc, char **argv)
{
	uint64_t (*trim)(void) = NULL;
	void *symbol = dlsym(RTLD_DEFAULT, "gpushim_trim");
	memcpy(&trim, &symbol, sizeof symbol);
	guest_open();
	const bool used = argc > 1 && strcmp(argv[1], "used") == 0;
	GUEST_EXPECT(cuda.cudaDeviceReset() == 0, "a reset before anything");
	call_all();
	call_all();
	GUEST_EXPECT(cuda.cudaSetDevice(0) == 0 && cuda.cudaDeviceReset() == 0, "a reset");
	if (used)
		use_device();
	if (trim != NULL && argc > 2)
		trim();
	call_all();
	GUEST_EXPECT(cuda.cudaGetLastError() == 0, "an error is left");
	use_device();
	GUEST_EXPECT(cuda.cudaDeviceReset() == 0, "another reset");
	call_all();
	const pid_t child = fork();
	int status = -1;
	if (child == 0) {
		call_all();
		_exit(0);
	}
	GUEST_EXPECT(waitpid(child, &status, 0) == child && status == 0, "the child ended with %x",
	             (unsigned)status);
	return guest_end();
}
