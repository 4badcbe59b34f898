/* sim_context.c - which context a thread's calls go to; contexts made by the driver API */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_capture.h"
#include "sim_visible.h"

/* A destroyed context keeps its place, so that its handle is recognised for ever. */
enum { FOREIGN_CONTEXTS = 32, STACK_CONTEXTS = 16 };

static struct sim_device foreign[FOREIGN_CONTEXTS];
static int foreign_count;

static _Thread_local int selected_card;
static _Thread_local struct sim_device *stack[STACK_CONTEXTS];
static _Thread_local int depth;

struct sim_device *sim_device_each(int i)
{
	int cards = sim_visible_count();
	if (i < cards)
		return sim_device_at(i);
	return i - cards < foreign_count ? &foreign[i - cards] : NULL;
}

struct sim_device *sim_context_device(void)
{
	return depth ? stack[depth - 1] : sim_device_at(selected_card);
}

/* As cuCtxSetCurrent: replaces the top of the stack; NULL removes it. */
static void context_set(struct sim_device *device)
{
	if (!device) {
		depth -= depth > 0;
		return;
	}
	depth += depth == 0;
	stack[depth - 1] = device;
}

int sim_context_select(int index)
{
	struct sim_device *card = sim_device_at(index);
	if (!card)
		return SIM_cudaErrorInvalidDevice;
	int error = SIMCUDA_MAJOR >= 12 ? sim_device_open(card) : 0;
	if (error)
		return error;
	card->by_runtime = card->by_runtime || card->open;
	selected_card = index;
	context_set(card);
	return 0;
}

int sim_context_open(void)
{
	struct sim_device *device = sim_context_device();
	if (device->foreign && !device->context)
		return SIM_cudaErrorContextIsDestroyed;
	int error = sim_device_open(device);
	device->by_runtime = device->by_runtime || !error;
	if (!error && !depth)
		context_set(device);
	return error;
}

void sim_context_end(struct sim_device *device)
{
	sim_capture_end_device(device);
	device->context = 0;
	device->by_runtime = false;
}

unsigned long long simcuda_context(void)
{
	return sim_context_device()->context;
}

/* 0 for a context that is no more. */
static bool context_is_alive(unsigned long long context)
{
	const struct sim_device *device;
	for (int i = 0; (device = sim_device_each(i)); i++)
		if (context && device->context == context)
			return true;
	return false;
}

void simcuda_expect_context(unsigned long long context, const char *thing)
{
	sim_lock();
	bool alive = context_is_alive(context);
	sim_unlock();
	if (alive)
		return;
	fprintf(stderr, "simcuda: %s of a destroyed context was used\n", thing);
	abort();
}

unsigned long simcuda_contexts(int index)
{
	const struct sim_device *card = sim_device_at(index);
	sim_lock();
	unsigned long made = card ? card->contexts_made : 0;
	sim_unlock();
	return made;
}

/* -- the driver API -- */

/* cuInit was called, or the runtime was used; and CUDA works in this process. */
static int driver_begin(int call)
{
	int error = sim_hooks_use(call);
	if (error)
		return error;
	return sim_device_is_owned() ? simcuda_guard(SIMCUDA_NEEDS_DRIVER)
	                             : SIM_cudaErrorInitializationError;
}

/* NULL: not a context. */
static struct sim_device *driver_find(const void *context)
{
	struct sim_device *device;
	for (int i = 0; (device = sim_device_each(i)); i++)
		if (device == context && (device->base || device->context))
			return device;
	return NULL;
}

static int driver_init(unsigned int flags)
{
	int error = sim_hooks_use(SIM_CALL_cuInit);
	if (!error && flags)
		error = SIM_cudaErrorInvalidValue;
	return error ? error : simcuda_guard(SIMCUDA_NEEDS_DRIVER);
}

static int driver_count(int *count)
{
	int error = driver_begin(SIM_CALL_cuDeviceGetCount);
	if (!error)
		*count = sim_visible_count();
	return error;
}

static int driver_device(int *device, int ordinal)
{
	int error = driver_begin(SIM_CALL_cuDeviceGet);
	if (!error && !sim_device_at(ordinal))
		error = SIM_cudaErrorInvalidDevice;
	if (!error)
		*device = ordinal;
	return error;
}

static int driver_uuid(unsigned char *uuid, int device)
{
	int error = driver_begin(SIM_CALL_cuDeviceGetUuid_v2);
	if (!error && !sim_device_at(device))
		error = SIM_cudaErrorInvalidDevice;
	if (!error)
		sim_visible_uuid(sim_visible_card(device), uuid);
	return error;
}

/* The context that cudaSetDevice of major 11 selected exists from its first use on. */
static int driver_get_current(void **context)
{
	int error = driver_begin(SIM_CALL_cuCtxGetCurrent);
	if (error)
		return error;
	struct sim_device *top = depth ? stack[depth - 1] : NULL;
	*context = top && (top->foreign || top->base) ? top : NULL;
	return 0;
}

static int driver_set_current(void *context)
{
	int error = driver_begin(SIM_CALL_cuCtxSetCurrent);
	sim_lock();
	if (!error && context && !driver_find(context))
		error = SIM_cudaErrorDeviceUninitialized;
	sim_unlock();
	if (!error)
		context_set(context);
	return error;
}

