/* sim_device.c - simulated devices, the current device of a thread, and what a call needs */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim_capture.h"
#include "sim_context.h"
#include "sim_node.h"
#include "sim_profile.h"
#include "sim_visible.h"

static struct sim_device devices[SIM_MAX_DEVICES] = {
	{.index = 0},  {.index = 1},  {.index = 2},  {.index = 3}, {.index = 4},  {.index = 5},
	{.index = 6},  {.index = 7},  {.index = 8},  {.index = 9}, {.index = 10}, {.index = 11},
	{.index = 12}, {.index = 13}, {.index = 14}, {.index = 15}};
static _Thread_local struct sim_device *executing_device;
/* The process that initialised CUDA. CUDA does not work in its fork children. */
static atomic_int owner_pid;
static pthread_once_t driver_once = PTHREAD_ONCE_INIT;

struct sim_device *sim_device_at(int index)
{
	return index >= 0 && index < sim_visible_count() ? &devices[index] : NULL;
}

struct sim_device *sim_device_current(void)
{
	return sim_context_device();
}

struct sim_device **sim_device_executing(void)
{
	return &executing_device;
}

struct sim_device *sim_device_card(struct sim_device *device)
{
	return device->foreign ? &devices[device->index] : device;
}

bool sim_device_is_owned(void)
{
	return atomic_load(&owner_pid) != 0;
}

int simcuda_device(void)
{
	return sim_device_current()->index;
}

int simcuda_capability(void)
{
	return sim_profile(simcuda_device())->capability;
}

size_t simcuda_memory_total(void)
{
	return sim_profile(simcuda_device())->memory_bytes;
}

/* A context takes device memory before the program allocates any. */
static int device_fill(struct sim_device *device)
{
	static unsigned long long contexts;
	void *context;
	device->total_bytes = sim_profile(device->index)->memory_bytes;
	if (!device->base && !sim_memory_open(device))
		return SIM_cudaErrorMemoryAllocation;
	if (!device->null_stream)
		device->null_stream = sim_stream_new(device, true, true);
	if (!device->null_stream ||
	    sim_memory_take(device, device->total_bytes / 64, false, &context))
		return SIM_cudaErrorMemoryAllocation;
	device->context_bytes = device->used_bytes;
	device->context = ++contexts;
	sim_device_card(device)->contexts_made++;
	device->open = true;
	sim_float_raise_beside();
	return 0;
}

int sim_device_open(struct sim_device *device)
{
	const int card = sim_visible_card(device->index);
	if (device->open)
		return 0;
	if (sim_config()->exclusive >> card & 1)
		return SIM_cudaErrorDevicesUnavailable;
	int error = sim_node_enter(card);
	if (error)
		return error;
	error = device_fill(device);
	if (error)
		sim_node_leave(card);
	return error;
}

/*
 * The one that is loaded, the one beside this library, or the loader's. The address sanitizer's
 * dlopen does not search this library's own path.
 */
static void *device_open_driver(void)
{
	static const char soname[] = "libcuda.so.1";
	char path[PATH_MAX];
	Dl_info own;
	void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
	if (library == NULL && dladdr(devices, &own) != 0 && strrchr(own.dli_fname, '/') != NULL) {
		const int folder = (int)(strrchr(own.dli_fname, '/') - own.dli_fname);
		const int length =
			snprintf(path, sizeof path, "%.*s/%s", folder, own.dli_fname, soname);
		if (length < (int)sizeof path && syscall(SYS_faccessat, AT_FDCWD, path, R_OK) == 0)
			library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	return library != NULL ? library : dlopen(soname, RTLD_NOW | RTLD_LOCAL);
}

/* As the vendor's runtime does. The stand-in works without the driver's library too. */
static void device_load_driver(void)
{
	void (*offer)(const struct sim_driver *) = NULL;
	void *library = device_open_driver();
	void *symbol = library ? dlsym(library, "simcuda_driver_offer") : NULL;
	memcpy(&offer, &symbol, sizeof symbol);
	if (offer)
		offer(simcuda_driver_table());
}

static int device_driver_error(void)
{
	const struct sim_config *config = sim_config();
	if (config->driver < SIMCUDA_MAJOR * 1000)
		return SIM_cudaErrorInsufficientDriver;
	return sim_visible_count() ? 0 : SIM_cudaErrorNoDevice;
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
	pthread_once(&driver_once, device_load_driver);
	if (need == SIMCUDA_NEEDS_DRIVER)
		return 0;
	sim_lock();
	error = sim_context_open();
	if (!error)
		error = sim_device_current()->sticky_error;
	sim_unlock();
	return error;
}

/* A sticky error stays: only a new process gets a working context. */
void sim_device_close(struct sim_device *device)
{
	struct sim_goal all = {.device = device, .limit = sim_stream_limit()};
	sim_context_end(device);
	sim_schedule_reach(&all);
	sim_stream_clear(device);
	sim_event_clear(device);
	sim_memory_clear(device);
	if (!device->foreign)
		sim_pinned_clear(device);
	device->null_stream = NULL;
	if (device->open)
		sim_node_leave(sim_visible_card(device->index));
	device->open = false;
}

/* Of a context of the driver API only what the runtime keeps for it ends: nothing here. */
int sim_device_reset(void)
{
	struct sim_device *device = sim_device_current();
	sim_lock();
	if (!device->foreign)
		sim_device_close(device);
	sim_unlock();
	return 0;
}

int simcuda_synchronize(void)
{
	struct sim_device *device = sim_device_current();
	sim_lock();
	struct sim_goal all = {.device = device, .limit = sim_stream_limit()};
	int error = sim_capture_admit_wait_all(device);
	if (!error) {
		sim_schedule_reach(&all);
		error = device->sticky_error;
	}
	sim_unlock();
	return error;
}

void simcuda_drain(void)
{
	sim_lock();
	struct sim_goal all = {.device = sim_device_current(), .limit = sim_stream_limit()};
	sim_schedule_reach(&all);
	sim_unlock();
}

int simcuda_version(void)
{
	return 1;
}
