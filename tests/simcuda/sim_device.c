/* sim_device.c - simulated devices, the current device of a thread, and what a call needs */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <unistd.h>

#include "sim_engine.h"
#include "sim_profile.h"

static struct sim_device devices[SIM_MAX_DEVICES];
static _Thread_local int current_device;
static _Thread_local struct sim_device *executing_device;
/* The process that initialised CUDA. CUDA does not work in its fork children. */
static atomic_int owner_pid;

struct sim_device *sim_device_at(int index)
{
	const struct sim_config *config = sim_config();
	return index >= 0 && index < config->devices ? &devices[index] : NULL;
}

struct sim_device *sim_device_current(void)
{
	return sim_device_at(current_device);
}

struct sim_device **sim_device_executing(void)
{
	return &executing_device;
}

int simcuda_device(void)
{
	return current_device;
}

int simcuda_capability(void)
{
	return sim_profile(current_device)->capability;
}

size_t simcuda_memory_total(void)
{
	return sim_profile(current_device)->memory_bytes;
}

int sim_device_select(int index)
{
	if (!sim_device_at(index))
		return SIM_cudaErrorInvalidDevice;
	current_device = index;
	return 0;
}

/* A context takes device memory before the program allocates any. */
static int device_open(struct sim_device *device)
{
	void *context;
	if (device->open)
		return 0;
	device->index = (int)(device - devices);
	device->total_bytes = sim_profile(device->index)->memory_bytes;
	if (!device->base && !sim_memory_open(device))
		return SIM_cudaErrorMemoryAllocation;
	if (!device->null_stream)
		device->null_stream = sim_stream_new(device, true, true);
	if (!device->null_stream ||
	    sim_memory_take(device, device->total_bytes / 64, false, &context))
		return SIM_cudaErrorMemoryAllocation;
	device->context_bytes = device->used_bytes;
	device->open = true;
	return 0;
}

static int device_driver_error(void)
{
	const struct sim_config *config = sim_config();
	if (config->driver < SIMCUDA_MAJOR * 1000)
		return SIM_cudaErrorInsufficientDriver;
	return config->devices ? 0 : SIM_cudaErrorNoDevice;
}

int simcuda_guard(int need)
{
	if (need == SIMCUDA_NEEDS_NOTHING)
		return 0;
	int error = device_driver_error(), nobody = 0, pid = (int)getpid();
	if (error)
		return error;
	/* Before any lock: another thread of the parent may have held it at the fork. */
	if (!atomic_compare_exchange_strong(&owner_pid, &nobody, pid) && nobody != pid)
		return SIM_cudaErrorInitializationError;
	if (need == SIMCUDA_NEEDS_DRIVER)
		return 0;
	sim_lock();
	struct sim_device *device = sim_device_current();
	error = device_open(device);
	if (!error)
		error = device->sticky_error;
	sim_unlock();
	return error;
}

/* A reset does not clear a sticky error: only a new process gets a working context. */
int sim_device_reset(void)
{
	struct sim_device *device = sim_device_current();
	sim_lock();
	struct sim_goal all = {.device = device, .limit = sim_stream_limit()};
	sim_schedule_reach(&all);
	sim_stream_clear(device);
	sim_event_clear(device);
	sim_memory_clear(device);
	sim_pinned_clear_managed(device);
	device->null_stream = NULL;
	device->open = false;
	sim_unlock();
	return 0;
}

int simcuda_synchronize(void)
{
	struct sim_device *device = sim_device_current();
	sim_lock();
	struct sim_goal all = {.device = device, .limit = sim_stream_limit()};
	sim_schedule_reach(&all);
	int error = device->sticky_error;
	sim_unlock();
	return error;
}

int simcuda_version(void)
{
	return 1;
}
