/* simcuda.h - what the cudart stand-in offers to the cublas and cufft stand-ins, and to tests */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIMCUDA_H
#define SIMCUDA_SIMCUDA_H

#include "sim_abi.h"

#define SIM_API __attribute__((visibility("default")))

enum simcuda_call {
#define SIM_CALL(name, library, error) SIM_CALL_##name,
#include "sim_calls.def"
	SIM_CALL_COUNT
};

/* How much CUDA must be alive for a call: nothing, a driver with a device, or a context without a sticky error. */
enum simcuda_need { SIMCUDA_NEEDS_NOTHING, SIMCUDA_NEEDS_DRIVER, SIMCUDA_NEEDS_CONTEXT };

/* One simulated kernel. run() is called when the engine gets round to it, never under the engine's lock;
 * `intact` is 0 when another operation wrote into the workspace since this one started. It returns a CUDA error.
 * `arguments` is one malloc block that the engine frees.                                                        */
struct simcuda_kernel {
	int (*run)(void *arguments, int intact);
	void *arguments;
	void *workspace;
	size_t workspace_bytes;
	double work_flops;
};

/* The mark by which a program knows the stand-in from the real library. */
SIM_API int simcuda_version(void);
/* Calls of one exact name so far; 0 for a name without a row. */
SIM_API unsigned long simcuda_count(const char *name);

/* Counts the call, sleeps when told to, and returns the error to inject, in the numbering of its library. */
SIM_API int simcuda_enter(int call);
/* 0 or the CUDA error that keeps this thread from using CUDA; opens the context of the current device. */
SIM_API int simcuda_guard(int need);
SIM_API void simcuda_set_last_error(int error);

SIM_API int simcuda_device(void);
SIM_API int simcuda_capability(void);
/* Takes or gives back memory that the program never sees, as a context or a library handle does. */
SIM_API int simcuda_memory_take(void **pointer, size_t size_bytes);
SIM_API int simcuda_memory_give(void *pointer);
SIM_API size_t simcuda_memory_total(void);
SIM_API int simcuda_synchronize(void);

/* Queues the kernel; takes ownership of its arguments in every case. */
SIM_API int simcuda_launch(void *stream, const struct simcuda_kernel *kernel);
/* The engine's own view of device memory, for use inside run(): NULL and *error when the program's pointer
 * is not `align`-aligned or [pointer, pointer + size_bytes) does not lie in one live allocation.            */
SIM_API void *simcuda_view(const void *pointer, size_t size_bytes, size_t align, int *error);
/* Fills with the pattern of uninitialised device memory. */
SIM_API void simcuda_poison(void *view, size_t size_bytes);

#endif
