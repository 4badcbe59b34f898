/* cuda_check.c - questions to cudart before the large libraries are opened */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/cuda_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CHECK_DEVICES_MAX = 64 };

bool cuda_is_fatal(int error)
{
	switch (error) {
	case 3:   /* initialisation failed, also in a fork child */
	case 4:   /* the runtime is being unloaded */
	case 214: /* memory error that could not be corrected */
	case 220: /* the same on a link between devices */
	case 700: /* illegal address */
	case 702: /* launch timeout */
	case 709: /* context destroyed */
	case 710: /* assertion in a kernel */
	case 714: /* hardware stack error */
	case 715: /* illegal instruction */
	case 716: /* misaligned address */
	case 717: /* invalid address space */
	case 718: /* invalid program counter */
	case 719: /* launch failure */ return true;
	default: return false;
	}
}

enum reason cuda_check_refuse(struct cuda_attempt *attempt, enum reason reason, bool expected, const char *format, ...)
{
	struct cuda_search *search = attempt->search;
	va_list arguments;
	if (search->refusal_count == CUDA_REFUSALS) {
		search->refusals_dropped++;
		return reason;
	}
	struct cuda_refusal *refusal = &search->refusal[search->refusal_count++];
	refusal->major = attempt->major->major;
	refusal->capability = attempt->set->capability;
	refusal->reason = reason;
	refusal->expected = expected;
	va_start(arguments, format);
	vsnprintf(refusal->sentence, sizeof refusal->sentence, format, arguments);
	va_end(arguments);
	return reason;
}

enum reason cuda_check_driver(struct cuda_attempt *attempt)
{
	const struct cuda_api *api = &attempt->set->api;
	int driver = 0, runtime = 0;
	if (!cuda_gate_enter(attempt->gate))
		return REASON_EXITING;
	const int error = api->driver_get_version(&driver);
	const int runtime_error = api->runtime_get_version(&runtime);
	cuda_gate_leave(attempt->gate);
	attempt->set->driver_version = driver;
	attempt->set->runtime_version = runtime;
	if (error == CUDA_ERROR_STUB_LIBRARY)
		return cuda_check_refuse(attempt, REASON_NO_DRIVER, true,
		                         "libcuda.so.1 is a stub, not the NVIDIA driver");
	if (error != CUDA_SUCCESS || runtime_error != CUDA_SUCCESS)
		return cuda_check_refuse(attempt, REASON_CUDA_START_FAILED, false,
		                         "CUDA %d does not tell the driver's version: %s", attempt->major->major,
		                         api->get_error_string(error != 0 ? error : runtime_error));
	if (driver == 0)
		return cuda_check_refuse(attempt, REASON_NO_DRIVER, true, "there is no NVIDIA driver (libcuda.so.1)");
	if (runtime / 1000 != attempt->major->major)
		return cuda_check_refuse(attempt, REASON_NO_CUDA, false, "%s is CUDA %d.%d, not %d",
		                         attempt->set->path[CUDA_LIBRARY_CUDART], runtime / 1000, runtime % 1000 / 10,
		                         attempt->major->major);
	if (driver / 1000 < attempt->major->major)
		return cuda_check_refuse(attempt, REASON_DRIVER_TOO_OLD, false,
		                         "the NVIDIA driver serves CUDA %d.%d, %s needs %d", driver / 1000,
		                         driver % 1000 / 10, attempt->set->path[CUDA_LIBRARY_CUDART],
		                         attempt->major->major);
	return REASON_NONE;
}

