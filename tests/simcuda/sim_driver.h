/* sim_driver.h - what libcuda.so.1 of the stand-ins exports, as a table that a cudart fills */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_DRIVER_H
#define SIMCUDA_SIM_DRIVER_H

#include "simcuda.h"

/* name of the exported function, parameters, and the arguments as the caller passes them on */
#define SIM_DRIVER_CALLS(ROW)                                                                      \
	ROW(cuInit, (unsigned int flags), (flags))                                                 \
	ROW(cuDeviceGetCount, (int *count), (count))                                               \
	ROW(cuDeviceGet, (int *device, int ordinal), (device, ordinal))                            \
	ROW(cuCtxGetCurrent, (void **context), (context))                                          \
	ROW(cuCtxSetCurrent, (void *context), (context))                                           \
	ROW(cuCtxPushCurrent_v2, (void *context), (context))                                       \
	ROW(cuCtxPopCurrent_v2, (void **context), (context))                                       \
	ROW(cuCtxCreate_v2, (void **made, unsigned int flags, int device), (made, flags, device))  \
	ROW(cuCtxDestroy_v2, (void *context), (context))                                           \
	SIM_DRIVER_LATER_CALLS(ROW)
#define SIM_DRIVER_LATER_CALLS(ROW)                                                                \
	ROW(cuCtxGetDevice, (int *device), (device))                                               \
	ROW(cuCtxGetId, (void *context, unsigned long long *id), (context, id))                    \
	ROW(cuDevicePrimaryCtxRetain, (void **context, int device), (context, device))             \
	ROW(cuDevicePrimaryCtxRelease_v2, (int device), (device))                                  \
	ROW(cuDevicePrimaryCtxReset_v2, (int device), (device))                                    \
	ROW(cuDevicePrimaryCtxGetState, (int device, unsigned int *flags, int *active),            \
	    (device, flags, active))                                                               \
	ROW(cuThreadExchangeStreamCaptureMode, (int *mode), (mode))                                \
	ROW(cuDeviceGetUuid, (unsigned char *uuid, int device), (uuid, device))                    \
	ROW(cuDeviceGetUuid_v2, (unsigned char *uuid, int device), (uuid, device))

struct sim_driver {
#define SIM_DRIVER_FIELD(name, parameters, arguments) int(*name) parameters;
	SIM_DRIVER_CALLS(SIM_DRIVER_FIELD)
#undef SIM_DRIVER_FIELD
};

/* In libcuda: the first engine that offers itself serves the process. */
SIM_API void simcuda_driver_offer(const struct sim_driver *driver);
/* In each cudart: the table of its engine. */
SIM_API const struct sim_driver *simcuda_driver_table(void);

#endif
