/* sim_rules_alive.c - the controls: live objects, memory held, and devices that differ */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim_rules.h"

static void things_are_counted_while_they_live(void)
{
	static char mine[8192];
	void *memory = rules_device_memory(64), *managed = NULL, *host = rules_pinned(64),
	     *stream = rules_stream(0);
	void *event = rules_event(), *handle = rules_handle();
	int plan = 0;
	CHECK_IS(cuda.cudaMallocManaged(&managed, 64, SIM_ATTACH_GLOBAL), 0);
	CHECK_IS(cuda.cudaHostRegister(mine, sizeof mine, 0), 0);
	CHECK_IS(cuda.cufftPlan1d(&plan, 8, SIM_CUFFT_C2C, 1), 0);
	static const char *const names[] = {
		"cudaMalloc",       "cudaMallocManaged", "cudaHostAlloc", "cudaHostRegister",
		"cudaStreamCreate", "cudaEventCreate",   "cublasCreate",  "cufftCreate"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		CHECK_IS(cuda.simcuda_alive(names[i]), 1);
	CHECK_IS(cuda.simcuda_alive("noSuchThing"), 0);
	/* A destroyed stream no longer counts as the program's, even if its work is not done. */
	CHECK_IS(cuda.cudaMemsetAsync(memory, 0, 64, stream), 0);
	CHECK(!cuda.cudaStreamDestroy(stream) && !cuda.cudaEventDestroy(event) &&
	      !cuda.cudaHostUnregister(mine));
	CHECK(!cuda.cudaFree(memory) && !cuda.cudaFree(managed) && !cuda.cudaFreeHost(host));
	CHECK(!cuda.cublasDestroy_v2(handle) && !cuda.cufftDestroy(plan));
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		CHECK_IS(cuda.simcuda_alive(names[i]), 0);
	CHECK_IS(cuda.simcuda_memory_held(0), 0);
}

static void a_reset_ends_the_lives_of_a_device(void)
{
	rules_device_memory(64);
	rules_stream(0);
	rules_event();
	CHECK_IS(cuda.cudaDeviceReset(), 0);
	CHECK(!cuda.simcuda_alive("cudaMalloc") && !cuda.simcuda_alive("cudaStreamCreate") &&
	      !cuda.simcuda_alive("cudaEventCreate"));
}

static void held_memory_has_a_high_water_mark(void)
{
	const size_t large = 10 << 20, small = 4 << 20;
	void *first = rules_device_memory(large);
	CHECK_IS(cuda.simcuda_memory_held(0), large);
	void *second = rules_device_memory(small);
	CHECK_IS(cuda.cudaFree(first), 0);
	CHECK_IS(cuda.simcuda_memory_held(0), small);
	CHECK_IS(cuda.simcuda_memory_high(0), large + small);
	cuda.simcuda_memory_forget_high(0);
	CHECK_IS(cuda.simcuda_memory_high(0), small);
	CHECK_IS(cuda.simcuda_memory_held(1), 0);
	CHECK_IS(cuda.simcuda_memory_high(1), 0);
	CHECK_IS(cuda.simcuda_memory_held(99), 0);
	CHECK_IS(cuda.cudaFree(second), 0);
	/* Plans are counted too. */
	int plan = 0;
	CHECK_IS(cuda.cufftPlan1d(&plan, 1 << 20, SIM_CUFFT_C2C, 1), 0);
	CHECK(cuda.simcuda_memory_held(0) >= (size_t)8 << 20);
}

static int attribute(int number, int device)
{
	int value = -1;
	CHECK_IS(cuda.cudaDeviceGetAttribute(&value, number, device), 0);
	return value;
}

static size_t total_memory(int device)
{
	size_t free_bytes = 0, total_bytes = 0;
	CHECK_IS(cuda.cudaSetDevice(device), 0);
	CHECK_IS(cuda.cudaMemGetInfo(&free_bytes, &total_bytes), 0);
	return total_bytes;
}

/*
 * The environment overrides the lines for all devices; a device's section overrides the
 * environment.
 */
static void devices_may_differ(void)
{
	enum { MULTIPROCESSORS = 16, CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };
	rules_use_profile(
		"SIMCUDA_PROFILE",
		"multiprocessors = 132\nmemory = 5G\n\n[device 1]\n  memory = 64M # little\n"
		"capability = 3.0\nmultiprocessors = 20\n");
	CHECK_IS(attribute(MULTIPROCESSORS, 0), 132);
	CHECK_IS(attribute(MULTIPROCESSORS, 1), 20);
	CHECK_IS(attribute(CAPABILITY_MAJOR, 0) * 10 + attribute(CAPABILITY_MINOR, 0), 86);
	CHECK_IS(attribute(CAPABILITY_MAJOR, 1) * 10 + attribute(CAPABILITY_MINOR, 1), 30);
	CHECK_IS(total_memory(0), (size_t)1 << 30);
	CHECK_IS(total_memory(1), (size_t)64 << 20);
	void *handle = NULL, *memory = NULL;
	CHECK_IS(cuda.cudaMalloc(&memory, 100 << 20), SIM_cudaErrorMemoryAllocation);
	CHECK_IS(cuda.cublasCreate_v2(&handle), SIM_CUBLAS_STATUS_ARCH_MISMATCH);
	CHECK_IS(cuda.cudaSetDevice(0), 0);
	CHECK_IS(cuda.cublasCreate_v2(&handle), 0);
	CHECK_IS(cuda.simcuda_clock_ns(), 0);
}

static void bad_profiles_are_reported(void)
{
	static const char *const lines[] = {"speed = 3",    "duplex = 2",         "up_gbytes_s",
	                                    "[device 99]",  "capability = nine",  "memory = 0",
	                                    "tile = 1 2",   "[device 1] # fine",  "units = x",
	                                    "duplex = 0.5", "multiprocessors = 0"};
	char profile[1024] = "", said[4096] = "";
	int ends[2], count = 0;
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		strcat(strcat(profile, lines[i]), "\n");
	CHECK(!pipe(ends) && dup2(ends[1], 2) == 2 && !close(ends[1]));
	rules_use_profile("SIMCUDA_PROFILE", profile);
	CHECK(!close(2) && read(ends[0], said, sizeof said - 1) > 0);
	for (const char *c = said; *c; c++)
		count += *c == '\n';
	CHECK_IS(count, 9);
	CHECK(strstr(said, ":1: cannot understand 'speed = 3'") && strstr(said, ":11: ") &&
	      !strstr(said, ":10: "));
	CHECK(cuda.simcuda_profile_value(0, "duplex") == 1 &&
	      cuda.simcuda_profile_value(1, "duplex") == 0.5);
}

const struct rule alive_rules[] = {
	{"alive: counts", RULE_SIM_ONLY, NULL, things_are_counted_while_they_live},
	{"alive: reset", RULE_SIM_ONLY, NULL, a_reset_ends_the_lives_of_a_device},
	{"alive: memory", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2", held_memory_has_a_high_water_mark},
	{"alive: devices differ", RULE_SIM_ONLY,
         "SIMCUDA_DEVICES=2 SIMCUDA_MEMORY=1G SIMCUDA_CAPABILITY=8.6", devices_may_differ},
	{"alive: bad profiles are reported", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2",
         bad_profiles_are_reported},
	{0},
};
