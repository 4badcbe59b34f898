/* sim_cudart_memory.c - exported: device memory, page-locked memory, copies */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sim_cudart.h"
#include "sim_engine.h"

int cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
	int error = sim_begin(SIM_CALL_cudaMemGetInfo, SIMCUDA_NEEDS_CONTEXT);
	if (!error && (!free_bytes || !total_bytes))
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	struct sim_device *device = sim_device_current();
	*total_bytes = device->total_bytes;
	*free_bytes = sim_memory_left(device);
	sim_unlock();
	return 0;
}

int cudaMalloc(void **pointer, size_t size)
{
	int error = sim_begin(SIM_CALL_cudaMalloc, SIMCUDA_NEEDS_CONTEXT);
	if (!error && !pointer)
		error = SIM_cudaErrorInvalidValue;
	if (!error && !size)
		*pointer = NULL;
	if (error || !size)
		return sim_end(error);
	sim_lock();
	error = sim_memory_take(sim_device_current(), size, true, pointer);
	sim_unlock();
	return sim_end(error);
}

int cudaMallocManaged(void **pointer, size_t size, unsigned int flags)
{
	int error = sim_begin(SIM_CALL_cudaMallocManaged, SIMCUDA_NEEDS_CONTEXT);
	if (!error &&
	    (!pointer || !size || (flags != SIM_ATTACH_GLOBAL && flags != SIM_ATTACH_HOST)))
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	error = sim_pinned_take_managed(sim_device_current(), size, pointer);
	sim_unlock();
	return sim_end(error);
}

/* The device that memory belongs to. NULL for memory that cudaFree does not accept. Lock held. */
static struct sim_device *memory_owner(const void *pointer)
{
	return sim_pinned_is_managed(pointer) ? sim_device_at(sim_pinned_device(pointer))
	                                      : sim_memory_device(pointer);
}

/* Waits for the device that owns the memory, so that no queued operation can still use it. */
int cudaFree(void *pointer)
{
	int error = sim_begin(SIM_CALL_cudaFree, SIMCUDA_NEEDS_CONTEXT);
	if (error || !pointer)
		return sim_end(error);
	sim_lock();
	struct sim_device *device = memory_owner(pointer);
	struct sim_goal all = {.device = device, .limit = sim_stream_limit()};
	if (device)
		sim_schedule_reach(&all);
	if (device && device->sticky_error)
		error = device->sticky_error;
	else
		error = sim_pinned_is_managed(pointer) ? sim_pinned_give_managed(pointer)
		                                       : sim_memory_give(pointer);
	sim_unlock();
	return sim_end(error);
}

/*
 * Page-locking takes real time by its size, and as long as the host's own work on these pages at
 * least. In virtual time it takes none: the clocks are those of the devices.
 */
static void host_wait_for_lock(const struct timespec *begin, size_t size)
{
	const double lock_ns =
		sim_clock_is_on() ? 0 : (double)size / 1048576 * sim_config()->pin_us_per_mib * 1e3;
	const long long end_ns = begin->tv_nsec + (long long)lock_ns;
	const struct timespec end = {begin->tv_sec + (time_t)(end_ns / 1000000000),
	                             (long)(end_ns % 1000000000)};
	while (lock_ns > 0 &&
	       syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) != 0 &&
	       errno == EINTR)
		;
}

/* Page-locking waits for all work of the device. Lock held. */
static void host_wait(void)
{
	struct sim_goal all = {.device = sim_device_current(), .limit = sim_stream_limit()};
	sim_schedule_reach(&all);
}

static int host_take(int call, void **pointer, size_t size)
{
	struct timespec begin;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	int error = sim_begin(call, SIMCUDA_NEEDS_CONTEXT);
	if (!error && !pointer)
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	host_wait();
	error = sim_pinned_take(size, simcuda_device(), pointer);
	sim_unlock();
	if (!error)
		host_wait_for_lock(&begin, size);
	return sim_end(error);
}

int cudaHostAlloc(void **pointer, size_t size, unsigned int flags)
{
	if (flags > 7) {
		sim_hooks_use(SIM_CALL_cudaHostAlloc);
		return sim_end(SIM_cudaErrorInvalidValue);
	}
	return host_take(SIM_CALL_cudaHostAlloc, pointer, size);
}

int cudaMallocHost(void **pointer, size_t size)
{
	return host_take(SIM_CALL_cudaMallocHost, pointer, size);
}

int cudaFreeHost(void *pointer)
{
	int error = sim_begin(SIM_CALL_cudaFreeHost, SIMCUDA_NEEDS_CONTEXT);
	if (error || !pointer)
		return sim_end(error);
	sim_lock();
	/* First, so that a queued copy that uses the memory faults. */
	error = sim_pinned_give(pointer);
	host_wait();
	sim_unlock();
	return sim_end(error);
}

