/* sim_alive.c - exported: live objects of the program and the memory that it holds */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <string.h>

#include "sim_engine.h"

static atomic_ulong things[SIMCUDA_THINGS];

void simcuda_alive_add(enum simcuda_thing thing, int change)
{
	atomic_fetch_add(&things[thing], (unsigned long)change);
}

static unsigned long alive_allocations(void)
{
	unsigned long count = 0;
	const struct sim_device *device;
	for (int i = 0; (device = sim_device_each(i)); i++)
		count += sim_memory_count(device);
	return count;
}

static unsigned long alive_find(const char *name)
{
	if (!strcmp(name, "cudaMalloc"))
		return alive_allocations();
	if (!strcmp(name, "cudaMallocManaged"))
		return sim_pinned_count(SIM_PINNED_MANAGED);
	if (!strcmp(name, "cudaHostAlloc"))
		return sim_pinned_count(SIM_PINNED_ALLOCATED);
	if (!strcmp(name, "cudaHostRegister"))
		return sim_pinned_count(SIM_PINNED_REGISTERED);
	if (!strcmp(name, "cudaStreamCreate"))
		return sim_stream_count();
	if (!strcmp(name, "cudaEventCreate"))
		return sim_event_count();
	if (!strcmp(name, "cublasCreate"))
		return atomic_load(&things[SIMCUDA_HANDLE]);
	if (!strcmp(name, "cusolverDnCreate"))
		return atomic_load(&things[SIMCUDA_SOLVER]);
	if (!strcmp(name, "cusolverDnCreateParams"))
		return atomic_load(&things[SIMCUDA_SOLVER_PARAMS]);
	return !strcmp(name, "cufftCreate") ? atomic_load(&things[SIMCUDA_PLAN]) : 0;
}

unsigned long simcuda_alive(const char *name)
{
	sim_lock();
	unsigned long count = alive_find(name);
	sim_unlock();
	return count;
}

size_t simcuda_memory_held(int index)
{
	sim_lock();
	const struct sim_device *device = sim_device_at(index);
	size_t held = device && device->open ? device->used_bytes - device->context_bytes : 0;
	sim_unlock();
	return held;
}

size_t simcuda_memory_high(int index)
{
	sim_lock();
	const struct sim_device *device = sim_device_at(index);
	size_t high = device ? device->high_bytes - device->context_bytes : 0;
	sim_unlock();
	return high;
}

void simcuda_memory_forget_high(int index)
{
	sim_lock();
	struct sim_device *device = sim_device_at(index);
	if (device)
		device->high_bytes = device->used_bytes;
	sim_unlock();
}
