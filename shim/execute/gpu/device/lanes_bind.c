/* lanes_bind.c - the CUDA state of the calling thread around a call */
/* SPDX-License-Identifier: Apache-2.0 */

#include <errno.h>
#include <stdatomic.h>

#include "shim/execute/gpu/cuda/cuda.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/shield/shield.h"

static const struct cuda_api *lanes_bind_api;
static atomic_bool lanes_bind_lost, lanes_bind_ended; /* ended: the program has reset a device */

void lanes_bind_start(const struct cuda_api *api)
{
	lanes_bind_api = api;
}

void lanes_lose(void)
{
	atomic_store(&lanes_bind_lost, true);
}

bool lanes_context_lost(void)
{
	return atomic_load(&lanes_bind_lost);
}

bool lanes_context_ended(void)
{
	return atomic_load(&lanes_bind_ended);
}

/* The calling thread's pending error. Once the context is lost every call reports that. */
static int lanes_bind_peek(void)
{
	const int error = lanes_bind_api->peek_at_last_error();
	if (cuda_is_fatal(error))
		atomic_store(&lanes_bind_lost, true);
	return error;
}

/* Keeps an error that the program had pending; clears one of ours. */
static void lanes_bind_clear_error(int caller_error)
{
	if (lanes_bind_peek() != CUDA_SUCCESS && caller_error == CUDA_SUCCESS)
		lanes_bind_api->get_last_error();
}

/* One reset ends the use of all devices: their calls share page-locked memory. */
bool lanes_bind_is_whole(void)
{
	const int count = lanes_count();
	for (int i = 0; i < count; i++)
		if (!guest_is_whole(lanes_device_at(i)))
			atomic_store(&lanes_bind_ended, true);
	return !lanes_context_ended();
}

/* Errors of the calls that restore the thread's state are ours too. */
void lanes_bind_leave(struct guest *caller, int caller_error)
{
	guest_leave(caller);
	lanes_bind_clear_error(caller_error);
}

/* Binds the device's context, and notes the error that was pending before. */
enum reason lanes_bind_enter(int device, struct guest *caller, int *caller_error)
{
	if (!lanes_bind_is_whole())
		return REASON_CONTEXT_ENDED;
	*caller_error = lanes_bind_peek();
	const bool bound = guest_enter(caller, device);
	lanes_bind_peek();
	if (bound && !lanes_context_lost())
		return REASON_NONE;
	lanes_bind_leave(caller, *caller_error);
	return REASON_DEVICE_FAILED;
}

static bool lanes_bind_ask(int device, lanes_question *ask, void *self)
{
	struct guest caller;
	int caller_error;
	if (lanes_bind_enter(device, &caller, &caller_error) != REASON_NONE)
		return false;
	ask(lanes_bind_api, self);
	lanes_bind_leave(&caller, caller_error);
	return true;
}

bool lanes_ask(int device, lanes_question *ask, void *self)
{
	const int caller_errno = errno;
	struct shield shield;
	if (!lanes_is_own_process() || lanes_context_lost() || !lanes_takes_calls(device))
		return false;
	shield_begin(&shield);
	const bool asked = lanes_bind_ask(device, ask, self);
	shield_end(&shield);
	errno = caller_errno;
	return asked;
}

static void lanes_bind_trim(const struct cuda_api *api, void *self)
{
	const int count = lanes_count();
	uint64_t *freed_bytes = self;
	(void)api;
	for (int i = 0; i < count; i++) {
		const int device = lanes_device_at(i);
		if (guest_select(device))
			*freed_bytes += memory_trim(device);
	}
}

uint64_t lanes_trim(void)
{
	uint64_t freed_bytes = 0;
	lanes_ask(lanes_device_at(0), lanes_bind_trim, &freed_bytes);
	return freed_bytes;
}