enum reason cuda_check_count(struct cuda_attempt *attempt)
{
	const struct cuda_api *api = &attempt->set->api;
	int count = 0;
	if (!cuda_gate_enter(attempt->gate))
		return REASON_EXITING;
	const int error = api->get_device_count(&count);
	cuda_gate_leave(attempt->gate);
	attempt->set->device_count = count;
	if (error == CUDA_ERROR_STUB_LIBRARY)
		return cuda_check_refuse(attempt, REASON_NO_DRIVER, true,
		                         "libcuda.so.1 is a stub, not the NVIDIA driver");
	if (error == CUDA_ERROR_INSUFFICIENT_DRIVER)
		return cuda_check_refuse(attempt, REASON_DRIVER_TOO_OLD, false, "the NVIDIA driver is too old for %s",
		                         attempt->set->path[CUDA_LIBRARY_CUDART]);
	if (error == CUDA_ERROR_NO_DEVICE || (error == CUDA_SUCCESS && count < 1))
		return cuda_check_refuse(attempt, REASON_NO_DEVICE, true, "the NVIDIA driver shows no GPU");
	if (error != CUDA_SUCCESS)
		return cuda_check_refuse(attempt, REASON_CUDA_START_FAILED, false, "CUDA %d cannot count the GPUs: %s",
		                         attempt->major->major, api->get_error_string(error));
	return REASON_NONE;
}

/* The next number of the list "0,1", -1 at its end. What is no number of a device is passed over. */
static int cuda_check_next(const char **list, int device_count)
{
	while (**list != '\0') {
		int number = -1;
		for (; **list != ',' && **list != '\0'; (*list)++)
			if (**list >= '0' && **list <= '9' && number < CHECK_DEVICES_MAX)
				number = (number < 0 ? 0 : number * 10) + (**list - '0');
			else if (**list != ' ')
				number = CHECK_DEVICES_MAX;
		if (**list == ',')
			(*list)++;
		if (number >= 0 && number < device_count)
			return number;
	}
	return -1;
}

static enum reason cuda_check_capability(struct cuda_attempt *attempt, int device, int *capability)
{
	const struct cuda_api *api = &attempt->set->api;
	int major = 0, minor = 0;
	if (!cuda_gate_enter(attempt->gate))
		return REASON_EXITING;
	int error = api->device_get_attribute(&major, CUDA_ATTRIBUTE_CAPABILITY_MAJOR, device);
	if (error == CUDA_SUCCESS)
		error = api->device_get_attribute(&minor, CUDA_ATTRIBUTE_CAPABILITY_MINOR, device);
	cuda_gate_leave(attempt->gate);
	*capability = 10 * major + minor;
	if (error == CUDA_SUCCESS)
		return REASON_NONE;
	return cuda_check_refuse(attempt, REASON_CUDA_START_FAILED, false,
	                         "CUDA %d does not tell what GPU %d can do: %s", attempt->major->major, device,
	                         api->get_error_string(error));
}

/* Takes the device if the major still supports it; *best is the highest capability seen. */
static enum reason cuda_check_candidate(struct cuda_attempt *attempt, int device, int *best)
{
	int capability = 0;
	const enum reason reason = cuda_check_capability(attempt, device, &capability);
	if (reason == REASON_NONE && capability >= attempt->major->least_capability) {
		attempt->set->device = device;
		attempt->set->capability = capability;
	}
	*best = capability > *best ? capability : *best;
	return reason;
}

enum reason cuda_check_device(struct cuda_attempt *attempt)
{
	const struct cuda_set *set = attempt->set;
	const char *list = attempt->devices;
	const bool all = list[0] == '\0' || strcmp(list, "all") == 0;
	const int least = attempt->major->least_capability;
	int best = -1;
	for (int i = 0; set->capability == 0; i++) {
		const int device = !all ? cuda_check_next(&list, set->device_count) : i < set->device_count ? i : -1;
		if (device < 0)
			break;
		const enum reason reason = cuda_check_candidate(attempt, device, &best);
		if (reason != REASON_NONE)
			return reason;
	}
	if (set->capability != 0)
		return REASON_NONE;
	if (best < 0)
		return cuda_check_refuse(attempt, REASON_NO_DEVICE, false,
		                         "the option devices is '%.60s', and there are %d GPUs", attempt->devices,
		                         set->device_count);
	return cuda_check_refuse(attempt, REASON_DEVICE_UNSUPPORTED, false,
	                         "the GPU has compute capability %d.%d, CUDA %d needs %d.%d", best / 10, best % 10,
	                         attempt->major->major, least / 10, least % 10);
}
