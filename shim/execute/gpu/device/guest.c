/* guest.c - saves, changes and restores the CUDA state of a thread of the program */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/guest.h"

#include <stdatomic.h>

#include "shim/execute/gpu/cuda/cuda_driver.h"

enum { GUEST_MODE_UNCHANGED = -1 };

/* The primary context of an opened device. id 0: the driver does not tell. */
struct guest_home {
	void *context;
	unsigned long long id;
	int handle; /* the driver's number of the device */
};

static struct guest_home guest_homes[CUDA_DEVICES];
static struct cuda_driver guest_driver;
/* guest_driver is complete; it is another driver's than the runtime's, and is not used. */
static atomic_bool guest_drives, guest_is_foreign;
static const struct cuda_api *_Atomic guest_api;

static bool guest_has_driver(void)
{
	return atomic_load_explicit(&guest_drives, memory_order_acquire);
}

/* Called by the thread that starts CUDA, until the library is there. */
static void guest_find_driver(void)
{
	if (!guest_has_driver() && !atomic_load(&guest_is_foreign) &&
	    cuda_driver_find(&guest_driver))
		atomic_store_explicit(&guest_drives, true, memory_order_release);
}

/* The driver's function needs no context; the runtime's may make one. */
static int guest_exchange(int mode)
{
	const struct cuda_api *api = atomic_load_explicit(&guest_api, memory_order_relaxed);
	int error = CUDA_ERROR_INVALID_VALUE;
	if (guest_has_driver() && guest_driver.exchange_capture_mode != NULL)
		error = guest_driver.exchange_capture_mode(&mode);
	else if (api != NULL && api->exchange_capture_mode != NULL)
		error = api->exchange_capture_mode(&mode);
	return error == CUDA_SUCCESS ? mode : GUEST_MODE_UNCHANGED;
}

static bool guest_read(struct guest *guest)
{
	const struct cuda_api *api = atomic_load_explicit(&guest_api, memory_order_relaxed);
	*guest = (struct guest){.mode = GUEST_MODE_UNCHANGED};
	if (guest_has_driver())
		return guest_driver.get_context(&guest->context) == CUDA_SUCCESS;
	return api != NULL && api->get_device(&guest->device) == CUDA_SUCCESS;
}

static void guest_take(struct guest *guest)
{
	guest->saved = guest_read(guest);
	if (guest->saved)
		guest->mode = guest_exchange(CUDA_CAPTURE_RELAXED);
}

/* A driver's library that this runtime does not use: the process has loaded it for another. */
static void guest_drop_driver(void)
{
	atomic_store(&guest_is_foreign, true);
	atomic_store(&guest_drives, false);
}

void guest_save(struct guest *guest, const struct cuda_api *api)
{
	if (api != NULL)
		atomic_store(&guest_api, api);
	guest_find_driver();
	if (!guest->saved)
		guest_take(guest);
	if (!guest->saved && api != NULL && guest_has_driver()) {
		guest_drop_driver();
		guest_take(guest);
	}
}

static void guest_bind_device(int device)
{
	const struct cuda_api *api = atomic_load_explicit(&guest_api, memory_order_relaxed);
	int current = -1;
	if (api->get_device(&current) != CUDA_SUCCESS || current != device)
		api->set_device(device);
}

void guest_leave(struct guest *guest)
{
	if (!guest->saved)
		return;
	if (guest_has_driver())
		guest_driver.set_context(guest->context);
	else
		guest_bind_device(guest->device);
	if (guest->mode != GUEST_MODE_UNCHANGED)
		guest_exchange(guest->mode);
	guest->saved = false;
}

/* Not cudaSetDevice: the thread's device stays selected, and no context is made on another one. */
static int guest_open_primary(struct guest_home *home, int device)
{
	int error = guest_driver.get_device(&home->handle, device);
	if (error == CUDA_SUCCESS)
		error = guest_driver.retain_primary(&home->context, home->handle);
	if (error == CUDA_SUCCESS)
		error = guest_driver.set_context(home->context);
	return error;
}

int guest_open(int device)
{
	const struct cuda_api *api = atomic_load(&guest_api);
	int error = CUDA_DRIVER_NOT_INITIALISED;
	if (guest_has_driver())
		error = guest_open_primary(&guest_homes[device], device);
	if (error == CUDA_DRIVER_NOT_INITIALISED) {
		guest_drop_driver();
		error = api->set_device(device);
	}
	return error;
}

void guest_settle(int device)
{
	struct guest_home *home = &guest_homes[device];
	home->id = 0;
	if (guest_has_driver() && guest_driver.get_context_id != NULL &&
	    guest_driver.get_context_id(home->context, &home->id) != CUDA_SUCCESS)
		home->id = 0;
}

/* A driver before CUDA 12 tells a reset only until the device is used again. */
static bool guest_is_active(const struct guest_home *home)
{
	unsigned flags;
	int active = 1;
	if (guest_driver.ask_primary != NULL &&
	    guest_driver.ask_primary(home->handle, &flags, &active) != CUDA_SUCCESS)
		active = 0;
	return active != 0;
}

bool guest_is_whole(int device)
{
	const struct guest_home *home = &guest_homes[device];
	unsigned long long id = 0;
	if (!guest_has_driver())
		return true;
	if (home->id == 0)
		return guest_is_active(home);
	return guest_driver.get_context_id(home->context, &id) == CUDA_SUCCESS && id == home->id;
}

bool guest_select(int device)
{
	if (guest_has_driver())
		return guest_driver.set_context(guest_homes[device].context) == CUDA_SUCCESS;
	guest_bind_device(device);
	return true;
}

bool guest_enter(struct guest *guest, int device)
{
	guest_take(guest);
	const bool entered = guest->saved && guest_select(device);
	if (!entered)
		guest_leave(guest);
	return entered;
}

static int guest_wait_beside(int device)
{
	const struct cuda_api *api = atomic_load(&guest_api);
	void *context;
	int handle, error = guest_driver.get_device(&handle, device);
	if (error == CUDA_SUCCESS)
		error = guest_driver.retain_primary(&context, handle);
	if (error != CUDA_SUCCESS)
		return error;
	error = guest_driver.set_context(context);
	if (error == CUDA_SUCCESS)
		error = api->device_synchronize();
	if (guest_driver.release_primary != NULL)
		guest_driver.release_primary(handle);
	return error;
}

int guest_wait_for(int device, int back)
{
	const struct cuda_api *api = atomic_load(&guest_api);
	int error;
	if (guest_has_driver()) {
		error = guest_wait_beside(device);
	} else {
		error = api->set_device(device);
		if (error == CUDA_SUCCESS)
			error = api->device_synchronize();
	}
	return guest_select(back) ? error : CUDA_ERROR_INVALID_VALUE;
}
