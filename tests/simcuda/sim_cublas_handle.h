/* sim_cublas_handle.h - the handles of the cublas stand-in */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CUBLAS_HANDLE_H
#define SIMCUDA_SIM_CUBLAS_HANDLE_H

#include <stdbool.h>

#include "sim_cublas.h"

struct sim_cublas_handle {
	struct sim_cublas_handle *next;
	uintptr_t handle;
	int device; /* the one that was current at creation */
	void *stream;
	bool device_scalars;
	int math_mode, atomics_mode;
	void *pool; /* the handle's own workspace; one for all the streams it is moved to */
	size_t pool_bytes;
	void *workspace; /* in use: the pool or the program's */
	size_t workspace_bytes;
};

/*
 * Every exported function opens with this: counts, injects, looks the handle up and copies it out.
 * A handle is one thread's at a time by the vendor's rules, yet a copy keeps a wrong program from
 * crashing the engine.
 */
int sim_cublas_open(int call, void *handle, struct sim_cublas_handle *copy);
/* Writes the copy back. */
void sim_cublas_store(const struct sim_cublas_handle *copy);

/*
 * sim_cublas_math.c: the explicit bits of the mantissa that operands of the element keep, 0 for
 * all.
 */
int sim_cublas_digits(const struct sim_cublas_handle *handle, char element);

#endif