int cudaHostRegister(void *pointer, size_t size, unsigned int flags)
{
	struct timespec begin;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	int error = sim_begin(SIM_CALL_cudaHostRegister, SIMCUDA_NEEDS_CONTEXT);
	/* Flag 8 is read-only registration; attribute 113 says that it is not supported. */
	if (!error && flags > 7)
		error = flags & 8 ? SIM_cudaErrorNotSupported : SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	error = sim_pinned_register(pointer, size, simcuda_device());
	sim_unlock();
	if (!error)
		host_wait_for_lock(&begin, size);
	return sim_end(error);
}

int cudaHostUnregister(void *pointer)
{
	int error = sim_begin(SIM_CALL_cudaHostUnregister, SIMCUDA_NEEDS_CONTEXT);
	if (!error && !pointer)
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	error = sim_pinned_unregister(pointer);
	sim_unlock();
	return sim_end(error);
}

static void attributes_fill(struct sim_pointer_attributes *attributes, void *pointer)
{
	const struct sim_device *device =
		sim_memory_is_live(pointer) ? sim_memory_device(pointer) : NULL;
	int pinned = sim_pinned_device(pointer);
	memset(attributes, 0, sizeof *attributes);
	attributes->type = device                           ? SIM_MEMORY_DEVICE
	                   : sim_pinned_is_managed(pointer) ? SIM_MEMORY_MANAGED
	                   : pinned >= 0                    ? SIM_MEMORY_HOST
	                                                    : SIM_MEMORY_UNREGISTERED;
	attributes->device = device ? device->index : pinned >= 0 ? pinned : SIM_INVALID_DEVICE;
	attributes->device_pointer = device || pinned >= 0 ? pointer : NULL;
	attributes->host_pointer = device ? NULL : pointer;
}

int cudaPointerGetAttributes(struct sim_pointer_attributes *attributes, const void *pointer)
{
	int error = sim_begin(SIM_CALL_cudaPointerGetAttributes, SIMCUDA_NEEDS_CONTEXT);
	if (!error && !attributes)
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	attributes_fill(attributes, (void *)(uintptr_t)pointer);
	sim_unlock();
	return 0;
}

static int copy_enter(int call, const struct sim_copy_request *request, void *stream,
                      bool asynchronous)
{
	int error = sim_begin(call, SIMCUDA_NEEDS_CONTEXT);
	if (!error)
		error = sim_copy_submit(request, stream, asynchronous);
	return sim_end(error);
}

int cudaMemcpy(void *to, const void *from, size_t count, int kind)
{
	struct sim_copy_request request = {to, from, count, count, count, 1, kind};
	return copy_enter(SIM_CALL_cudaMemcpy, &request, NULL, false);
}

int cudaMemcpyAsync(void *to, const void *from, size_t count, int kind, void *stream)
{
	struct sim_copy_request request = {to, from, count, count, count, 1, kind};
	return copy_enter(SIM_CALL_cudaMemcpyAsync, &request, stream, true);
}

/* Attribute 11 of a device: the largest pitch. */
static int copy_2d_enter(int call, const struct sim_copy_request *request, void *stream,
                         bool asynchronous)
{
	int error = sim_begin(call, SIMCUDA_NEEDS_CONTEXT);
	if (!error && (request->to_pitch > INT_MAX || request->from_pitch > INT_MAX))
		error = SIM_cudaErrorInvalidPitchValue;
	if (!error)
		error = sim_copy_submit(request, stream, asynchronous);
	return sim_end(error);
}

int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                 size_t height, int kind)
{
	struct sim_copy_request request = {to, from, to_pitch, from_pitch, width, height, kind};
	return copy_2d_enter(SIM_CALL_cudaMemcpy2D, &request, NULL, false);
}

int cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height, int kind, void *stream)
{
	struct sim_copy_request request = {to, from, to_pitch, from_pitch, width, height, kind};
	return copy_2d_enter(SIM_CALL_cudaMemcpy2DAsync, &request, stream, true);
}

static int fill_enter(int call, const struct simcuda_area *area, int value, void *stream)
{
	int error = sim_begin(call, SIMCUDA_NEEDS_CONTEXT);
	if (!error && area->height > 1 && area->width > area->pitch)
		error = SIM_cudaErrorInvalidValue;
	if (!error)
		error = sim_copy_fill(area, value, stream);
	return sim_end(error);
}

int cudaMemset(void *pointer, int value, size_t count)
{
	struct simcuda_area area = {pointer, count, count, 1};
	return fill_enter(SIM_CALL_cudaMemset, &area, value, NULL);
}

int cudaMemsetAsync(void *pointer, int value, size_t count, void *stream)
{
	struct simcuda_area area = {pointer, count, count, 1};
	return fill_enter(SIM_CALL_cudaMemsetAsync, &area, value, stream);
}

int cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                      void *stream)
{
	struct simcuda_area area = {pointer, pitch, width, height};
	return fill_enter(SIM_CALL_cudaMemset2DAsync, &area, value, stream);
}
