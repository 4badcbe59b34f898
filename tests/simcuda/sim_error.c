/* sim_error.c - the error of each thread, which errors stick, and their names */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_capture.h"
#include "sim_cudart.h"

struct error_row {
	int value;
	bool sticks;
	const char *name, *text;
};

static const struct error_row error_rows[] = {
#define SIM_CUDA_ERROR(name, value, sticky, text) {value, sticky, #name, text},
#include "sim_status.def"
};

static _Thread_local int last_error;

static const struct error_row *error_find(int error)
{
	for (size_t i = 0; i < sizeof error_rows / sizeof error_rows[0]; i++)
		if (error_rows[i].value == error)
			return &error_rows[i];
	return NULL;
}

bool sim_error_sticks(int error)
{
	const struct error_row *row = error_find(error);
	return row && row->sticks;
}

void simcuda_set_last_error(int error)
{
	last_error = error;
}

/* An injected error of the sticky kind kills the context, as the real one would have. */
static void error_inject(int error)
{
	struct sim_device *device = sim_device_current();
	if (!sim_error_sticks(error) || !device)
		return;
	sim_lock();
	if (device->open && !device->sticky_error)
		device->sticky_error = error;
	/* The death of the device ends the waits for its hung operations. */
	sim_schedule_wake();
	sim_unlock();
}

int sim_begin(int call, int need)
{
	int error = sim_hooks_use(call);
	if (error) {
		error_inject(error);
		return error;
	}
	error = simcuda_guard(need);
	return error ? error : sim_capture_admit(call);
}

int sim_end(int error)
{
	if (error)
		last_error = error;
	return error;
}

/* Measured: reading the last error needs a driver too, and returns 35 each time without one. */
static int error_read(int call, bool clear)
{
	int error = sim_begin(call, SIMCUDA_NEEDS_DRIVER);
	if (error)
		return error;
	error = last_error;
	if (clear)
		last_error = 0;
	struct sim_device *device = sim_device_current();
	sim_lock();
	if (device && device->sticky_error)
		error = device->sticky_error;
	sim_unlock();
	return error;
}

int cudaGetLastError(void)
{
	return error_read(SIM_CALL_cudaGetLastError, true);
}

int cudaPeekAtLastError(void)
{
	return error_read(SIM_CALL_cudaPeekAtLastError, false);
}

const char *cudaGetErrorName(int error)
{
	sim_hooks_use(SIM_CALL_cudaGetErrorName);
	const struct error_row *row = error_find(error);
	return row ? row->name : "unrecognized error code";
}

const char *cudaGetErrorString(int error)
{
	sim_hooks_use(SIM_CALL_cudaGetErrorString);
	const struct error_row *row = error_find(error);
	return row ? row->text : "unrecognized error code";
}
