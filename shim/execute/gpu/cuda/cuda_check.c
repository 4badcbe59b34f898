/* cuda_check.c - checks of driver and device count, before the large libraries are opened */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/cuda/cuda_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum reason cuda_check_refuse(struct cuda_attempt *attempt, enum reason reason, bool expected,
                              const char *format, ...)
{
	struct cuda_search *search = attempt->search;
	va_list arguments;
	if (search->refusal_count == CUDA_REFUSALS) {
		search->refusals_dropped++;
		return reason;
	}
	struct cuda_refusal *refusal = &search->refusal[search->refusal_count++];
	refusal->major = attempt->major->major;
	refusal->device = attempt->device;
	refusal->capability = attempt->set->count > 0 ? attempt->set->devices[0].capability : 0;
	refusal->reason = reason;
	refusal->expected = expected;
	va_start(arguments, format);
	vsnprintf(refusal->sentence, sizeof refusal->sentence, format, arguments);
	va_end(arguments);
	for (int i = 0; i < search->refusal_count - 1; i++)
		if (strcmp(search->refusal[i].sentence, refusal->sentence) == 0) {
			search->refusal_count--; /* the same set, seen again */
			break;
		}
	return reason;
}

enum reason cuda_check_driver(struct cuda_attempt *attempt)
{
	const struct cuda_api *api = &attempt->set->api;
	int driver = 0, runtime = 0;
	if (!cuda_api_enter(attempt->guard))
		return REASON_EXITING;
	const int error = api->driver_get_version(&driver);
	const int runtime_error = api->runtime_get_version(&runtime);
	cuda_api_leave(attempt->guard);
	attempt->set->driver_version = driver;
	attempt->set->runtime_version = runtime;
	if (error == CUDA_ERROR_STUB_LIBRARY)
		return cuda_check_refuse(attempt, REASON_NO_DRIVER, true,
		                         "libcuda.so.1 is a stub, not the NVIDIA driver");
	if (error != CUDA_SUCCESS || runtime_error != CUDA_SUCCESS)
		return cuda_check_refuse(attempt, REASON_CUDA_START_FAILED, false,
		                         "CUDA %d does not tell the driver's version: %s",
		                         attempt->major->major,
		                         api->get_error_string(error != 0 ? error : runtime_error));
	if (driver == 0)
		return cuda_check_refuse(attempt, REASON_NO_DRIVER, true,
		                         "there is no NVIDIA driver (libcuda.so.1)");
	if (runtime / 1000 != attempt->major->major)
		return cuda_check_refuse(attempt, REASON_NO_CUDA, false, "%s is CUDA %d.%d, not %d",
		                         attempt->set->path[CUDA_LIBRARY_CUDART], runtime / 1000,
		                         runtime % 1000 / 10, attempt->major->major);
	if (driver / 1000 < attempt->major->major)
		return cuda_check_refuse(attempt, REASON_DRIVER_TOO_OLD, false,
		                         "the NVIDIA driver serves CUDA %d.%d, %s needs %d",
		                         driver / 1000, driver % 1000 / 10,
		                         attempt->set->path[CUDA_LIBRARY_CUDART],
		                         attempt->major->major);
	return REASON_NONE;
}

enum reason cuda_check_count(struct cuda_attempt *attempt)
{
	const struct cuda_api *api = &attempt->set->api;
	int count = 0;
	if (!cuda_api_enter(attempt->guard))
		return REASON_EXITING;
	const int error = api->get_device_count(&count);
	cuda_api_leave(attempt->guard);
	attempt->set->device_count = count;
	if (error == CUDA_ERROR_STUB_LIBRARY)
		return cuda_check_refuse(attempt, REASON_NO_DRIVER, true,
		                         "libcuda.so.1 is a stub, not the NVIDIA driver");
	if (error == CUDA_ERROR_INSUFFICIENT_DRIVER)
		return cuda_check_refuse(attempt, REASON_DRIVER_TOO_OLD, false,
		                         "the NVIDIA driver is too old for %s",
		                         attempt->set->path[CUDA_LIBRARY_CUDART]);
	if (error == CUDA_ERROR_NO_DEVICE || (error == CUDA_SUCCESS && count < 1))
		return cuda_check_refuse(attempt, REASON_NO_DEVICE, true,
		                         "the NVIDIA driver shows no GPU");
	if (error != CUDA_SUCCESS)
		return cuda_check_refuse(attempt, REASON_CUDA_START_FAILED, false,
		                         "CUDA %d cannot count the GPUs: %s", attempt->major->major,
		                         api->get_error_string(error));
	return REASON_NONE;
}