static int driver_push(void *context)
{
	int error = driver_begin(SIM_CALL_cuCtxPushCurrent_v2);
	sim_lock();
	if (!error && (!driver_find(context) || depth == STACK_CONTEXTS))
		error = SIM_cudaErrorDeviceUninitialized;
	sim_unlock();
	if (!error)
		stack[depth++] = context;
	return error;
}

static int driver_pop(void **context)
{
	int error = driver_begin(SIM_CALL_cuCtxPopCurrent_v2);
	if (!error && !depth)
		error = SIM_cudaErrorDeviceUninitialized;
	if (error)
		return error;
	depth--;
	if (context)
		*context = stack[depth];
	return 0;
}

static int driver_create(void **made, unsigned int flags, int index)
{
	int error = driver_begin(SIM_CALL_cuCtxCreate_v2);
	struct sim_device *card = sim_device_at(index);
	(void)flags;
	if (!error && (!card || depth == STACK_CONTEXTS))
		error = SIM_cudaErrorInvalidDevice;
	if (error)
		return error;
	sim_lock();
	struct sim_device *device =
		foreign_count < FOREIGN_CONTEXTS ? &foreign[foreign_count] : NULL;
	if (!device) {
		error = SIM_cudaErrorMemoryAllocation;
	} else {
		*device = (struct sim_device){.foreign = true, .index = index};
		error = sim_device_open(device);
		foreign_count += !error;
	}
	sim_unlock();
	if (error)
		return error;
	stack[depth++] = device;
	*made = device;
	return 0;
}

static int driver_destroy(void *context)
{
	int error = driver_begin(SIM_CALL_cuCtxDestroy_v2);
	sim_lock();
	struct sim_device *device = error ? NULL : driver_find(context);
	if (!error && (!device || !device->foreign || !device->context))
		error = SIM_cudaErrorDeviceUninitialized;
	else if (!error)
		sim_device_close(device);
	sim_unlock();
	if (!error && depth && stack[depth - 1] == context)
		depth--;
	return error;
}

static int driver_current_card(int *index)
{
	int error = driver_begin(SIM_CALL_cuCtxGetDevice);
	if (!error && !depth)
		error = SIM_cudaErrorDeviceUninitialized;
	if (!error)
		*index = stack[depth - 1]->index;
	return error;
}

static int driver_id(void *context, unsigned long long *id)
{
	int error = driver_begin(SIM_CALL_cuCtxGetId);
	if (error)
		return error;
	sim_lock();
	struct sim_device *device = context ? driver_find(context)
	                            : depth ? stack[depth - 1]
	                                    : NULL;
	if (!device)
		error = SIM_cudaErrorDeviceUninitialized;
	else if (!device->context)
		error = SIM_cudaErrorContextIsDestroyed;
	else
		*id = device->context;
	sim_unlock();
	return error;
}

static int driver_retain(void **context, int index)
{
	int error = driver_begin(SIM_CALL_cuDevicePrimaryCtxRetain);
	struct sim_device *card = sim_device_at(index);
	if (!error && !card)
		error = SIM_cudaErrorInvalidDevice;
	if (error)
		return error;
	sim_lock();
	error = sim_device_open(card);
	card->retained += !error;
	sim_unlock();
	if (!error)
		*context = card;
	return error;
}

static int driver_drop(int call, int index, bool whole)
{
	int error = driver_begin(call);
	struct sim_device *card = sim_device_at(index);
	if (!error && !card)
		error = SIM_cudaErrorInvalidDevice;
	if (error)
		return error;
	sim_lock();
	card->retained -= card->retained > 0 && !whole;
	if (card->open && (whole || (!card->retained && !card->by_runtime)))
		sim_device_close(card);
	sim_unlock();
	return 0;
}

static int driver_release(int index)
{
	return driver_drop(SIM_CALL_cuDevicePrimaryCtxRelease_v2, index, false);
}

static int driver_reset(int index)
{
	return driver_drop(SIM_CALL_cuDevicePrimaryCtxReset_v2, index, true);
}

static int driver_state(int index, unsigned int *flags, int *active)
{
	int error = driver_begin(SIM_CALL_cuDevicePrimaryCtxGetState);
	const struct sim_device *card = sim_device_at(index);
	if (!error && !card)
		error = SIM_cudaErrorInvalidDevice;
	if (error)
		return error;
	*flags = 0;
	sim_lock();
	*active = card->open;
	sim_unlock();
	return 0;
}

static int driver_exchange(int *mode)
{
	int error = driver_begin(SIM_CALL_cuThreadExchangeStreamCaptureMode);
	return error ? error : sim_capture_exchange(mode);
}

const struct sim_driver *simcuda_driver_table(void)
{
	static const struct sim_driver table = {
		driver_init,        driver_count,        driver_device, driver_get_current,
		driver_set_current, driver_push,         driver_pop,    driver_create,
		driver_destroy,     driver_current_card, driver_id,     driver_retain,
		driver_release,     driver_reset,        driver_state,  driver_exchange,
		driver_uuid,        driver_uuid};
	return &table;
}
