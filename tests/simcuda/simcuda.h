/* simcuda.h - interface of the cudart stand-in for its sister libraries, and for tests */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIMCUDA_H
#define SIMCUDA_SIMCUDA_H

#include <stdbool.h>

#include "sim_abi.h"

#define SIM_API __attribute__((visibility("default")))

enum simcuda_call {
#define SIM_CALL(name, library, error) SIM_CALL_##name,
#include "sim_calls.def"
	SIM_CALL_COUNT
};

/* What a call needs: nothing, a driver with a device, or a context without a sticky error. */
enum simcuda_need { SIMCUDA_NEEDS_NOTHING, SIMCUDA_NEEDS_DRIVER, SIMCUDA_NEEDS_CONTEXT };

/*
 * A rectangle of memory that a copy or kernel accesses: height rows (columns of a matrix) of width
 * bytes. Height 0: none.
 */
struct simcuda_area {
	const void *first;
	size_t pitch, width, height;
};

/*
 * The result of a kernel, for its duration: count results of rows x columns elements, or of a
 * triangle of such a square, at the element's rate. element 0: a transform, whose duration is that
 * of moving its data.
 */
struct simcuda_result {
	char element;
	double rows, columns, count;
	bool triangle;
	double serial_rows; /* of trsm: rows of the triangle, of which each waits for the last */
};

/*
 * A kernel of cuSOLVER, by what its columns wait for: each takes the time that the profile gives
 * its kind, beside the operations and moved_bytes.
 */
enum simcuda_solver {
	SIMCUDA_SOLVER_NONE,
	SIMCUDA_SOLVER_PLAIN, /* no column waits */
	SIMCUDA_SOLVER_LU,
	SIMCUDA_SOLVER_CHOLESKY,
	SIMCUDA_SOLVER_QR,
	SIMCUDA_SOLVER_TRIDIAGONAL,
	SIMCUDA_SOLVER_SINGULAR
};

enum { SIMCUDA_MAX_READS = 3 };

/*
 * One simulated kernel. The engine calls run() when it executes the kernel, never under its lock.
 * `intact` is 0 when another operation wrote into the workspace since this kernel started. run()
 * returns a CUDA error. `arguments` is one malloc block that the engine frees.
 */
struct simcuda_kernel {
	int (*run)(void *arguments, int intact);
	int (*run_dry)(void *arguments); /* instead, with SIMCUDA_DRY; NULL: nothing runs */
	void *arguments;
	void *workspace;
	size_t workspace_bytes;
	double work_flops;
	double moved_bytes; /* of a kernel without result.element; 0: those of its areas */
	int call;           /* a row of sim_calls.def */
	struct simcuda_result result;
	int dimensions; /* of a transform */
	enum simcuda_solver solver;
	double solver_columns;
	int *info; /* of a solver, on the device; NULL: it has none */
	struct simcuda_area reads[SIMCUDA_MAX_READS], written;
};

/* Exported by the stand-ins only: a program can tell them from the real library. */
SIM_API int simcuda_version(void);
/* Number of calls so far of the function with this exact name. 0 for a name without a row. */
SIM_API unsigned long simcuda_count(const char *name);

/*
 * Live objects of the program, by the name of the function that makes them: cudaMalloc,
 * cudaMallocManaged, cudaHostAlloc (also counts cudaMallocHost), cudaHostRegister,
 * cudaStreamCreate, cudaEventCreate, cublasCreate, cusolverDnCreate, cusolverDnCreateParams,
 * cufftCreate (all plans). 0 for another name.
 */
SIM_API unsigned long simcuda_alive(const char *name);
/*
 * Bytes that the device holds for the program, its handles and plans, without its context; and
 * their maximum.
 */
SIM_API size_t simcuda_memory_held(int device);
SIM_API size_t simcuda_memory_high(int device);
SIM_API void simcuda_memory_forget_high(int device);

