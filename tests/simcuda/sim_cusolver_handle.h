/* sim_cusolver_handle.h - the handles and parameters of the cusolver stand-in */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CUSOLVER_HANDLE_H
#define SIMCUDA_SIM_CUSOLVER_HANDLE_H

#include <stdbool.h>

#include "sim_cusolver.h"

struct sim_cusolver_handle {
	struct sim_cusolver_handle *next;
	uintptr_t handle;
	unsigned long long context; /* the one that was current at creation */
	void *stream;
	int deterministic_mode, math_mode;
	void *pool; /* the workspace of calls that get none from the program */
	size_t pool_bytes;
};

struct sim_cusolver_params {
	struct sim_cusolver_params *next;
	uintptr_t handle;
	int algorithms[SIM_DN_FUNCTIONS];
};

/* As sim_cublas_open: counts, injects errors, finds the handle and copies it. */
int sim_cusolver_open(int call, void *handle, struct sim_cusolver_handle *copy);
/* False: the program has no such parameters. */
bool sim_cusolver_find_params(const void *params, struct sim_cusolver_params *copy);

#endif
