/* sim_cublas_handle.h - the handles of the cublas stand-in */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CUBLAS_HANDLE_H
#define SIMCUDA_SIM_CUBLAS_HANDLE_H

#include <stdbool.h>

#include "sim_cublas.h"

struct sim_cublas_handle {
	struct sim_cublas_handle *next;
	uintptr_t handle;
	unsigned long long context; /* the one that was current at creation */
	void *stream;
	bool device_scalars;
	int math_mode, atomics_mode, strategy;
	void *pool; /* the handle's own workspace; one for all the streams it is moved to */
	size_t pool_bytes;
	void *workspace; /* in use: the pool or the program's */
	size_t workspace_bytes;
};

/*
 * Every exported function calls this first: counts, injects errors, finds the handle and copies it.
 * By the vendor's rules only one thread at a time uses a handle; the copy keeps a program that
 * breaks this rule from crashing the engine.
 */
int sim_cublas_open(int call, void *handle, struct sim_cublas_handle *copy);
/* Writes the copy back. */
void sim_cublas_store(const struct sim_cublas_handle *copy);

/*
 * sim_cublas_math.c: explicit mantissa bits that operands of this element keep in a product whose
 * smallest size is order. 0: all.
 */
int sim_cublas_digits(const struct sim_cublas_handle *handle, char element, int64_t order);
/* Counts a call of level 3 under its mode, see simcuda_math_count. */
void sim_cublas_note_math(const struct sim_cublas_handle *handle, char element);

#endif