/* Contexts that were ever made on the card, primary ones and those of the driver API. */
SIM_API unsigned long simcuda_contexts(int device);

/*
 * The memory policy of the calling thread at the last cudaHostAlloc or cudaMallocHost, as
 * get_mempolicy(2) says it: the mode; *nodes, unless NULL: the first 64 nodes. -1: the kernel
 * refused, or there was no call.
 */
SIM_API int simcuda_host_policy(unsigned long long *nodes);

/* The virtual time, the same for all threads and devices. 0 without SIMCUDA_CLOCK. */
SIM_API unsigned long long simcuda_clock_ns(void);
/*
 * Work of host threads in virtual time, for a program that has SIMCUDA_CLOCK. alarm: calls
 * call(data) when the time has come, in the thread that advances it; the call may set alarms, and
 * use nothing else of CUDA. 0: too many are pending. work: the calling thread computes, while
 * devices and alarms go on; 0 ns: until an operation ends or an alarm rings. poll: an unsuccessful
 * poll takes so long, since the host has other things to do; 0: as before.
 */
SIM_API int simcuda_host_alarm(unsigned long long delay_ns, void (*call)(void *data), void *data);
SIM_API void simcuda_host_work(unsigned long long work_ns);
SIM_API void simcuda_host_poll(unsigned long long time_ns);
/* The value of a key of sim_profile.def for a device. Below 0: there is no such key or device. */
SIM_API double simcuda_profile_value(int device, const char *key);

/*
 * Counts the call, sleeps if SIMCUDA_SLOW says so, and returns the error to inject, in the
 * numbering of its library.
 */
SIM_API int simcuda_enter(int call);
/*
 * Returns 0, or the CUDA error that keeps this thread from using CUDA. Opens the context of the
 * current device.
 */
SIM_API int simcuda_guard(int need);
SIM_API void simcuda_set_last_error(int error);
/* 0, or the error of a call that a capture of a stream prohibits, and that makes it invalid. */
SIM_API int simcuda_capture_admit(int call);
/* Identity of the thread's context. Handles and plans keep it, and are of no use in another one. */
SIM_API unsigned long long simcuda_context(void);
/* Ends the program if that context is no more: what then happens on a device is undefined. */
SIM_API void simcuda_expect_context(unsigned long long context, const char *thing);

SIM_API int simcuda_device(void);
SIM_API int simcuda_capability(void);
/* Allocates or frees memory that the program never sees, as a context or a library handle needs. */
SIM_API int simcuda_memory_take(void **pointer, size_t size_bytes);
SIM_API int simcuda_memory_give(void *pointer);
SIM_API size_t simcuda_memory_total(void);
SIM_API int simcuda_synchronize(void);
/* Waits for the device, whatever is captured: what freeing memory does. */
SIM_API void simcuda_drain(void);
/* Handles and plans are created in their own libraries and counted here. */
enum simcuda_thing {
	SIMCUDA_HANDLE,
	SIMCUDA_PLAN,
	SIMCUDA_SOLVER,
	SIMCUDA_SOLVER_PARAMS,
	SIMCUDA_THINGS
};
SIM_API void simcuda_alive_add(enum simcuda_thing thing, int change);

/* Queues the kernel. Takes ownership of its arguments in every case. */
SIM_API int simcuda_launch(void *stream, const struct simcuda_kernel *kernel);
/* Waits for the stream as cudaStreamSynchronize does, for a call that blocks; returns its error. */
SIM_API int simcuda_wait(void *stream);
/*
 * The engine's own view of device memory, for use inside run(). NULL and *error when the program's
 * pointer is not `align`-aligned, or when [pointer, pointer + size_bytes) does not lie in one live
 * allocation.
 */
SIM_API void *simcuda_view(const void *pointer, size_t size_bytes, size_t align, int *error);
/* Fills with the pattern of uninitialised device memory. */
SIM_API void simcuda_poison(void *view, size_t size_bytes);

#endif
